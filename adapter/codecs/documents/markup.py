"""Reads markup (HTML, XHTML narrative): the text a reader sees, and every other text as a leaf.

The reader is lenient by design: whatever is not a tag is text, so that badly formed markup cannot
hide anything from the taggers. Entities are decoded, a run of white space is shown as one blank,
block elements end lines and table cells are separated by tabs (HTML Living Standard 13.2; FHIR R4
2.4, Narrative).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape as escape_markup
from html import unescape

import regex

from adapter.codecs.sourcemap import Change, Escape, Passage, Trail, words

XHTML = "http://www.w3.org/1999/xhtml"
"""Namespace of the narrative's div, the only attribute value that is never a leaf."""

_TOKEN = regex.compile(
    r"<!--(?P<comment>.*?)(?:-->|\Z)"
    r"|<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|\Z)"
    r"|<(?P<declaration>[!?][^>]*+)(?:>|\Z)"
    r"|<(?P<close>/?)(?P<name>[A-Za-z][^\s/<>\"'=]*+)"
    r"(?P<attributes>(?:[^<>\"']|\"[^\"]*+\"|'[^']*+')*+)>",
    regex.DOTALL,
)
_ATTRIBUTE = re.compile(
    r"(?:(?<!\s)\s+|(?<!\s))(?P<name>[^\s=/>\"']+)"
    r"(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s>\"']+)))?"
)
_ENTITY_OR_WHITE = re.compile(
    r"&(?:#[0-9]{1,8}|#[xX][0-9A-Fa-f]{1,8}|[A-Za-z][A-Za-z0-9]{1,31});?|[ \t\r\n\f]{2,}|[\t\r\n\f]"
)
_ENTITY_OR_RETURN = re.compile(
    r"&(?:#[0-9]{1,8}|#[xX][0-9A-Fa-f]{1,8}|[A-Za-z][A-Za-z0-9]{1,31});?|\r\n?"
)
_ENTITY = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9A-Fa-f]{1,8}|[A-Za-z][A-Za-z0-9]{1,31});?")
_RAW_END = {name: re.compile(rf"</{name}|\Z", re.IGNORECASE) for name in ("script", "style")}
_BLOCKS = words(
    "address article aside blockquote body br caption center dd details dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main nav ol "
    "optgroup option p pre section select summary table tbody textarea tfoot thead title tr ul "
    "paragraph list item text"
)
ELEMENTS = _BLOCKS | words(
    "a abbr acronym applet area audio b base basefont bdi bdo big blink button canvas cite code "
    "col colgroup data datalist del dfn dialog em embed font frame frameset i iframe img input "
    "ins kbd label link map mark marquee menu meta meter nobr noframes noscript object output "
    "param picture pre progress q rp rt ruby s samp script slot small source span strike strong "
    "style sub sup svg td template th time track tt u var video wbr path g rect circle line "
    "polyline polygon ellipse defs use symbol content linkhtml footnote footnoteref "
    "rendermultimedia"
)
"""Names of elements of HTML and of CDA's narrative block; they are not words of the author."""
_CELLS = frozenset({"td", "th"})
_BARE = words(
    "checked compact defer disabled hidden ismap multiple noshade nowrap open readonly required "
    "reversed selected xmlns"
)
"""Names of attributes without a value that identify nobody."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A text that is not visible; ``kind`` is "@alt", "#comment", "#script" ..."""

    kind: str
    passage: Passage = field(repr=False)


@dataclass(frozen=True, slots=True)
class Markup:
    """The visible text of a piece of markup, and every other text in it as leaves."""

    visible: Passage = field(repr=False)
    leaves: tuple[Leaf, ...] = field(repr=False)


def in_content(text: str) -> str:
    """Escape new text for content that is rendered."""
    return escape_markup(text, quote=False).replace("\n", "<br/>")


def in_element(text: str) -> str:
    """Escape new text for element content that is not rendered."""
    return escape_markup(text, quote=False)


def in_value(text: str) -> str:
    """Escape new text for a quoted attribute value."""
    return escape_markup(text)


def in_bare_value(text: str) -> str:
    """Escape new text for an attribute value without quotes."""
    return "".join(c if c.isalnum() else f"&#{ord(c)};" for c in text)


def in_name(text: str) -> str:
    """Return new text as an attribute name; each character not allowed there becomes "-"."""
    return re.sub(r"[^\w.-]", "-", text)


def in_comment(text: str) -> str:
    """Escape new text for a comment, which may hold no double hyphen."""
    return text.replace("--", "- -").replace(">", " ").strip("-")


def in_cdata(text: str) -> str:
    """Escape new text for a CDATA section."""
    return text.replace("]]>", "]]]]><![CDATA[>")


def read_markup(source: str, *, lines: bool = False) -> Markup:
    """Read a whole HTML document or an XHTML fragment; never fails.

    With ``lines``, white space is shown as in preformatted text.
    """
    return Reader(source, lines=lines).read(0, len(source))


