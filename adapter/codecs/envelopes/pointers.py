"""JSON pointers (RFC 6901) into trees of objects and lists, and trees rebuilt of what they name."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

Pointer = tuple[str, ...]
"""The unescaped reference tokens."""

_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*){1,32}")
_INDEX = re.compile(r"0|[1-9][0-9]{0,3}")


def parsed(text: str) -> Pointer | None:
    """Return the tokens of a pointer to something inside a document; None if it is none."""
    if not _POINTER.fullmatch(text):
        return None
    tokens = text[1:].split("/")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in tokens)


def written(pointer: Pointer) -> str:
    """Return a pointer's text."""
    tokens = (token.replace("~", "~0").replace("/", "~1") for token in pointer)
    return "".join(f"/{token}" for token in tokens)


class Missing:
    """Stands for what is not there."""


MISSING = Missing()


def at(tree: Any, pointer: Pointer) -> Any:
    """Return what a pointer leads to, `MISSING` where there is nothing."""
    for token in pointer:
        if isinstance(tree, dict) and token in tree:
            tree = tree[token]
        elif isinstance(tree, list) and _INDEX.fullmatch(token) and int(token) < len(tree):
            tree = tree[int(token)]
        else:
            return MISSING
    return tree


@dataclass(frozen=True, slots=True)
class New:
    """A value to be written in a place."""

    value: Any = field(repr=False)


def wanting(new: dict[Pointer, Any]) -> dict[str, Any]:
    """Return new values by place as a tree of tokens, with a `New` at each place."""
    wanted: dict[str, Any] = {}
    for pointer, value in new.items():
        inner = wanted
        for token in pointer[:-1]:
            inner = inner.setdefault(token, {})
        inner[pointer[-1]] = New(value)
    return wanted


def rebuilt(tree: Any, wanted: Any) -> Any:
    """Return a tree of nothing but the new values, in the objects and lists that lead to them.

    Items of a list before them are null, so that they keep their index.
    """
    if isinstance(wanted, New):
        return wanted.value
    if isinstance(tree, list):
        last = max(map(int, wanted))
        return [
            rebuilt(item, wanted[str(index)]) if str(index) in wanted else None
            for index, item in enumerate(tree[: last + 1])
        ]
    return {key: rebuilt(tree.get(key), wanted[key]) for key in _in_order(tree, wanted)}


def _in_order(tree: Any, wanted: Any) -> list[str]:
    """The wanted keys in the tree's order, new ones behind."""
    return [*(key for key in tree if key in wanted), *(key for key in wanted if key not in tree)]
