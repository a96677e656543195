"""A site's own names for surrogates: files with one name per line replace the shipped tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.errors import RuleError
from adapter.normalize.folding import squeeze
from adapter.surrogates.drawing.tables import FAMILY, GIVEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adapter.languages.titles import Titles

FILES = {
    "family.txt": FAMILY,
    "given-female.txt": GIVEN["F"],
    "given-male.txt": GIVEN["M"],
    "given-unisex.txt": GIVEN[""],
}
"""File name -> the table it replaces."""
FEWEST = 100
"""Fewest names of a table: with fewer, too many persons would share a name."""

_NAME = regex.compile(r"\p{Lu}[\p{L}\p{M}]+(?:['’-]\p{L}[\p{L}\p{M}]*)*")


def own_tables(texts: Mapping[str, str], folder: str, titles: Titles) -> dict[str, tuple[str, ...]]:
    """Return the tables of a folder's files by table name; the order of lines is irrelevant.

    Raises:
        RuleError: a file belongs to no table or has too few names, or a line is not a name.
    """
    if not texts:
        raise RuleError(folder, f"has none of {', '.join(FILES)}")
    no_names = titles.particles | titles.prefixes | titles.suffixes
    return {
        _table(name, folder): _names(text, f"{folder}/{name}", no_names)
        for name, text in texts.items()
    }


def _table(name: str, folder: str) -> str:
    if name not in FILES:
        raise RuleError(f"{folder}/{name}", f"must be one of {', '.join(FILES)}")
    return FILES[name]


def _names(text: str, file: str, no_names: frozenset[str]) -> tuple[str, ...]:
    places: dict[str, int] = {}
    for number, line in _lines(text):
        if _NAME.fullmatch(line) is None or squeeze(line) in no_names:
            raise RuleError(f"{file}:{number}", "must be one capitalised word, not a title")
        if line in places:
            raise RuleError(f"{file}:{number}", f"repeats the name of line {places[line]}")
        places[line] = number
    if len(places) < FEWEST:
        raise RuleError(file, f"has {len(places)} names, fewer than {FEWEST}")
    return tuple(sorted(places))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()
