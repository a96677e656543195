"""The questions that short values answer, in words: "Last name", "Phone", "Place of birth".

A question is a text or code beside the value: in HL7 v2 that of OBX-3, in FHIR the ``code`` of an
Observation, the ``text`` of a QuestionnaireResponse item, the ``name`` of a parameter, or the title
of a section. `adapter.values.places` lists these places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LONGEST = 80
"""Maximum length in characters of a question, and of a value that is read with its question."""

_WORD = regex.compile(r"\p{L}{2}")
_ASIDE = regex.compile(
    r"^\s*[0-9]{1,3}[a-z]?[.)]\s+|(?<=\S)\s*(?:\([^()]*\)|\[[^\[\]]*\])\s*$|[\[\]]"
)
"""Numbering before a question, and what a LOINC name adds in brackets: "Gene studied [ID]"."""
_JOINED = regex.compile(r"(?<=\p{Ll})(?=\p{Lu})|_|(?<=\p{L}{2})[-.](?=\p{L})")
_MARKS = " \t\n?:.=#*-"
_SYSTEM = regex.compile(r"(?!(?:\D*\d){3})(?=.*\d)(?=.*\p{L})[\p{L}\d_-]{2,12}")
"""A name of a site's own code system: "99LAB" (HL7 table 0396), "LOC1"."""
_CODES = {"3": "1", "6": "4", "12": "10"}
"""Components of a CWE that name a system, and those of its code."""


@dataclass(frozen=True, slots=True)
class Questions:
    """The questions in words that codes stand for, by code (LOINC)."""

    codes: Mapping[str, str] = field(default_factory=dict, repr=False)

    def of(self, asked: Iterable[str]) -> tuple[str, ...]:
        """Return the distinct questions in words, given the texts and codes of the questions."""
        found = (self.codes.get(text) or _worded(text) for text in asked if text)
        return tuple(dict.fromkeys(question for question in found if question))


def names_system(path: str, text: str, texts: Mapping[str, str]) -> bool:
    """Whether a value names the system of the code beside it, so that it answers nothing itself.

    At most two digits, beside a code, are no number of a person.
    """
    holder, _, position = path.rpartition(".")
    code = texts.get(f"{holder}.{_CODES.get(position, '')}", "")
    return bool(code.strip()) and _SYSTEM.fullmatch(text) is not None


@lru_cache(maxsize=4096)
def _worded(text: str) -> str:
    """Return a question without numbering, asides and final marks; "" if it has no word.

    A name of one token is split into its words: "mothers-maiden-name", "lastName", "LAST_NAME".
    """
    if len(text) > LONGEST or _WORD.search(text) is None:
        return ""
    plain = _ASIDE.sub("", text).strip(_MARKS)
    return plain if " " in plain else _JOINED.sub(" ", plain).strip(_MARKS)


def compile_questions(table: Mapping[str, Any]) -> Questions:
    """Compile a file of format "questions", whose table ``codes`` lists codes by question."""
    listed = table.get("codes", {})
    return Questions({code: text for text, codes in listed.items() for code in codes.split()})
