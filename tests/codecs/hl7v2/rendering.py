"""ER7 as HL7 v2 XML, by another reading than the codec's: what tests send in both encodings."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

WHOLE = frozenset({"TX", "FT", "ST", "GTS"})
"""Types whose delimiters some senders leave as they are; the codec reads TX and FT so."""
SEQUENCES = {"F": "|", "S": "^", "T": "&", "R": "~", "E": "\\"}


class NotRegularError(Exception):
    """A message that only ER7 can say: stray lines, other delimiters, repeated headers."""


def rendered(raw: bytes, tables, charset="utf-8") -> bytes:
    """A message in XML, in groups as a receiver's library writes them; empty fields are left out.

    Raises:
        NotRegularError: it is not regular.
    """
    text = raw.decode(charset)
    lines = [line for line in re.split(r"[\r\n]", text) if line.strip()]
    mixed = "\r" in text and "\n" in text
    if mixed or not lines or not lines[0].startswith("MSH|^~\\&|"):
        raise NotRegularError
    version = (lines[0].split("|") + [""] * 12)[11].split("^")[0]
    kind = (lines[0].split("|") + [""] * 9)[8].split("^")
    structure = next(
        (name for name in ("_".join(kind[:2]), kind[0]) if name in tables["structures"].split()),
        "ORU_R01",
    )
    body = "".join(_segment(line, tables, version) for line in lines)
    group = f"{structure}.PATIENT"
    head, rest = body.split("</MSH>", 1)
    inner = f"{head}</MSH>\n<{group}>\n {rest}</{group}>" if rest else body
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<{structure} xmlns="urn:hl7-org:v2xml">'
        f"{inner}</{structure}>\n"
    ).encode()


def _segment(line, tables, version):
    name, *fields = line.split("|")
    if not re.fullmatch(r"[A-Z][A-Z0-9]{2}", name) or (
        name not in tables["fields"] and name[0] != "Z" and name != "MSH"
    ):
        raise NotRegularError
    made, first = "", 1
    if name == "MSH":
        made, first = f"<MSH.1>|</MSH.1><MSH.2>{escape(fields.pop(0))}</MSH.2>", 3
    for number, field in enumerate(fields, first):
        if field:
            kind = _type(tables["fields"].get(name, {}).get(str(number)), version)
            if (name, number) == ("OBX", 5):
                kind = fields[1].split("^")[0]
            whole = kind in {"TX", "FT"} or (kind == "ST" and "^" not in field)
            made += _field(f"{name}.{number}", field, (kind, whole), tables, version)
    return f"<{name}>{made}</{name}>"


def _field(name, value, of, tables, version):
    kind, whole = of
    made = ""
    for repetition in value.split("~"):
        inner = _text(repetition) if whole else _components(repetition, kind, tables, version)
        made += f"<{name}>{inner}</{name}>"
    return made


def _components(value, kind, tables, version, mark="^"):
    if mark not in value:
        below = "&" if mark == "^" else None
        if below is None or below not in value:
            return _text(value)
    own = kind if kind in tables["datatypes"] else "CWE"
    made = ""
    for number, part in enumerate(value.split(mark), 1):
        if part:
            below = _type(tables["datatypes"][own].get(str(number)), version)
            inner = (
                _components(part, below, tables, version, "&")
                if mark == "^" and "&" in part
                else _text(part)
            )
            made += f"<{own}.{number}>{inner}</{own}.{number}>"
    return made


def _type(row, version):
    """The type that a row has in a version."""
    types = row[1] if row else [["", "ST"]]
    held = [kind for since, kind in types if since <= version]
    return (held or [types[0][1]])[-1]


def _text(value):
    """A text with its escape sequences; what is none stays."""

    def part(match):
        code = match[1]
        if code in SEQUENCES:
            return escape(SEQUENCES[code])
        return f'<escape V="{code}"/>'

    known = r"\\([FSTREHN]|X(?:[0-9A-Fa-f]{2})+|\.(?:br|ce|fi|nf|sp|sk|in|ti)[ +-]*\d*)\\"
    done, made = 0, ""
    for match in re.finditer(known, value):
        made += escape(value[done : match.start()]) + part(match)
        done = match.end()
    return made + escape(value[done:])
