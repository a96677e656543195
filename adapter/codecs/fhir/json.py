"""Parses JSON text to a tree that keeps everything, and to tokens with positions.

An object is a tuple of (key, value) pairs in order, duplicates included, an array is a list, and a
number its literal. Values and closing brackets are numbered in the order of the text, so that a
walk through the tree knows the token number of every node without a search (RFC 8259).
"""

from __future__ import annotations

import json
import re
from json.encoder import encode_basestring
from typing import Any, NoReturn

from adapter.codecs.sourcemap import Passage, Trail
from adapter.errors import DecodeError

Pairs = tuple[tuple[str, Any], ...]

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*"'
_OTHER = r'[\[{]|[^\s,:{}\[\]"]++'
TOKEN = re.compile(rf"{_STRING}(?:\s*+:\s*+({_STRING}|{_OTHER}))?|{_OTHER}|[\]}}]")
"""A member up to its value (group 1) or the value's opening bracket, an item, a closing bracket."""

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
"""A JSON number (RFC 8259, section 6)."""

_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Number(str):
    """The literal of a JSON number; its class distinguishes it from a string."""

    __slots__ = ()


def _refuse(_constant: str) -> NoReturn:
    raise DecodeError("not-json")


_DECODER = json.JSONDecoder(
    object_pairs_hook=tuple, parse_float=Number, parse_int=Number, parse_constant=_refuse
)


def parse(text: str) -> Any:
    """Parse one JSON text strictly.

    Raises:
        DecodeError: "not-json"; "too-deep"; "charset-invalid", half a surrogate pair.
    """
    try:
        tree = _DECODER.decode(text)
        if _SURROGATE.search(text):
            json.dumps(tree, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise DecodeError("too-deep") from None
    except UnicodeEncodeError:
        raise DecodeError("charset-invalid") from None
    except ValueError:
        raise DecodeError("not-json") from None
    return tree


def first(pairs: Pairs, key: str) -> Any:
    """Return the value of a key, or None if it is absent.

    Raises:
        DecodeError: "duplicate-key", readers would differ in which value they take.
    """
    found = [value for name, value in pairs if name == key]
    if len(found) > 1:
        raise DecodeError("duplicate-key")
    return found[0] if found else None


def quote(text: str) -> str:
    """Escape new text for the inside of a JSON string."""
    return encode_basestring(text)[1:-1]


def string_passage(text: str, low: int, high: int) -> Passage:
    """Return the string whose content is ``text[low:high]``, with its escapes decoded."""
    trail = Trail()
    for found in _ESCAPE.finditer(text, low, high):
        trail.add(text[low : found.start()], low, found.start(), quote)
        trail.add(json.loads(f'"{found[0]}"'), *found.span(), quote)
        low = found.end()
    trail.add(text[low:high], low, high, quote)
    return trail.passage()
