r"""Checks that line ends divide a message into its true segments.

A line end that was lost, or sent as something else (``\r`` spelt out, an entity, a blank), puts the
next segment into the fields of the one before, where numbers and names look like codes. A separator
lost or doubled moves every field after it into a neighbour's place. Both are detectable: by a
segment's name where a field should end, and by values that fit the neighbouring place.
"""

from __future__ import annotations

import re
import string
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from adapter.codecs.hl7v2.delimiters import DECLARING, HEADERS
from adapter.codecs.hl7v2.structure.displaced import displaced
from adapter.codecs.hl7v2.structure.grammar import FARTHEST, IDENTIFYING, NEAREST, Grammar, usual
from adapter.codecs.hl7v2.structure.header import check_header, goes_on
from adapter.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from adapter.codecs.hl7v2.delimiters import Delimiters
    from adapter.codecs.hl7v2.lines import Line

WORDS = frozenset(
    "ABS ACC ADD ADJ AFF AIG AIL AIS APR CON DEV DON DRG DST EDU ERR FAC GOL INV LAN LOC ORG PAC "
    "PCR PES PRC PRD REL RX1 SAC SCD SCP SID SLT SPR VAR".split()
)
"""Names of segments that are also words, abbreviations or codes, or endings of words."""

_NAME_END = re.compile(r"([A-Za-z][A-Za-z0-9]{2})(?=\|)")
_NAMES_END = re.compile(r"\|(?<=[^\r\n]([A-Za-z][A-Za-z0-9]{2})\|)")
"""A possible segment name before a field separator, except at the start of a line."""
_ANY_NAME = re.compile(r"\|(?<=([A-Za-z][A-Za-z0-9]{2})\|)")
"""The same, if line starts cannot be distinguished."""
_LIKE_LINE_END = re.compile(
    r"""(?xi)(?:
        [\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029\ufeff]  # control characters and line ends
      | \\ (?: [rn] | x0?[da] | u000[ad] | 01[25] ) \\?  # as programs spell them, as hexadecimal
      | \\ \. (?: br | sp | ce ) \s? [+]? \d* \\  # formatting commands
      | < \s* /? \s* (?: cr | lf | nl | br | p | div ) \s* /? \s* > ;?
      | [&_] \#? x? 0* (?: d | a | 10 | 13 | newline | cr | lf ) ;
      | % (?: 25 )? 0 [da] | = 0 [da] | _x000 [ad] _
    )[ \t]*\Z"""
)
_LINE_END_SIGN = re.compile(r"[^\w|^~& -]|_")
"""A character that all of these line ends contain."""
_LONGEST_LINE_END = 16
_TYPE = 2
_DATATYPE = re.compile(r'""|\s*[A-Za-z_]{0,12}\s*(?:\^*|\^[^^]*\^HL7\d{4}(?:\^.*)?)', re.DOTALL)
"""A short word, or a code of table 0125 with its text and table; a question names another."""
_ENCAPSULATED = re.compile(r"OBX\|[^|]*\|ED\|")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{24,}")
_SET_ID = re.compile(r"\|\d{1,4}(?=\||\Z)")
_FIRST_TEXT = 3
"""First field that may be a text."""
_FEW = r"(?:[A-Z]{0,3}|[<>]?[0-9]{1,3})"
_TINY = re.compile(rf"{_FEW}(?:\|{_FEW})*")
_OWN = {
    ("EVN", 4): re.compile(
        r"[A-Za-z0-9.-]{0,20}\^[^\W\d_][^|]*(?:\|(?:\d{8,14}[^|]*)?(?:\|[^|]*)?)?"
    ),
    ("OBX", 5): re.compile(rf"(?:{_FEW}\|){{5}}[A-Z](?:\|.*)?", re.DOTALL),
    ("OBR", 13): re.compile(
        rf"(?:\d{{8,14}})?\|{_FEW}\|[^|^]*\d[^|^]*\^[^\W\d_][^|^]*(?:\^[^|]*)?(?:\|.*)?|{_TINY.pattern}",
        re.DOTALL,
    ),
}
"""What is behind a text in a segment and field of its own: operator, result status, provider."""
_OBSERVED = re.compile(
    r"OBX\|[^|]*\|[^|]*\|(?:[^|]*\^)?([A-Z][A-Z0-9]{2})\|[^|]{0,20}(?:\|[^|]*+){6}\|[A-DFIOPR-X](?:\||\Z)"
)
"""An observation with its result status (OBX-11, table 0085), and the last component of OBX-3."""
_OF_ADDRESS = re.compile(r"(?:@|://|www\.)[\w-]+(?:\.[\w-]+){0,6}\.\Z")
"""A mail address or a host before its last label."""
_COUNTRIES, _COUNTRY = frozenset({"AUT", "PRT", "TCD"}), 6
"""Names of segments that are countries (ISO 3166), and the component of an address for one."""
_TELEPHONE = (
    r"(?:[A-Z]?|(?:[+(]?\d[\d ()/.+-]{3,24})?"
    r"(?:\^(?:PRN|WPN|ORN|EMR|NET|VHN|ASN|BPN|PRS)?"
    r"(?:\^(?:PH|CP|FX|BP|Internet)?(?:\^[^|]*+)?)?)?(?:~[^|]*+)?)"
)
_BEHIND_ADDRESS = re.compile(rf"(?:\|{_TELEPHONE}(?=\||\Z)){{2}}|\|{_TELEPHONE}\Z")
"""Two fields that may follow an address: telephone numbers (XTN), or codes of one letter."""
_FACILITY = re.compile(
    r"PV1\|[^|]*\|[^|]*\|(?:[^|^&~]*\^){3}([A-Z][A-Z0-9]{2})\|[ACELNRU]?(?:\||$)"
)
"""The facility of the patient's location (PV1-3, PL.4), and an admission type (table 0007)."""
_FILE_KIND, _ONCE = "MFI|", "SCH"
_BLANKS = " \t\n\x0b\x1c"
_FIRST_TYPED = 6
"""MSH-3 to MSH-6, before this many separators, name programs and facilities in free wording."""


