"""Reads and writes a JSON array of resources as the entries of one Bundle.

Feeds and REST proxies send several resources as a bare array. Like the entries of a Bundle, they
can refer to the same patient, so they are processed together: what one resource says of a patient
protects that patient in the others.
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
    """The text around an array's items, and the same items as a Bundle."""

    around: tuple[str, ...] = field(repr=False)
    """The text before the first item, between adjacent items, and after the last one."""
    json: str = field(repr=False)

    def restored(self, text: str) -> str:
        """Return the array of the resources in an edited Bundle.

        Raises:
            EncodeError: "unreadable", the Bundle is malformed or its number of entries changed.
        """
        return unbundled(self, text)


def bundled(text: str) -> Array | None:
    """Return an array of objects as a Bundle; None if the text is anything else."""
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
    """Return the array of the resources in an edited Bundle that `bundled` made.

    Raises:
        EncodeError: "unreadable", the Bundle is malformed or its number of entries changed.
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
    """Return the extent (start, end) of each item of the array that begins at ``at``.

    Raises:
        ValueError: there is no array at ``at``, or it is malformed.
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
    """Return the offset of the value of member ``name`` of the object at ``at``.

    Raises:
        ValueError: there is no object at ``at``, or it has no such member.
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
