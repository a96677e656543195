"""A network whose LSTM computes with integers, which takes a fraction of the time.

Weights have 7 bits: with 8, processors without dot products of integers (VNNI) could clip sums, so
that scores would depend on the machine. The range of inputs is that of a batch, so scores of a line
may differ slightly beside other lines.
"""

from __future__ import annotations

import logging
from pathlib import Path
from tempfile import TemporaryDirectory

import onnx

_LSTM = "LSTM"


def quantized(content: bytes) -> bytes:
    """Return the bytes of a network's ONNX file with integer weights of its LSTM."""
    # Its threads draw from the C library's rand(), which CRFsuite's training is seeded by
    from onnxruntime.quantization import QuantType, quantize_dynamic  # noqa: PLC0415

    logging.disable(logging.WARNING)  # it advises steps that are made for images
    try:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "network.onnx"
            quantize_dynamic(
                onnx.load_from_string(content),
                path,
                op_types_to_quantize=[_LSTM],
                weight_type=QuantType.QInt8,
                reduce_range=True,
            )
            model = onnx.load(path)
    finally:
        logging.disable(logging.NOTSET)
    found: bytes = model.SerializeToString(deterministic=True)
    return found
