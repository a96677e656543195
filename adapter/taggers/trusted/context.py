"""Contexts in which a trusted phrase that is also a common word is a mention."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from adapter.taggers.document.tokens import Tokens


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DOCTOR_TITLES = _words("dr drs doctor prof professor doc")
PERSON_TITLES = _words("mr mrs ms miss mx mister madam ma'am sra senora senor")
TITLES = DOCTOR_TITLES | PERSON_TITLES | _words("nurse patient pt sister aunt uncle rn np")
_FIELD = regex.compile(
    r"(?i)(?:\bname|\bpatient|\bpt|\battending|\bprovider|\bphysician|\bsurgeon|\bby|\bcc|\bre"
    r"|\bfrom|\bto|\bpcp|\bauthor|\bnurse|\bcontact|\bmother|\bfather|\bwife|\bhusband"
    r"|\bdaughter|\bson|\bspouse|\bmd|\baka|\balias|\bprov)\s*[:=]\s*\Z"
)
_LAST_FOUR = regex.compile(
    r"(?i)(?:\blast\s*(?:4|four)\b|\bend(?:s|ing)(?:\s+(?:in|with))?|[x*]{2,}[- ]?)[^\w]{0,4}\Z"
)
_NUMBERED = regex.compile(
    r"(?i)(?:\bmrn|\bid|\bacct|\baccount|\bno|\bnumber|\bchart|\brecord)[ .:#]{1,4}\Z"
)
_PLACE_BEFORE = regex.compile(r"(?i)(?:\b(?:in|from|of|at|to|near|outside|leaving)\s|,\s?)\Z")
_SIGNED = regex.compile(
    r"(?im)(?:^|[.!?)\]]|\b(?:by|per|prov|dict\w*|rev\w*|typed|signed)\b|(?:^|\s)[dt]:|/s/)"
    r"(?:[^\w\n]|\d){0,20}\Z"
)
_SIGNATURE_END = regex.compile(r"\.?[ \t]*(?:$|[/:][ \t]?[a-z]{2,4}\b|\d{1,2}/\d)", regex.MULTILINE)
_NO_SIGNATURE = _words(
    "am pm pt ot md rn pa np do dr mr ms st iv im po pr bp hr rr na ca ok re cc id"
)
_VERBS = _words(
    "states stated says said reports reported denies denied called calls asks asked told tells"
    " feels felt wants agrees agreed declines declined lives presents verbalizes cannot did"
    " fasted ate eats drank drinks slept sleeps walked walks ambulated ambulates voided vomited"
    " woke awoke arrived came went returned fell took takes tolerated tolerates refused refuses"
    " accepted consented requested requests understood understands complained complains admits"
    " denying endorses endorsed describes described recalls attends attended phoned texted met"
    " spoke thinks believes plans needs wanted works worked smokes uses appears seems remains"
    " continues does doesn didn is isn was wasn has hasn had knows hopes cried smiled"
)
_EPONYM_HEADS = _words(
    "disease syndrome sign signs cyst fracture fx lesion body bodies line palsy scale score stain"
    " test maneuver node nodes drain wrap clamp catheter forceps procedure classification criteria"
    " reflex esophagus thyroiditis lymphoma dementia hernia tube stitch retractor speculum"
    " phenomenon"
)
_DEGREES = _words("MD DO PA MA MS PC DC ND OD OT PT RN NP")
_SENTENCE_END = frozenset(".!?:;•*-–—/|>\n")
_REACH = 40
_STREET_ENDS = _words(
    "st street ave avenue rd road dr drive ln lane blvd ct court pl place way hwy clinic hospital"
    " center centre pharmacy school church park county city care health"
)


def titled(first: int, tokens: Tokens) -> str:
    """Return the title before a token ("dr", "mrs"), with or without a dot; "" if there is none."""
    place = first - 1
    if place > 0 and tokens.words[place] == ".":
        place -= 1
    return tokens.words[place] if place >= 0 and tokens.words[place] in TITLES else ""


def shouted(text: str, start: int, end: int) -> bool:
    """Whether the whole line around an extent is in capitals."""
    line = text[text.rfind("\n", 0, start) + 1 : _line_end(text, end)]
    rest = line.replace(text[start:end], "", 1)
    return not any(c.islower() for c in rest) and any(c.isupper() for c in rest)


def _line_end(text: str, end: int) -> int:
    found = text.find("\n", end)
    return len(text) if found < 0 else found


def name_here(first: int, last: int, tokens: Tokens, text: str) -> bool:
    """Whether a common word is used as somebody's name here."""
    start, end = tokens.starts[first], tokens.ends[last]
    if titled(first, tokens):
        return text[start].isupper() or tokens.words[first - 1] == "."
    if not text[start].isupper():
        return False
    if _FIELD.search(text, max(0, start - _REACH), start):
        return True
    if end - start > 1 and text[start:end].isupper():
        return False
    return text[end : end + 2] in ("'s", "\u2019s") or _reads_as_name(
        start, end, last, tokens, text
    )


def _reads_as_name(start: int, end: int, last: int, tokens: Tokens, text: str) -> bool:
    """Whether a capital inside a sentence can only be a name's: no heading, street or date."""
    follower = tokens.words[last + 1] if last + 1 < len(tokens) else ""
    if follower.isdigit() or follower in _STREET_ENDS or follower in _EPONYM_HEADS:
        return False
    if follower in _VERBS:
        return True
    return _inside_sentence(start, text) and not _heading(text, start, end)


def _inside_sentence(start: int, text: str) -> bool:
    before = text[max(0, start - _REACH) : start].rstrip(" \t(\"'“")
    return bool(before) and before[-1] not in _SENTENCE_END and before[-1] != "\n"


def _heading(text: str, start: int, end: int) -> bool:
    """Whether the neighbours are capitalised too, as in a heading, where capitals prove nothing."""
    before = text[text.rfind("\n", 0, start) + 1 : start].split()
    after = text[end : _line_end(text, end)].split()
    near = [*before[-1:], *after[:1]]
    return bool(near) and all(word[:1].isupper() for word in near)


def several_here(first: int, last: int, tokens: Tokens, text: str) -> bool:
    """Whether common words in a row are written as a name: each with a capital."""
    starts = (tokens.starts[i] for i in range(first, last + 1) if tokens.words[i].isalpha())
    return all(text[start].isupper() for start in starts)


def number_here(start: int, text: str, form: str) -> bool:
    """Whether a short number follows words that say whose it is."""
    pattern = _LAST_FOUR if ":last4" in form else _NUMBERED
    return pattern.search(text, max(0, start - _REACH), start) is not None


def initials_here(start: int, end: int, text: str) -> bool:
    """Whether letters are somebody's signature: "JS/mk", "-JS" at an end, "rev'd by JS"."""
    written = text[start:end]
    if written.lower() in _NO_SIGNATURE or not (written.isupper() or written.islower()):
        return False
    before = text[max(0, start - _REACH) : start]
    if _SIGNED.search(before) is None:
        return False
    return (written.isupper() and before.rstrip().endswith(("by", "per"))) or (
        _SIGNATURE_END.match(text, end) is not None
    )


def place_here(start: int, end: int, text: str) -> bool:
    """Whether a common word or code is used as a place here."""
    if not text[start].isupper():
        return False
    written = text[start:end]
    if len(written) <= 2:  # noqa: PLR2004 - a state's code
        return written.isupper() and written not in _DEGREES and text[start - 2 : start] == ", "
    if shouted(text, start, end):
        return False
    return _PLACE_BEFORE.search(text, max(0, start - _REACH), start) is not None
