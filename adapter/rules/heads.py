"""Attributes and heads of columns that are read in every language, beside those of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PREFIX = "any "
"""Begins the names of shared shapes, which those of a language must not replace."""


def with_heads(table: Mapping[str, Any], shared: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the parsed sections of a language with the attributes and columns of any language.

    Its own columns come first, and its own attributes stand.
    """
    shapes = {_PREFIX + name: text for file in shared for name, text in file["shapes"].items()}
    attributes, columns = (
        [row | {"shape": _PREFIX + row["shape"]} for file in shared for row in file.get(part, ())]
        for part in ("attribute", "column")
    )
    return {
        **table,
        "columns": "\n".join(file.get("columns", "") for file in (*shared, table)),
        "shapes": {**table.get("shapes", {}), **shapes},
        "attribute": [*attributes, *table.get("attribute", ())],
        "column": [*table.get("column", ()), *columns],
    }
