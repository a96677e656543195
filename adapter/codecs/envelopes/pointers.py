"""JSON pointers (RFC 6901) into trees of objects and lists, and trees rebuilt from them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

Pointer = tuple[str, ...]
"""The unescaped reference tokens of a JSON pointer."""

_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*){1,32}")
_INDEX = re.compile(r"0|[1-9][0-9]{0,3}")


def parsed(text: str) -> Pointer | None:
    """Return the tokens of a pointer into a document; None if ``text`` is not a valid pointer."""
    if not _POINTER.fullmatch(text):
        return None
    tokens = text[1:].split("/")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in tokens)


def written(pointer: Pointer) -> str:
    """Return the text of a pointer."""
    tokens = (token.replace("~", "~0").replace("/", "~1") for token in pointer)
    return "".join(f"/{token}" for token in tokens)


class Missing:
    """The type of `MISSING`."""


MISSING = Missing()
"""Returned by `at` if a pointer leads to no value; None is JSON's null."""


def at(tree: Any, pointer: Pointer) -> Any:
    """Return the value that a pointer leads to, or `MISSING` if there is none."""
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
    """A new value to write."""

    value: Any = field(repr=False)


def wanting(new: dict[Pointer, Any]) -> dict[str, Any]:
    """Return new values by pointer as a tree of tokens with a `New` at each leaf."""
    wanted: dict[str, Any] = {}
    for pointer, value in new.items():
        inner = wanted
        for token in pointer[:-1]:
            inner = inner.setdefault(token, {})
        inner[pointer[-1]] = New(value)
    return wanted


def rebuilt(tree: Any, wanted: Any) -> Any:
    """Return a tree of only the new values, in the objects and lists that lead to them.

    Preceding items of a list become null, so that each item keeps its index.
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
    """Return the wanted keys in the order of the tree, keys that it lacks last."""
    return [*(key for key in tree if key in wanted), *(key for key in wanted if key not in tree)]
