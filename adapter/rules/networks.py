"""Opens a language's neural model once, for the core to call.

``models/<language>/neural/`` has ``network.onnx``, ``vocabulary.json``
(`adapter.taggers.neural.network`), perhaps ``vectors.bin`` (`adapter.taggers.neural.vectors`), and
``card.toml``, which records the training data, the scores, the digests of the other files, its
share of the mean with the CRF, and the thresholds of the means. A network runs on one core and
starts no thread, so that workers forked from the process that opened it can run it, and so that its
scores do not depend on the machine.
"""

from __future__ import annotations

import tomllib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np

from adapter.errors import RuleError
from adapter.rules.models import CARD, NEURAL, sealed
from adapter.taggers.neural.model import NeuralModel
from adapter.taggers.neural.network import NETWORK, VOCABULARY, Network, read_vocabulary
from adapter.taggers.neural.vectors import VECTORS, Vectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from adapter.taggers.crf.weights import Floats
    from adapter.taggers.neural.network import Run
    from adapter.taggers.neural.vocabulary import Numbers, Vocabulary

_UNREADABLE, _MISFIT = "is not a network that onnxruntime can read", "does not fit its vocabulary"
_FATAL = 4
"""Log level of onnxruntime: fatal only, since errors are also raised."""


def load_neural(folder: Path) -> NeuralModel | None:
    """Return the neural model of a language's folder of models, or None if it has none.

    Raises:
        RuleError: a file is missing or malformed, or does not match the card.
    """
    if not has_neural(folder):
        return None
    inner, place = folder / NEURAL, f"models/{folder.name}/{NEURAL}"
    try:
        card: dict[str, Any] = tomllib.loads((inner / CARD).read_text("utf-8"))
        digests, share = dict(card["digest"]), float(card["use"]["share"])
        thresholds = {recall: _probabilities(of) for recall, of in card["thresholds"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RuleError(
            f"{place}/{CARD}", f"is not a model card: {type(error).__name__} {error}"
        ) from None
    for number in (share, *(each for of in thresholds.values() for each in of.values())):
        if not 0 <= number < 1:  # also rejects NaN
            raise RuleError(f"{place}/{CARD}", "share and thresholds must be at least 0, below 1")
    content, words = (sealed(inner, name, digests, place) for name in (NETWORK, VOCABULARY))
    vocabulary, transitions = read_vocabulary(words)
    network = network_of(content, vocabulary, transitions, _vectors(inner, digests, place))
    return NeuralModel(network, share, thresholds)


_VECTORS: WeakValueDictionary[str, Vectors] = WeakValueDictionary()
"""Vectors in use, by digest: rulesets of several profiles, or before and after a reload, share
them."""


def _vectors(inner: Path, digests: Mapping[str, str], place: str) -> Vectors | None:
    if VECTORS not in digests:
        return None
    content = sealed(inner, VECTORS, digests, place)
    found = _VECTORS.get(digests[VECTORS])
    if found is None:
        found = _VECTORS[digests[VECTORS]] = Vectors.read(content)
    return found


def _probabilities(of: Mapping[str, Any]) -> dict[str, float]:
    return {chain: float(number) for chain, number in of.items()}


def has_neural(folder: Path) -> bool:
    """Return whether a language's folder of models has a neural model."""
    return (folder / NEURAL / CARD).is_file()


def network_of(
    content: bytes, vocabulary: Vocabulary, transitions: Floats, vectors: Vectors | None = None
) -> Network:
    """Return a network from the bytes of its ONNX file.

    Raises:
        RuleError: the file does not open, keeps data in another file, or does not fit its
            vocabulary.
    """
    network = Network(opened(content), vocabulary, transitions, vectors)
    with _refused(_MISFIT):
        fits = network.fits()
    if not fits:
        raise RuleError(NETWORK, _MISFIT)
    return network


def opened(content: bytes) -> Run:
    """Return the function that runs a network, given its ONNX file; errors as in `network_of`."""
    import onnx  # noqa: PLC0415 - slow to import, and needed only where there is a network
    import onnxruntime  # noqa: PLC0415 - likewise

    with _refused(_UNREADABLE):
        tensors = list(_tensors(onnx.load_from_string(content)))
    if any(tensor.external_data or tensor.data_location for tensor in tensors):
        raise RuleError(NETWORK, "keeps data in another file, which is not supported")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = _FATAL
    with _refused(_UNREADABLE):
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])

    def run(given: Mapping[str, Numbers | Floats]) -> Floats:
        (scores,) = session.run(["scores"], dict(given))
        return np.asarray(scores, np.float32)

    return run


def _tensors(model: Any) -> Iterator[Any]:
    """Yield every tensor in a model's tree of protobuf messages."""
    if model.DESCRIPTOR.name == "TensorProto":
        yield model
        return
    for kind, value in model.ListFields():
        if kind.message_type is not None:
            for inner in _each(value):
                yield from _tensors(inner)


def _each(value: Any) -> Iterable[Any]:
    return [value] if hasattr(value, "DESCRIPTOR") else value


@contextmanager
def _refused(reason: str) -> Iterator[None]:
    """Convert any exception to a RuleError: those of onnxruntime have no common base class."""
    try:
        yield
    except Exception:  # noqa: BLE001
        raise RuleError(NETWORK, reason) from None
