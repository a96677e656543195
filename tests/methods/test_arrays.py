"""Arrays as the content of a file."""

from __future__ import annotations

import numpy as np
import pytest

from adapter.errors import RuleError
from adapter.methods.arrays import packed, unpacked

ARRAYS = {"numbers": np.arange(6, dtype=np.int32), "names": np.array(["O", "DATE"])}


def test_arrays_come_back():
    """Arrays are read as they were written, and written alike each time."""
    content = packed(ARRAYS)
    found = unpacked({"a.npz": content}, "a.npz", ARRAYS)
    assert all(np.array_equal(found[name], ARRAYS[name]) for name in ARRAYS)
    assert packed(ARRAYS) == content


@pytest.mark.parametrize("content", [b"", b"\x80\x04N.", b"PK\x03\x04 cut short"])
def test_what_is_no_file_of_arrays_is_named(content):
    """Empty, pickled or broken content is a clear error."""
    with pytest.raises(RuleError, match=r"a\.npz"):
        unpacked({"a.npz": content}, "a.npz", ["numbers"])


def test_objects_are_never_loaded(tmp_path):
    """An array of pickled objects is refused."""
    file = tmp_path / "o.npz"
    np.savez(file, numbers=np.array([{}], object))
    with pytest.raises(RuleError):
        unpacked({"o.npz": file.read_bytes()}, "o.npz", ["numbers"])


def test_what_lacks_is_named():
    """A file without an expected array is a clear error."""
    with pytest.raises(RuleError):
        unpacked({"a.npz": packed(ARRAYS)}, "a.npz", ["weights"])
