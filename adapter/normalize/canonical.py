r"""Canonical text: as a reader sees it, with a map back to the characters as sent.

Invisible characters are removed: format and control characters (soft hyphen, zero width joiner,
byte order mark, direction marks, tag characters; Unicode 15.1 categories Cf and Cc), variation
selectors, comments and tags inside a line, Markdown's emphasis inside a word, HL7 escapes that show
no character (``\H\``, ``\C2842\``, ``\Zb\``; HL7 v2.9 chapter 2.7). Entities and ``\u00ad`` are
decoded, letters of UTF-8 that was read as Latin-1 or Windows-1252 ("MÃ¼ller") restored, ligatures
and other compatibility characters written out (NFKC), accents and Hangul letters composed (NFC).
Text without any of these is its own canonical form.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING

import regex

from adapter.normalize.notation import APART

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

Change = tuple[int, int, str]
"""(start, end, the text displayed for the characters ``[start, end)``)."""

_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
_SUSPECT = re.compile(rf"[<&*`\\\]{_CONTROLS}]")
_TAG_PATTERN = r"</?(?P<name>[A-Za-z][A-Za-z0-9:._-]{0,40})(?:\s[^<>]{0,1000}|/)?>"
_TAG = re.compile(
    r"(?:<|&lt;)/?(?P<name>[A-Za-z][A-Za-z0-9:._-]{0,40})(?P<attributes>\s[^<>]{1,1000}?)?/?(?:>|&gt;)"
    r"|<!\[CDATA\[|\]\]>"
)
_MARKS = " .,-_*'/|:+~=\u00b7\u2022\t\r\n"
_LETTERS_APART = re.compile(rf"[^\W\d_](?:{APART}[^\W\d_]){{2,}}[.]?")
_BETWEEN_LETTERS = re.compile(r"[\W_]+")
_ENTITY = r"&(?:amp;){0,4}(?:#[0-9]{1,7};?|#[xX][0-9A-Fa-f]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};|shy)"
"""Named entities need the semicolon ("&x=1" may be a URL's parameter), except "&shy"."""
_CHARSET = r"C(?=[A-F]{0,3}[0-9])[0-9A-F]{4}|M(?=[A-F]{0,5}[0-9])[0-9A-F]{4}(?:[0-9A-F]{2})?"
"""Changes of the character set (HL7 v2.9, 2.7.2); with a digit, since names stand in paths."""
_LOCAL = r"Z(?:[0-9]{1,4}|[A-Za-z])?"
"""Escapes of a site's own (HL7 v2.9, 2.7.7)."""
_ESCAPE = (
    rf"\\(?:[HN]|{_CHARSET}|{_LOCAL}|\.[A-Za-z]{{2}}[ ]?[+-]?[0-9]{{0,3}})\\"
    r"|\\u(?P<code>[0-9A-Fa-f]{4})"
)
_COMPATIBLE = (
    r"\u00aa\u00ba\u0130\u0132\u0133\u013f\u0140\u0149\u01c4-\u01cc\u01f1-\u01f3"
    r"\u2024-\u2026\u2100-\u214f\u2460-\u24ff\u3036\u3130-\u318f\u3200-\u33ff"
    r"\ufb00-\ufb4f\ufdfa-\ufdfc\U0001f100-\U0001f1ff"
)
"""Compatibility characters: several letters in one, or a framed letter."""
_ORDINAL = (
    r"(?:(?<=[0-9])[\u00aa\u00ba](?!\p{Ll})"
    r"|(?<=[0-9]\.|(?<!\p{L})[Nn])[\u00aa\u00ba](?!\p{L})|(?<=(?<!\p{L})N)\u00ba(?=Col(?!\p{Ll})))"
)
"""Ordinal marks of Spanish abbreviations ("Nº", "NºCol", "1.ª"), left alone: they hide no name."""
_HIDDEN = r"\p{Cf}\p{Variation_Selector}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\x80-\x9f"
_JAMO = r"[\u1100-\u115e\u1161-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]{2,64}"
_SECOND = {
    bytes((code,)).decode("cp1252", "ignore") or chr(code): code for code in range(0x80, 0xA0)
} | {chr(code): code for code in range(0x80, 0xC0)}
"""Characters that show the second byte of a letter of two bytes -> that byte."""
_MISREAD = rf"(?:[\u00c2\u00c3]|[\u00c4\u00c5](?=.\p{{L}}))[{''.join(_SECOND)}]"
"""A letter of Latin Supplement or Latin Extended-A in UTF-8 whose bytes were read one by one.

Words of several languages end in one of the latter two, before a quotation mark or dash.
"""
_EMPHASIS = r"(?<=\p{L})[*`_~]{0,2}[*`][*`_~]{0,3}(?=\p{L})"
"""Marks of Markdown that set off a part of a word ("**Ig**natius")."""
_CHANGED = (
    rf"(?P<misread>{_MISREAD})|(?P<emphasis>{_EMPHASIS})"
    rf"|(?P<entity>{_ENTITY})|(?P<escape>{_ESCAPE})|(?P<hidden>[{_CONTROLS}{_HIDDEN}]+)"
    rf"|(?P<composed>{_JAMO}|[\p{{L}}\p{{N}}]\p{{M}}+)|(?P<compatible>(?!{_ORDINAL})[{_COMPATIBLE}])"
    rf"|(?P<tag><!\[CDATA\[|\]\]>|{_TAG_PATTERN})"
)
_PLAIN = regex.compile(_CHANGED)
_COMMENTED = regex.compile(rf"(?P<tag><!--.*?-->)|{_CHANGED}", regex.DOTALL)
_COMMENT_END = "-->"
_BREAKS = frozenset(
    "address article blockquote br caption dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6"
    " header hr li ol p pre section table tbody td tfoot th thead tr ul paragraph list item".split()
)
"""Elements that begin a new line or cell."""
_STAYING = _BREAKS | frozenset(
    "a abbr b bdo big body center cite code col colgroup content del em font footnote footnoteref"
    " head html i img ins kbd label linkhtml mark q rendermultimedia s samp small span strike"
    " strong sub sup tfoot tt u var wbr".split()
)
"""Elements whose tags stay where the text around them is replaced."""


@dataclass(frozen=True, slots=True, eq=False)
class Canonical:
    """A canonical text, with a map from its characters to those of the text as sent.

    ``_starts`` and ``_shown`` are the starts and extents of the changes in ``text``, ``_sent``
    their extents in the text before; ``_before`` is the canonical form that this one was made
    from, or None.
    """

    text: str = field(repr=False)
    _starts: tuple[int, ...] = field(repr=False)
    _shown: tuple[tuple[int, int], ...] = field(repr=False)
    _sent: tuple[tuple[int, int], ...] = field(repr=False)
    _before: Canonical | None = field(default=None, repr=False)
    counted: bool = False
    """Whether the form has number words replaced with digits."""

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return the extent in the text as sent of the characters ``[start, end)``, start < end."""
        low, high = self._first(start), self._last(end - 1)
        return self._before.origin(low, high) if self._before else (low, high)

    def _first(self, place: int) -> int:
        at = bisect_right(self._starts, place) - 1
        if at < 0:
            return place
        end, sent = self._shown[at][1], self._sent[at]
        return sent[0] if place < end else place - end + sent[1]

    def _last(self, place: int) -> int:
        at = bisect_right(self._starts, place) - 1
        if at < 0:
            return place + 1
        end, sent = self._shown[at][1], self._sent[at]
        return sent[1] if place < end else place - end + sent[1] + 1


def canonical(text: str) -> Canonical | None:
    """Return the canonical form of a text, or None if the text is its own canonical form."""
    if text.isascii() and _SUSPECT.search(text) is None:
        return None
    form = changed(text, _changes(text))
    for _ in range(_ROUNDS):
        again = form and changed(form.text, _changes(form.text), form)
        if again is None:
            break
        form = again
    return form


_ROUNDS = 2
"""Further passes over a canonical form: decoded entities may spell tags."""


def displayed(text: str) -> str:
    """Return a text as displayed: its canonical form, or the text itself."""
    form = canonical(text)
    return text if form is None else form.text


def together(text: str) -> str:
    """Join the letters of a name written apart: "T H A D  S." becomes "THAD S"."""
    if _LETTERS_APART.fullmatch(text) is None:
        return text
    gaps = _BETWEEN_LETTERS.findall(text.rstrip(_MARKS))
    narrow = min(map(len, gaps))
    gap = iter(gaps)
    return _BETWEEN_LETTERS.sub(
        lambda _: "" if len(next(gap, "")) == narrow else " ", text.rstrip(_MARKS)
    )


def outside_tags(text: str) -> Iterator[tuple[int, int]]:
    """Yield the extents of a text between its tags, which stay because other tags need them.

    Attributes, comments and tags of unknown elements (``<Okonjo>``) count as text. A caller may put
    a replacement in the first extent and must empty the others.
    """
    done = 0
    for match in _TAG.finditer(text):
        if match["name"] and match["name"].lower().rpartition(":")[2] not in _STAYING:
            continue
        for start, end in _borders(match):
            if start > done:
                yield done, start
            done = end
    if done < len(text):
        yield done, len(text)


def _borders(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the extents of a tag that stay: the whole tag, or the parts around its attributes."""
    if match["attributes"] is None:
        yield match.span()
    else:
        yield match.start(), match.start("attributes")
        yield match.end("attributes"), match.end()


def changed(
    text: str,
    changes: Iterable[Change],
    before: Canonical | None = None,
    *,
    counted: bool = False,
) -> Canonical | None:
    """Return a text with changes applied, or None if there are none.

    The changes are in order and disjoint. ``before`` is the canonical form whose text it is, or
    None if the text is as sent.
    """
    parts: list[str] = []
    shown: list[tuple[int, int]] = []
    sent: list[tuple[int, int]] = []
    done = length = 0
    for start, end, new in changes:
        length += start - done
        parts += text[done:start], new
        shown.append((length, length + len(new)))
        sent.append((start, end))
        length += len(new)
        done = end
    if not shown:
        return None
    parts.append(text[done:])
    starts = tuple(start for start, _ in shown)
    return Canonical("".join(parts), starts, tuple(shown), tuple(sent), before, counted)


def _changes(text: str) -> Iterator[Change]:
    """Yield the changes that make a text canonical.

    After the last end of a comment no start of a comment is searched for: each would be followed to
    the end of the text.
    """
    commented = text.rfind(_COMMENT_END) + len(_COMMENT_END) if _COMMENT_END in text else 0
    place = 0
    for pattern, end in ((_COMMENTED, commented), (_PLAIN, len(text))):
        for match in pattern.finditer(text, place, end):
            written = match[0]
            new = _SHOWS[match.lastgroup or ""](match)
            place = match.end()
            if new != written:
                yield match.start(), place, new
        place = max(place, min(end, commented))


def _tag(match: regex.Match[str]) -> str:
    name = match["name"]
    return "\n" if name and name.lower() in _BREAKS else ""


def _entity(match: regex.Match[str]) -> str:
    written, shown = "", match[0]
    while shown != written:
        written, shown = shown, unescape(shown)
    return _without_hidden(shown)


def _escape(match: regex.Match[str]) -> str:
    written = match[0]
    if match["code"]:
        return _without_hidden(chr(int(match["code"], 16)))
    return "\n" if written[1] == "." else ""


def _misread(match: regex.Match[str]) -> str:
    read = bytes((ord(match[0][0]), _SECOND[match[0][1]]))
    return _without_hidden(read.decode("utf-8"))


def _composed(match: regex.Match[str]) -> str:
    """Return a letter composed with its accents; a digit without combining marks."""
    shown = match[0]
    if shown[0].isnumeric():
        return shown[0]
    return unicodedata.normalize("NFC", _HIDDEN_MARKS.sub("", shown))


_HIDDEN_MARKS = regex.compile(rf"[{_HIDDEN}]+")
_HIDDEN_RUN = regex.compile(rf"[{_CONTROLS}{_HIDDEN}\p{{M}}\ud800-\udfff]+")


def _without_hidden(shown: str) -> str:
    return _HIDDEN_RUN.sub("", shown)


_SHOWS: Mapping[str, Callable[[regex.Match[str]], str]] = {
    "misread": _misread,
    "tag": _tag,
    "entity": _entity,
    "escape": _escape,
    "hidden": lambda _: "",
    "emphasis": lambda _: "",
    "composed": _composed,
    "compatible": lambda match: unicodedata.normalize("NFKC", match[0]),
}
