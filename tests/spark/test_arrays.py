"""Arrow batches of Python's values: what Arrow makes of them itself, and no pandas."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.spark.arrays import batch
from adapter.spark.rows import HEADERS

pa = pytest.importorskip("pyarrow")

LONG = st.integers(-(2**63), 2**63 - 1)
HEADER = st.fixed_dictionaries({"key": st.text(max_size=4), "value": st.binary(max_size=4)})
CELLS = {
    "string": st.text(max_size=5),
    "binary": st.binary(max_size=5),
    "int": st.integers(-(2**31), 2**31 - 1),
    "bigint": LONG,
    "array<bigint>": st.lists(LONG, max_size=3),
    HEADERS: st.lists(HEADER, max_size=3),
}
COLUMNS = {f"c{place}": kind for place, kind in enumerate(CELLS)}
ROW = st.fixed_dictionaries({name: st.none() | CELLS[kind] for name, kind in COLUMNS.items()})


@given(st.lists(ROW, max_size=20))
def test_batches_are_those_that_arrow_makes(rows):
    """Values come back as they are, of the types that Spark expects, and the batch is sound."""
    made = batch(rows, COLUMNS)
    made.validate(full=True)
    assert rows == made.to_pylist()
    header = pa.struct([("key", pa.string()), ("value", pa.binary())])
    kinds = [pa.string(), pa.binary(), pa.int32(), pa.int64(), pa.list_(pa.int64())]
    assert [*kinds, pa.list_(header)] == made.schema.types


def test_pandas_is_not_imported():
    """It would be 40 MB of each Python worker."""
    pytest.importorskip("pandas")
    program = (
        "import sys; from adapter.spark.arrays import batch;"
        "batch([{'a': 'x'}], {'a': 'string'}).to_pylist(); sys.exit('pandas' in sys.modules)"
    )
    assert 0 == subprocess.run([sys.executable, "-c", program], check=False).returncode
