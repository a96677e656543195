"""Tests of whether the context makes a trusted phrase that is also a common word a mention."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.types import Label

if TYPE_CHECKING:
    from adapter.languages.cues import Cues
    from adapter.taggers.document.tokens import Tokens
    from adapter.types import TrustedPhrase


_SIGNATURE_END = regex.compile(r"\.?[ \t]*(?:$|[/:][ \t]?[a-z]{2,4}\b|\d{1,2}/\d)", regex.MULTILINE)
_SENTENCE_END = frozenset(".!?:;•*-–—/|>\n")
_REACH = 40
_FACILITIES = frozenset({Label.HOSPITAL, Label.ORGANIZATION})
_CODE = range(3, 6)
"""Number of letters of a facility's code."""


def titled(first: int, tokens: Tokens, cues: Cues) -> str:
    """Return the title before a token ("dr", "mrs"), with or without a dot; "" if there is none."""
    place = first - 1
    if place > 0 and tokens.words[place] == ".":
        place -= 1
    return tokens.words[place] if place >= 0 and tokens.words[place] in cues.titles else ""


def shouted(text: str, start: int, end: int) -> bool:
    """Whether the whole line around an extent is in capitals."""
    line = text[text.rfind("\n", 0, start) + 1 : _line_end(text, end)]
    rest = line.replace(text[start:end], "", 1)
    return not any(c.islower() for c in rest) and any(c.isupper() for c in rest)


def _line_end(text: str, end: int) -> int:
    found = text.find("\n", end)
    return len(text) if found < 0 else found


def name_here(first: int, last: int, tokens: Tokens, text: str, cues: Cues) -> bool:
    """Whether the common words at these tokens are used as somebody's name."""
    start, end = tokens.starts[first], tokens.ends[last]
    acts = last + 1 < len(tokens) and tokens.words[last + 1] in cues.actions
    capital = text[start].isupper()
    title = titled(first, tokens, cues)
    if title and (capital or acts or tokens.words[first - 1] == "."):
        return True
    if title in cues.doctors or title in cues.persons or _is_all(first, last, tokens):
        return True
    if acts and not _inside_sentence(start, text):
        return True
    return capital and _reads_as_name((start, end), last, tokens, text, cues)


def _is_all(first: int, last: int, tokens: Tokens) -> bool:
    """Whether a text consists of these tokens and of marks: "BROWN.", the answer of a field."""
    words = tokens.words
    return not any(word.isalnum() for word in (*words[:first], *words[last + 1 :]))


def _reads_as_name(
    extent: tuple[int, int], last: int, tokens: Tokens, text: str, cues: Cues
) -> bool:
    """Whether a capital can only mark a name: no heading, street, date, nor a word in capitals."""
    start, end = extent
    if cues.field_before.search(text, max(0, start - _REACH), start):
        return True
    if text[end : end + 2].lower() in ("'s", "\u2019s"):
        return True
    if end - start > 1 and text[start:end].isupper():
        return False
    follower = tokens.words[last + 1] if last + 1 < len(tokens) else ""
    if follower.isdigit() or follower in cues.places_behind or follower in cues.eponyms:
        return False
    if follower in cues.actions:
        return True
    return _inside_sentence(start, text) and not _heading(text, start, end)


def _inside_sentence(start: int, text: str) -> bool:
    before = text[max(0, start - _REACH) : start].rstrip(" \t(\"'“")
    return bool(before) and before[-1] not in _SENTENCE_END and before[-1] != "\n"


def _heading(text: str, start: int, end: int) -> bool:
    """Whether all neighbours are capitalised too, as in a heading, where capitals mean nothing."""
    before = text[text.rfind("\n", 0, start) + 1 : start].split()
    after = text[end : _line_end(text, end)].split()
    near = [*before[-1:], *after[:1]]
    return bool(near) and all(word[:1].isupper() for word in near)


def several_here(first: int, last: int, tokens: Tokens, text: str) -> bool:
    """Whether several common words are written as a name, each with a capital."""
    starts = (tokens.starts[i] for i in range(first, last + 1) if tokens.words[i].isalpha())
    return all(text[start].isupper() for start in starts)


def number_here(start: int, text: str, form: str, cues: Cues) -> bool:
    """Whether a short number follows words that announce a person's number."""
    pattern = cues.last_before if ":last4" in form else cues.number_before
    return pattern.search(text, max(0, start - _REACH), start) is not None


def initials_here(start: int, end: int, text: str, cues: Cues) -> bool:
    """Whether letters are a signature: "JS/mk", "-JS" at the end of a line, "rev'd by JS"."""
    written = text[start:end]
    if written.lower() in cues.no_initials or not (written.isupper() or written.islower()):
        return False
    before = text[max(0, start - _REACH) : start]
    if cues.signed_before.search(before) is None:
        return False
    return (written.isupper() and before.rstrip().endswith(cues.signers)) or (
        _SIGNATURE_END.match(text, end) is not None
    )


def place_here(start: int, end: int, text: str, cues: Cues) -> bool:
    """Whether the common word or code at this extent is used as a place."""
    if not text[start].isupper():
        return False
    written = text[start:end]
    if len(written) <= 2:  # noqa: PLR2004 - a state's code
        return written.isupper() and written not in cues.degrees and text[start - 2 : start] == ", "
    if shouted(text, start, end):
        return False
    return follows_preposition(start, text, cues)


def is_code(phrase: TrustedPhrase) -> bool:
    """Whether a phrase is the short code of a facility, in capitals."""
    code = phrase.text
    return phrase.label in _FACILITIES and len(code) in _CODE and code.isalpha() and code.isupper()


def code_here(start: int, end: int, text: str, cues: Cues) -> bool:
    """Whether a facility's code that is a clinical word too is used as the facility's.

    Unlike a town, it needs a preposition, and no other word behind it ("seen at MIC.", not "at MIC
    of 2"), or a word for a facility behind it.
    """
    if not text[start:end].isupper():
        return False
    if cues.facility_named.match(text, end):
        return True
    announced = cues.facility_before.search(text, max(0, start - _REACH), start) is not None
    return announced and cues.facility_behind.match(text, end) is not None


def follows_preposition(start: int, text: str, cues: Cues) -> bool:
    """Whether a word that introduces places, or a comma, stands before a place."""
    return cues.place_before.search(text, max(0, start - _REACH), start) is not None
