"""Arrays as the content of a file: ``.npz`` without pickle, with deterministic bytes."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile
from zlib import error as ZlibError  # noqa: N812 - the library calls it `error`

import numpy as np

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Array = np.ndarray[Any, np.dtype[Any]]


def packed(arrays: Mapping[str, Array]) -> bytes:
    """Return arrays as the bytes of a compressed ``.npz``."""
    out = BytesIO()
    np.savez_compressed(out, allow_pickle=False, **arrays)
    return out.getvalue()


def unpacked(files: Mapping[str, bytes], name: str, expected: Iterable[str]) -> dict[str, Array]:
    """Return the expected arrays of a model's file.

    Raises:
        RuleError: the file is missing, is not ``.npz``, or lacks one of the expected arrays.
    """
    try:
        with np.load(BytesIO(files[name]), allow_pickle=False) as arrays:
            return {each: arrays[each] for each in expected}
    except (KeyError, ValueError, OSError, EOFError, TypeError, BadZipFile, ZlibError):
        raise RuleError(name, "is not a file of arrays") from None