class Shape:
    """Checks the lines of a message by the tables of all versions."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        fields: Mapping[str, Any] = tables["fields"]
        self._grammar = Grammar(fields)
        self._segments = frozenset(fields) - HEADERS
        self._names = _spelt({*fields, *DECLARING})
        self._numbered = frozenset(
            name for name, rows in fields.items() if _first_type(rows) == {"SI"}
        )

    def check(
        self, text: str, lines: Sequence[Line], rows: Sequence[Sequence[str]], known: Delimiters
    ) -> None:
        """Check a message: its text, and its lines, also as fields.

        Raises:
            DecodeError: "segments" if a line contains another segment, its fields are
                displaced, or the header is invalid.
        """
        check_header(lines[0][1], known)
        used = {fields[0] for fields in rows}
        names = self._names if used <= self._names else self._names | used
        if table := usual(known):
            rows = [[value.translate(table) for value in fields] for fields in rows]
            text = text.translate(table)
            lines = [(at, line.translate(table)) for at, line in lines]
        for name in names.intersection(_names_in(text)):
            mark, assigns = f"{name}|", f"^^^{name}^" in text
            for line in [line for _, line in lines if mark in line]:
                if not (assigns and _in_facility(line, name)):
                    self._check_names(line.strip(_BLANKS), names, used)
        for fields in rows:
            name = fields[0]
            if name == "OBX" and not _typed(fields[2] if len(fields) > _TYPE else ""):
                raise DecodeError("segments")
            if name in self._segments and self._displaced(fields):
                raise DecodeError("segments")

    def _check_names(self, line: str, names: Collection[str], used: set[str]) -> None:
        for match in _NAME_END.finditer(line, 1):
            if match[0] not in names or _is_value(line, match):
                continue
            if self._begins(line, match, used):
                raise DecodeError("segments")

    def _displaced(self, values: Sequence[str]) -> bool:
        if not self._grammar.out_of_place(values):
            return False
        name = values[0]
        stripped = [*values[1:-1], values[-1].rstrip(_BLANKS)]
        farthest = FARTHEST if name in IDENTIFYING else NEAREST
        return displaced(stripped, self._grammar.fields(name), farthest)

    def _begins(self, line: str, match: re.Match[str], used: set[str]) -> bool:
        """Whether a segment begins in the middle of a line, at a name that ends a field."""
        name, at = match[0].upper(), match.start()
        before = line[max(at - _LONGEST_LINE_END, 0) : at]
        known = name in self._grammar or name in DECLARING
        if not known and not (name.startswith("Z") or name in used):
            return False
        if _LINE_END_SIGN.search(before) and _LIKE_LINE_END.search(before):
            return True
        if not known:
            return name in used and not before[-1].isalnum()
        set_id = name in IDENTIFYING and _SET_ID.match(line, match.end())
        if set_id and not before[-1].isalpha():
            return True
        numbered = name in self._numbered and _SET_ID.match(line, match.end()) is not None
        wordy = not numbered and (name in WORDS or not match[0].isupper())
        if wordy or self._is_blunt(line, match):
            return False
        fit = self._grammar.fit(name, line[match.end() + 1 :].split("|"))
        return fit and self._stands_out(line, match, numbered=numbered)

    def _is_blunt(self, line: str, match: re.Match[str]) -> bool:
        """Whether an impersonal segment would begin with an empty field: the insurer "CSS"."""
        name = match[0].upper()
        known = name in self._grammar and name not in DECLARING
        return known and line.startswith("||", match.end()) and self._grammar.is_impersonal(name)

    def _stands_out(self, line: str, match: re.Match[str], *, numbered: bool) -> bool:
        """Whether a name that fits what follows is a segment's, not the end of a word.

        ``numbered`` says that a set id follows the name.
        """
        name, (at, end) = match[0].upper(), match.span()
        if name in WORDS:
            return self._misfit(line)
        if numbered:
            return True
        if not line[end:].strip("|"):
            return False
        if line[:3] in DECLARING:
            return line.count("|", 0, at) >= _FIRST_TYPED
        return not (name.isalpha() and line[at - 1].isalpha()) or self._misfit(line)

    def _misfit(self, line: str) -> bool:
        name = line[:3]
        return name in self._segments and self._grammar.misfits(name, line[4:].split("|"))


def _names_in(text: str) -> list[str]:
    """Return possible segment names inside a line; any name if a line feed can be text."""
    mixed = "\n" in text and "\r" in text and text.count("\n") != text.count("\r\n")
    return (_ANY_NAME if mixed else _NAMES_END).findall(text)


@lru_cache(maxsize=256)
def _typed(value: str) -> bool:
    """Whether OBX-2 can name a datatype; if not, a separator before it was lost."""
    return _DATATYPE.fullmatch(value) is not None


def _ends_address(line: str, match: re.Match[str]) -> bool:
    """Whether a word in small letters is the last label of a mail address or a host ("org")."""
    if not match[0].islower() or match[0].upper() not in WORDS:
        return False
    before = line[line.rfind("|", 0, match.start()) + 1 : match.start()]
    return _OF_ADDRESS.search(before) is not None


def _is_value(line: str, match: re.Match[str]) -> bool:
    """Whether a segment's name is part of a value where it stands."""
    return (
        _ends_address(line, match)
        or _ends_data(line, match.end())
        or goes_on(line, match.end())
        or _is_named(line, match)
        or _is_country(line, match)
        or _ends_text(line, match)
        or _is_observed(line, match)
    )


