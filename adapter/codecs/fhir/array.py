"""A JSON array of resources, read and written as the entries of one Bundle.

Feeds and REST proxies send several resources as a bare array. They are about one another, as those
of a Bundle are, so they are processed together: what one says of a patient protects the others.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from adapter.errors import EncodeError

_HEAD = '{"resourceType":"Bundle","type":"collection","entry":['
_TAIL = "]}"
_OPEN, _CLOSE = '{"resource":', "}"
_SPACE = re.compile(r"[ \t\r\n]*")
_SCANNER = json.JSONDecoder(object_pairs_hook=len, parse_constant=len)


@dataclass(frozen=True, slots=True)
class Array:
    """An array's text around its items, and the same items as a Bundle."""

    around: tuple[str, ...] = field(repr=False)
    """What stands before the first item, between each two, and behind the last."""
    json: str = field(repr=False)

    def restored(self, text: str) -> str:
        """Return the array of the resources of the Bundle, whatever has changed.

        Raises:
            EncodeError: "unreadable", it has not as many entries as the array had, or others.
        """
        return unbundled(self, text)


def bundled(text: str) -> Array | None:
    """Return an array of objects as a Bundle; None for any other text."""
    if not text.lstrip(" \t\r\n").startswith("["):
        return None
    try:
        items = _extents(text, _skip(text, 0))
    except (ValueError, IndexError, RecursionError):
        return None
    if not items or any(text[low] != "{" for low, _ in items):
        return None
    if text[items[-1][1] :].strip(" \t\r\n") != "]":
        return None
    ends = [0, *(at for item in items for at in item), len(text)]
    around = tuple(text[low:high] for low, high in zip(ends[::2], ends[1::2], strict=True))
    entries = ",".join(f"{_OPEN}{text[low:high]}{_CLOSE}" for low, high in items)
    return Array(around, f"{_HEAD}{entries}{_TAIL}")


def unbundled(array: Array, text: str) -> str:
    """Return the array of the resources of a Bundle that `bundled` made, whatever has changed.

    Raises:
        EncodeError: "unreadable", it has not as many entries as the array had, or others.
    """
    try:
        entries = _extents(text, _value(text, 0, "entry"))
        values = [_value(text, low, "resource") for low, _ in entries]
        resources = [text[at : _SCANNER.raw_decode(text, at)[1]] for at in values]
    except (ValueError, IndexError, KeyError, RecursionError):
        raise EncodeError("unreadable") from None
    if len(resources) != len(array.around) - 1:
        raise EncodeError("unreadable")
    pairs = zip(array.around, [*resources, ""], strict=True)
    return "".join(part for pair in pairs for part in pair)


def _extents(text: str, at: int) -> list[tuple[int, int]]:
    """Where the items of the array at a place stand, which must end as the text or its value does.

    Raises:
        ValueError: it is no array.
    """
    if text[at] != "[":
        raise ValueError
    found: list[tuple[int, int]] = []
    at = _skip(text, at + 1)
    while text[at] != "]":
        end = _SCANNER.raw_decode(text, at)[1]
        found.append((at, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
            if text[at] == "]":
                raise ValueError
        elif text[at] != "]":
            raise ValueError
    return found


def _value(text: str, at: int, name: str) -> int:
    """Where the value of a member of the object at a place begins.

    Raises:
        ValueError: it is no object, or has no such member.
    """
    at = _skip(text, at)
    if text[at] != "{":
        raise ValueError
    while text[at] != "}":
        key, at = _key(text, _skip(text, at + 1))
        at = _skip(text, _skip(text, at) + 1)
        if key == name:
            return at
        at = _skip(text, _SCANNER.raw_decode(text, at)[1])
    raise ValueError


def _key(text: str, at: int) -> tuple[Any, int]:
    return _SCANNER.raw_decode(text, at)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
