"""Section headings and ``attribute: value`` pairs (Lee 2017, section 2.3), defined as data.

``rules/sections/<language>.toml``::

    goes_on = "the of dr"                 # words after which a line goes on in the next one
    columns = "value count"               # words that head the second column of a table

    [shapes]                              # verbose, case-sensitive regexes that begin a value
    number = '''[0-9][0-9-]{4,}'''

    [[section]]
    name     = "family-history"
    headings = ["family history", "fhx"]

    [[attribute]]
    names = ["mrn", "medical record number"]
    label = "MEDICALRECORD"               # label of the value, if it has the shape
    shape = "number"
    sure  = true                          # stays covered under any model; the default for numbers
    outside = ["medical"]                 # not if its words are in these lexicons, and no names

    [[attribute]]
    names = ["bp", "cpt code"]            # no label: the value is never a date, age, number etc.

    [[attribute]]
    names  = ["test name"]                # says nothing; but "name" alone, another attribute, would
    vetoes = false

    [[column]]                            # of a table: its cells name people
    names  = ["doctor", "visitor"]
    label  = "DOCTOR"
    shape  = "called"
    unless = ["dose"]                     # not if another column is named so
    beside = ["dob", "mrn"]               # only if another column is named so
    whole  = true                         # only if the head has no other words

    [[column]]                            # no label: a cell in these lexicons is no mention
    names   = ["problem", "drug"]
    outside = ["eponym", "medical"]
    shape   = "coded"                     # a cell of this shape is no number of somebody

A heading is alone on its line, or before a colon at the start of a line. An attribute is a known
name before ``:``, ``=`` or ``#``, anywhere in a line (``Name: X   Age: 47   MRN: 77``), or alone in
the first of a line's two cells, which a tab separates. Its value ends at the next known attribute,
at a tab, bar or wide gap, or with the line; an empty value continues on the next line.

Columns of the same name are tried in order. In a table with two known heads, attributes name
columns too (see `adapter.taggers.document.columns` for what a table is).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import regex

from adapter.taggers.document.heads import SHORTEST, Heads
from adapter.taggers.document.meanings import WORD, Meaning, meaning_of

if TYPE_CHECKING:
    from collections.abc import Mapping


LONGEST_NAME = 5
"""Maximum number of words in an attribute's name."""

# The first look-ahead matches headings only and saves the search for their end in prose.
_HEADING = re.compile(
    r"^[ \t*#=>~_-]*+(?=[a-z0-9 ,/&'().-]{1,51}+[ \t*#=_-]*+(?::|$))"
    r"([a-z0-9][a-z0-9 ,/&'().-]{0,50}?)[ \t*#=_-]*+(?:(:)|$)",
    re.MULTILINE,
)
_SIGN = re.compile(r"[:=#]+(?!//)|\t(?=[^\t\n]++(?:\n|\Z))")
_BLANKS = frozenset((" ", "\t"))
_VALUE = regex.compile(r"[ \t]*+(?:\n[ \t]*+(?=\S))?((?:(?![ ]{3}|[\t|\n]).)*+)")


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a document, from the start of its heading; ``name`` is from the rule file."""

    start: int
    name: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """A known attribute whose name is at ``key_start`` and whose value is ``[start, end)``."""

    name: str = field(repr=False)
    key_start: int
    start: int
    end: int


class SectionRules:
    """The compiled ``rules/sections/<language>.toml``."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        """Compile a parsed rule file.

        Raises:
            RuleError: a label, shape or regex is unknown or invalid.
        """
        self.headings = {
            heading: section["name"]
            for section in table.get("section", ())
            for heading in section["headings"]
        }
        shapes = table.get("shapes", {})
        self.meanings: dict[str, Meaning] = {}
        for attribute in table.get("attribute", ()):
            meaning = meaning_of(attribute, shapes)
            for name in attribute["names"]:
                self.meanings[" ".join(WORD.findall(name))] = meaning
        joined = {name.replace(" ", ""): at for name, at in self.meanings.items() if " " in name}
        self.meanings = {n: at for n, at in joined.items() if len(n) >= SHORTEST} | self.meanings
        self.heads = Heads(table, self.meanings)
        self.goes_on = frozenset(table.get("goes_on", "").split())
        """Words in lower case after which a line goes on in the next one."""
        self._columns = frozenset(table.get("columns", "").split())
        self._last_words = frozenset(name.rpartition(" ")[2] for name in self.meanings)

    def sections(self, folded: str) -> tuple[Section, ...]:
        """Return the known sections of a folded text in order."""
        known = self.headings
        return tuple(
            Section(match.start(1), known[match[1]])
            for match in _HEADING.finditer(folded)
            if match[1] in known
        )

    def asks(self, folded: str) -> bool:
        """Whether a folded text ends with the name of an attribute that holds a mention."""
        key = self._key(folded, len(folded))
        return key is not None and self.meanings[key[1]].label is not None

    def attributes(self, folded: str) -> tuple[Attribute, ...]:
        """Return the known attributes of a folded text in order."""
        keys: list[tuple[int, str, int]] = []
        for sign in _SIGN.finditer(folded):
            start = sign.start()
            key = self._key(folded, start - (folded[start - 1 : start] in _BLANKS))
            if key is not None and (sign[0] != "\t" or self._is_row(folded, key[0], sign.end())):
                keys.append((key[0], key[1], sign.end()))
        stops = [key[0] for key in keys[1:]] + [len(folded)] * bool(keys)
        return tuple(
            _attribute(folded, start, name, sign_end, stop)
            for (start, name, sign_end), stop in zip(keys, stops, strict=True)
        )

    def _is_row(self, folded: str, key: int, value: int) -> bool:
        """Whether a key is all of its cell, and the cell behind it is not the head of a column."""
        line = folded.rfind("\n", 0, key) + 1
        end = folded.find("\n", value)
        said = WORD.findall(folded, value, len(folded) if end < 0 else end)
        heads = " ".join(said) in self.meanings or self._columns.issuperset(said)
        return not heads and not folded[line:key].strip(" ")

    def _key(self, folded: str, end: int) -> tuple[int, str] | None:
        line = folded.rfind("\n", 0, end) + 1
        words = list(WORD.finditer(folded, max(line, end - 60), end))[-LONGEST_NAME:]
        if not words or words[-1].group() not in self._last_words or words[-1].end() < end - 2:
            return None
        for first in range(len(words)):
            name = " ".join(word.group() for word in words[first:])
            if name in self.meanings:
                return words[first].start(), name
        return None


def _attribute(folded: str, key_start: int, name: str, sign: int, stop: int) -> Attribute:
    value = _VALUE.match(folded, sign, max(stop, sign))
    start, end = value.span(1) if value is not None else (sign, sign)
    if folded[start : start + 1] == '"' and (close := folded.find('"', start + 1, end)) > 0:
        start, end = start + 1, close
    return Attribute(name, key_start, start, start + len(folded[start:end].rstrip()))