def _ends_text(line: str, match: re.Match[str]) -> bool:
    """Whether an abbreviation ends a text: "take 1 QID", "History of PID", "IAM".

    What follows must be the rest of the text's own segment: values of a few characters, which tell
    nothing of a person, and in OBX anything behind a result status in its place, in OBR behind a
    provider in his. A segment whose line end was lost has a set id, a number, a name or a time
    there.
    """
    at, end = match.span()
    text = line.count("|", 0, at)
    if match[0] in DECLARING or text < _FIRST_TEXT or line[at - 1].isalnum():
        return False
    if not match[0].isupper() or _SET_ID.match(line, end):
        return False
    own = _OWN.get((line[:3], text), _TINY)
    return own.fullmatch(line, end + 1) is not None


def _is_observed(line: str, match: re.Match[str]) -> bool:
    """Whether a segment's name is what is observed ("PTH", "PSG", "PDA"), in a whole OBX.

    What a segment whose line end was lost has in the place of the result status is none.
    """
    found = None if match[0] in IDENTIFYING | DECLARING else _OBSERVED.match(line)
    return found is not None and found.span(1) == match.span()


def _is_named(line: str, match: re.Match[str]) -> bool:
    """Whether a segment's name is a value: a kind of master file, or the issuer of appointments.

    MFI-1 names files by their segments (table 0175: PRA, STF, CDM), and nothing stands before it
    that could have lost its line end. A message has one SCH, which has no other SCH in it.
    """
    if line.startswith(_FILE_KIND):
        return match.start() == len(_FILE_KIND)
    return match[0] == _ONCE and line.startswith(_ONCE)


def _is_country(line: str, match: re.Match[str]) -> bool:
    """Whether a segment's name is the country of an address with a town or postal code (XAD.6).

    The fields behind it must be those of an address's segment: behind such an address a segment of
    that name begins with codes, of which some are required.
    """
    if match[0] not in _COUNTRIES or not _BEHIND_ADDRESS.match(line, match.end()):
        return False
    field = line[line.rfind("|", 0, match.start()) + 1 : match.start()]
    parts = field.rsplit("~", 1)[-1].split("^")
    return len(parts) == _COUNTRY and any(parts[2:]) and not parts[-1]


def _in_facility(line: str, name: str) -> bool:
    """Whether a name stands in a line once, as the facility of the patient's location."""
    found = _FACILITY.match(line)
    return found is not None and found[1] == name and line.count(f"{name}|") == 1


def _ends_data(line: str, end: int) -> bool:
    """Whether whole base64 groups end at ``end``, as the data of an ED do (RFC 4648, section 4)."""
    if not _ENCAPSULATED.match(line):
        return False
    data = line[line.rfind("^", 0, end) + 1 : end]
    return len(data) % 4 == 0 and _BASE64.fullmatch(data) is not None


def _first_type(rows: Mapping[str, Any]) -> set[str]:
    return {datatype for _, datatype in rows["1"][1]} if "1" in rows else set()


def _spelt(names: set[str]) -> frozenset[str]:
    """Return segment names in upper, lower and mixed case, including those a site can have."""
    tails = string.ascii_uppercase + string.digits
    all_names = names | {f"Z{second}{third}" for second in tails for third in tails}
    spellings = (str.upper, str.lower, str.title)
    return frozenset(spell(name) for name in all_names for spell in spellings)
