r"""Finds structured bodies inside a text: RTF, markup, JSON, MIME and HL7 v2.

A body is recognised by its beginning. One that is not read is assumed to extend as far as possible,
to the last closing mark or to the end of the text: dropping too much is safe.
"""

from __future__ import annotations

import re

from adapter.codecs.documents.markup import ELEMENTS
from adapter.codecs.nested.body import Body

_BEGIN = re.compile(
    r"(?=[<{\[MFBPNOGIEADSTZcCmb])(?:"
    r"(?P<ascii85><~[!-uz\s]{8,}~>)|(?P<uuencode>\bbegin [0-7]{3,4} \S{1,100}\s{1,4}(?=[!-`]))|"
    r"(?P<markup><(?:!--|!\[CDATA\[|!(?i:doctype)|\?xml|/[A-Za-z][\w:.-]{0,60}\s{0,8}>"
    r"|[A-Za-z][\w:.-]{0,60}(?:\s{0,8}/?>|\s{1,40}[\w:.-]{1,60}\s{0,8}=)))"
    r"|(?P<rtf>\{\\{1,8}\*?rtf)"
    r"|(?P<json>\{\s{0,80}\\{0,8}[\"'](?=[^\"'\n\\]{0,100}\\{0,8}[\"']\s{0,20}:)"
    r"|\[\s{0,80}(?:\{\s{0,80})?\\{0,8}[\"']"
    r"(?=[^\"'\n\\]{0,100}\\{0,8}[\"']\s{0,20}[:,]\s{0,20}[^\s\w]))"
    r"|(?P<message>(?<![A-Za-z0-9])(?:MSH|FHS|BHS)(?P<mark>[^\w\s])[^\w\s]{2,7}(?P=mark))"
    r"|(?P<row>(?<![A-Za-z0-9])(?:PID|PD1|NK1|PV1|PV2|OBR|ORC|OBX|GT1|IN1|IN2|EVN|MRG|AL1|DG1|FT1"
    r"|SCH|TXA|Z[A-Z0-9]{2})\|(?:[^|\r\n]*\|){2})"
    r"|(?P<mime>\b(?i:MIME-Version\s{0,4}:\s{0,4}\d|Content-Type\s{0,4}:\s{0,4}\w{1,20}/"
    r"|Content-Transfer-Encoding\s{0,4}:\s{0,4}\w)))"
)
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]{0,60})(?:(?P<end>\s{0,8}/?>)|\s{1,40}[\w:.-]{1,60}\s{0,8}=)"
)
_BRACES = re.compile(r"\\[{}\\]|[{}]")
_LINE = re.compile(r"[^\r\n]*")
_BLANKS = 3
"""Most blanks at the end of a row of uuencoded data that senders strip."""
_ROW = re.compile(r"[!-`][ -`]{1,84}(?=[\r\n]|\Z)")
_WHOLE = re.compile(r"(?:<!--|<!\[CDATA\[|<!(?i:doctype\s+html)|<(?i:html|body)\b)")


def structures(text: str) -> list[Body]:
    """Return the structured bodies of a text, in order and without overlap."""
    found: list[Body] = []
    position, done = 0, 0
    tags: tuple[int, int] | None = None
    while begin := _BEGIN.search(text, position):
        kind = begin.lastgroup or ""
        if kind == "markup":
            tags = tags or _tags(text, begin.start())
            body = _markup(text, done, begin.start(), tags)
        else:
            body = _FOUND[kind](text, begin)
        position = begin.end()
        if body is not None:
            found.append(body)
            position = done = body.end
    return found


def _rtf(text: str, begin: re.Match[str]) -> Body:
    """Return an RTF group up to its closing brace; closed if its backslashes are doubled."""
    low, depth = begin.start(), 0
    doubled = begin[0].count("\\") > 1
    for brace in _BRACES.finditer(text, low):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth == 0 and not brace[0].startswith("\\"):
            return Body(low, brace.end(), "rtf", closed=doubled)
    return Body(low, len(text), "rtf", closed=True)


def _message(text: str, begin: re.Match[str]) -> Body:
    return Body(begin.start(), len(text), "hl7v2", closed=True)


def _row(text: str, begin: re.Match[str]) -> Body:
    line = _LINE.match(text, begin.start())
    return Body(begin.start(), line.end() if line else len(text), "hl7v2", closed=True)


def _ascii85(_text: str, begin: re.Match[str]) -> Body:
    return Body(*begin.span(), "ascii85", closed=True)


def _uuencode(text: str, begin: re.Match[str]) -> Body | None:
    """Return uuencoded data (POSIX), or None if the first row does not match its byte count."""
    row = _ROW.match(text, begin.end())
    count = ord(text[begin.end()]) - ord(" ")
    missing = 1 + (count + 2) // 3 * 4 - len(row[0].rstrip()) if row else -1
    if not 0 <= missing <= _BLANKS:
        return None
    end = text.rfind("end", begin.end())
    return Body(begin.start(), end + 3 if end >= 0 else len(text), "uuencode", closed=True)


def _mime(text: str, begin: re.Match[str]) -> Body:
    return Body(begin.start(), len(text), "mime", closed=True)


def _json(text: str, begin: re.Match[str]) -> Body:
    end = text.rfind("}" if begin[0][0] == "{" else "]", begin.end()) + 1
    return Body(begin.start(), end or len(text), "json", closed=True)


def _markup(text: str, done: int, low: int, tags: tuple[int, int]) -> Body | None:
    """Return the markup at ``low``: HTML from ``done`` to the end, XML up to its last tag."""
    known, others = tags
    rest = text[low : low + 4096]
    if not _WHOLE.match(rest) and (rest.startswith("<?xml") or others > known):
        end = text.rfind(">", low) + 1
        cda = "urn:hl7-org:v3" in rest and "ClinicalDocument" in rest
        return Body(low, end or len(text), "xml", closed=not cda)
    if not known and not _WHOLE.match(rest):
        return None
    return Body(done, len(text), "html")


def _tags(text: str, low: int) -> tuple[int, int]:
    """Count HTML tags, and other certain tags: closed, closing, or with an attribute."""
    known = others = 0
    for tag in _TAG.finditer(text, low):
        if tag["name"].lower().rpartition(":")[2] in ELEMENTS:
            known += 1
        elif tag["close"] or tag["end"] is None or "/" in tag["end"]:
            others += 1
    return known, others


_FOUND = {
    "rtf": _rtf,
    "message": _message,
    "row": _row,
    "json": _json,
    "mime": _mime,
    "ascii85": _ascii85,
    "uuencode": _uuencode,
}
