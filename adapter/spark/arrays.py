"""Converts Python values to Arrow batches without ``pyarrow.array``.

``pyarrow.array`` imports pandas if installed, which takes 40 MB of memory in each Python worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Column = Sequence[Any]
    Build = Callable[[Column], Any]


def batch(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> Any:
    """Return rows as a record batch; ``columns`` maps names to types as Spark writes them.

    A missing column of a row is null.
    """
    import pyarrow as pa  # noqa: PLC0415 - of the extra 'spark'

    arrays = [_BUILDS[kind]([row.get(name) for row in rows]) for name, kind in columns.items()]
    return pa.RecordBatch.from_arrays(arrays, names=list(columns))


def _numbers(kind: str) -> Build:
    def build(values: Column) -> Any:
        data = np.array([0 if value is None else value for value in values], kind)
        return _array(kind, values, [data])

    return build


def _bytes(kind: str) -> Build:
    def build(values: Column) -> Any:
        raw = [value.encode() if isinstance(value, str) else value or b"" for value in values]
        return _array(kind, values, [_offsets(raw), b"".join(raw)])

    return build


def _lists(of: Build) -> Build:
    def build(values: Column) -> Any:
        import pyarrow as pa  # noqa: PLC0415

        each = [value or () for value in values]
        child = of([item for items in each for item in items])
        return _array(pa.list_(child.type), values, [_offsets(each)], child)

    return build


def _structs(members: Mapping[str, Build]) -> Build:
    def build(values: Column) -> Any:
        import pyarrow as pa  # noqa: PLC0415

        arrays = [of([value[name] for value in values]) for name, of in members.items()]
        return pa.StructArray.from_arrays(arrays, names=list(members))

    return build


def _offsets(each: Sequence[Any]) -> Any:
    return np.concatenate([[0], np.cumsum([len(one) for one in each])]).astype(np.int32)


def _array(kind: Any, values: Column, buffers: Sequence[Any], *children: Any) -> Any:
    import pyarrow as pa  # noqa: PLC0415

    said = pa.type_for_alias(kind) if isinstance(kind, str) else kind
    there = np.packbits(np.array([value is not None for value in values], bool), bitorder="little")
    raw = [pa.py_buffer(buffer) for buffer in (there, *buffers)]
    return pa.Array.from_buffers(said, len(values), raw, children=list(children))


_BUILDS: dict[str, Build] = {
    "string": _bytes("string"),
    "binary": _bytes("binary"),
    "int": _numbers("int32"),
    "bigint": _numbers("int64"),
    "array<bigint>": _lists(_numbers("int64")),
    "array<struct<key:string,value:binary>>": _lists(
        _structs({"key": _bytes("string"), "value": _bytes("binary")})
    ),
}
