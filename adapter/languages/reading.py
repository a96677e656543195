"""Checked reading of values from a parsed language file; errors name the file and the key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import regex

from adapter.errors import RuleError
from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def table_of(
    code: str, tables: Mapping[str, Any], name: str, keys: Iterable[str]
) -> dict[str, Any]:
    """Return a table of the language's file; empty if the file has none.

    Raises:
        RuleError: the value is not a table, or has a key that is not in ``keys``.
    """
    table = tables.get(name, {})
    if not isinstance(table, dict):
        raise RuleError(place(code), f"{name} is not a table")
    if unknown := table.keys() - set(keys):
        raise RuleError(place(code), f"unknown keys {sorted(unknown)} in [{name}]")
    return table


def words_of(code: str, value: object) -> tuple[str, ...]:
    """Return the words of a string, separated by blanks, or of a list.

    Raises:
        RuleError: the value is neither a string nor a list of strings.
    """
    if isinstance(value, str):
        return tuple(value.split())
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise RuleError(place(code), "words must be a string or a list of strings")


def folded(code: str, value: object) -> tuple[str, ...]:
    """Return the words of `words_of`, folded.

    Raises:
        RuleError: the value is neither a string nor a list of strings.
    """
    return tuple(map(fold, words_of(code, value)))


def patterns_of(code: str, value: object) -> tuple[str, ...]:
    """Return a list of regular expressions.

    Raises:
        RuleError: an expression does not compile.
    """
    patterns = words_of(code, value)
    for pattern in patterns:
        try:
            regex.compile(pattern)
        except regex.error as error:
            raise RuleError(place(code), f"pattern does not compile: {error}") from None
    return patterns


def either(words: Iterable[str]) -> str:
    """Return a pattern of any of the words, the longest first; without words it never matches."""
    escaped = (re.escape(word).replace(r"\ ", r"\s") for word in dict.fromkeys(words))
    longest_first = sorted(escaped, key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(longest_first)})" if longest_first else "(?!)"


def spaced(words: Iterable[str]) -> str:
    """Return the pattern of `either` in which a blank matches any white space."""
    return either(words).replace(r"\s", r"\s+")


def place(code: str) -> str:
    """Return the name of a language's file in the rules folder."""
    return f"languages/{code}.toml"