class Reader:
    """Reads a source in one pass and collects its visible text and its leaves."""

    __slots__ = ("_leaves", "_lines", "_preformatted", "_source", "_trail", "_xml")

    def __init__(self, source: str, *, xml: bool = False, lines: bool = False) -> None:
        """Prepare to read a source.

        With ``xml``, names keep their case and line ends in the content are kept. With ``lines``,
        white space is shown as it is.
        """
        self._lines = lines
        self._source = source
        self._xml = xml
        self._trail = Trail()
        self._leaves: list[Leaf] = []
        self._preformatted = lines

    def read(self, low: int, high: int) -> Markup:
        """Read the characters ``[low, high)`` of the source."""
        position = low
        while found := _TOKEN.search(self._source, position, high):
            self._text(position, found.start())
            position = self._token(found, high)
        self._text(position, high)
        return Markup(self._trail.passage(), tuple(self._leaves))

    def _token(self, found: regex.Match[str], high: int) -> int:
        kind = found.lastgroup
        if kind == "comment":
            self._whole(found, "comment", "#comment", in_comment)
        elif kind == "cdata":
            self._trail.add(found["cdata"], *found.span("cdata"), in_cdata)
        elif kind == "declaration":
            if found["declaration"].lower() != "!doctype html":
                self._whole(found, "declaration", "#declaration", in_bare_value)
        else:
            return self._tag(found, high)
        return found.end()

    def _whole(self, found: regex.Match[str], group: str, kind: str, escape: Escape) -> None:
        trail = Trail()
        trail.add(found[group], *found.span(group), escape)
        self._leaf(kind, trail.passage((*found.span(), "")))

    def _leaf(self, kind: str, passage: Passage) -> None:
        if passage.text:
            self._leaves.append(Leaf(kind, passage))

    def _tag(self, found: regex.Match[str], high: int) -> int:
        name = found["name"].lower().rpartition(":")[2]
        if name not in ELEMENTS:
            self._whole(found, "name", "#tag", in_name)
            return found.end()
        if name in _BLOCKS:
            self._trail.separate("\n", found.start())
        elif name in _CELLS and not found["close"]:
            self._trail.separate("\t", found.start())
        if found["attributes"]:
            self._leaves += (
                Leaf(leaf.kind if self._xml else leaf.kind.lower(), leaf.passage)
                for leaf in attributes(self._source, *found.span("attributes"))
            )
        if name == "pre":
            self._preformatted = self._lines or not found["close"]
        if name in _RAW_END and not found["close"] and not found["attributes"].endswith("/"):
            return self._raw(name, found.end(), high)
        return found.end()

    def _raw(self, name: str, low: int, high: int) -> int:
        end = _RAW_END[name].search(self._source, low, high)
        stop = end.start() if end else high
        trail = Trail()
        trail.add(self._source[low:stop], low, stop, in_bare_value)
        self._leaf(f"#{name}", trail.passage((low, stop, "")))
        return stop

    def _text(self, low: int, high: int) -> None:
        if low < high:
            self._content(low, high)

    def _content(self, low: int, high: int) -> None:
        source, trail = self._source, self._trail
        pattern = _ENTITY_OR_RETURN if self._preformatted else _ENTITY_OR_WHITE
        for found in pattern.finditer(source, low, high):
            start, end = found.span()
            trail.add(source[low:start], low, start, in_content)
            low = end
            shown = unescape(found[0]) if source[start] == "&" else self._white(found[0])
            trail.add(shown, start, end, in_content)
        trail.add(source[low:high], low, high, in_content)

    def _white(self, white: str) -> str:
        """Return how a run of white space is shown at the current end of the text."""
        if self._preformatted:
            return "\n"
        if self._xml and ("\n" in white or "\r" in white):
            return "" if self._trail.last == "\n" else "\n"
        return "" if self._trail.last in " \n\t" else " "


def value_passage(
    source: str, low: int, high: int, escape: Escape, removal: Change | None
) -> Passage:
    """Return an attribute value or XML text with its entities decoded."""
    trail = Trail()
    for found in _ENTITY.finditer(source, low, high):
        trail.add(source[low : found.start()], low, found.start(), escape)
        trail.add(unescape(found[0]), *found.span(), escape)
        low = found.end()
    trail.add(source[low:high], low, high, escape)
    return trail.passage(removal)


def attributes(source: str, low: int, high: int) -> list[Leaf]:
    """Return the attributes of one tag as leaves "@name", or "@?" for a name without a value."""
    leaves = []
    for found in _ATTRIBUTE.finditer(source, low, high):
        removal = (*found.span(), "")
        if found.lastgroup == "name" or not found[found.lastgroup or 0]:  # a name without a value
            if found["name"].lower() not in _BARE and found["name"] != "/":
                trail = Trail()
                trail.add(found["name"], *found.span("name"), in_name)
                leaves.append(Leaf("@?", trail.passage(removal)))
            continue
        escape = in_bare_value if found.lastgroup == "bare" else in_value
        start, end = found.span(found.lastgroup or 0)
        if start < end and not (found["name"] == "xmlns" and source[start:end] == XHTML):
            leaves.append(
                Leaf(f"@{found['name']}", value_passage(source, start, end, escape, removal))
            )
    return leaves
