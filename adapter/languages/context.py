"""Words beside a mention that decide its label.

The table ``[context]`` of a language's file::

    fax = "fax telefax"           # before a number that is then a fax number
    phone = "phone tel call"      # before a number that is then a telephone number
    study = "student degree"      # before an institution that is then not a hospital
    of = "de del"                 # between an institution and the place it is named after
    dotted = "Jr Sr"              # last words that take a point, as written without it
    title = "doctor doctora"      # before a name, and no part of it
    joint = "and"                 # between two mentions, and no part of either
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import regex

from adapter.languages.reading import either, folded, table_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FOLDED = ("fax", "phone", "study", "of", "title", "joint")
_KEYS = (*_FOLDED, "dotted")


@dataclass(frozen=True, slots=True)
class Context:
    """The context words of one language, or of all languages."""

    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    """The words by their key."""
    line: regex.Pattern[str] = field(init=False, repr=False)
    """The nearest word before a number that names a fax or a telephone, searched backward."""
    study: regex.Pattern[str] = field(init=False, repr=False)
    of: regex.Pattern[str] = field(init=False, repr=False)
    """A word of ``of`` and a blank at the end of an extent, in any case."""
    dotted: regex.Pattern[str] = field(init=False, repr=False)
    """A word of ``dotted`` at the end of an extent."""
    title: regex.Pattern[str] = field(init=False, repr=False)
    """A word of ``title`` and a blank at the start of an extent, in any case."""
    joint: regex.Pattern[str] = field(init=False, repr=False)
    """A blank and a word of ``joint``, in lower case, at the end of an extent."""

    def __post_init__(self) -> None:
        words = {key: either(self.words.get(key, ())) for key in _KEYS}
        made = {
            "line": rf"(?r)\b(?:(?P<fax>{words['fax']})|(?P<phone>{words['phone']}))\b",
            "study": rf"\b{words['study']}\b",
            "of": rf"(?r)\b(?i:{words['of']})[ ]",
            "dotted": rf"(?r)\b{words['dotted']}",
            "title": rf"(?i:{words['title']})\.?[ ]+(?=\S)",
            "joint": rf"(?r)\s+{words['joint']}",
        }
        for name, pattern in made.items():
            object.__setattr__(self, name, regex.compile(pattern))

    @classmethod
    def of_tables(cls, tables: Mapping[str, Mapping[str, Any]]) -> Context:
        """Compile the tables ``[context]`` of several languages, by code, as one.

        Raises:
            RuleError: a key is unknown, or a value is not a string or list of words.
        """
        rows = [_row(code, table) for code, table in tables.items()]
        return cls({key: tuple(word for row in rows for word in row[key]) for key in _KEYS})


def _row(code: str, tables: Mapping[str, Any]) -> Mapping[str, Iterable[str]]:
    table = table_of(code, tables, "context", _KEYS)
    words: dict[str, Iterable[str]] = {key: folded(code, table.get(key, "")) for key in _FOLDED}
    return words | {"dotted": words_of(code, table.get("dotted", ""))}
