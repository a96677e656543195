"""Encodings to nest a text in, places of a message to plant it, and a decoder of its own.

The decoder shares no line with the product: it reads every string in every way, again and again.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import json
import quopri
import re
import zlib
from urllib.parse import unquote

DEEPEST = 5
MOST = 4000


def wrapped(text: str, width: int = 76) -> str:
    """Text in lines of a width."""
    return "\n".join(text[i : i + width] for i in range(0, len(text), width))


def b64(text: str) -> str:
    """Standard base64 of UTF-8."""
    return base64.b64encode(text.encode()).decode()


def rtf(text: str) -> str:
    """Text as RTF, what is not ASCII and every fourth character as an escape."""
    shown = "".join(
        f"\\'{ord(c):02x}" if i % 4 == 3 and c.isalpha() and ord(c) < 128
        else f"\\u{ord(c)}?" if ord(c) > 127 else {"\\": "\\\\", "{": "\\{", "}": "\\}"}.get(c, c)
        for i, c in enumerate(text)
    )  # fmt: skip
    return "{\\rtf1\\ansi\\ansicpg1252\\uc1 " + shown.replace("\n", "\\par ") + "}"


ENCODINGS = {
    "base64": b64,
    "base64-urlsafe": lambda t: base64.urlsafe_b64encode(t.encode()).decode().rstrip("="),
    "base64-wrapped": lambda t: wrapped(b64(t)),
    "base64-narrow": lambda t: wrapped(b64(t), 20),
    "base64-utf16": lambda t: base64.b64encode(t.encode("utf-16")).decode(),
    "gzip": lambda t: base64.b64encode(gzip.compress(t.encode(), mtime=0)).decode(),
    "zlib": lambda t: base64.b64encode(zlib.compress(t.encode())).decode(),
    "base32": lambda t: base64.b32encode(t.encode()).decode(),
    "ascii85": lambda t: base64.a85encode(t.encode(), adobe=True).decode(),
    "hex": lambda t: t.encode().hex(),
    "hex-capitals": lambda t: t.encode().hex().upper(),
    "percent": lambda t: "".join(f"%{b:02X}" for b in t.encode()),
    "percent-some": lambda t: t.replace("%", "%25").replace(" ", "%20").replace("o", "%6f"),
    "quoted": lambda t: "".join(f"={b:02X}" for b in t.encode()),
    "quoted-some": lambda t: t.replace("=", "=3D").replace("o", "=6F").replace(" ", "=20"),
    "uri": lambda t: "data:text/plain;charset=utf-8;base64," + b64(t),
    "uri-image": lambda t: "data:image/png;base64," + b64(t),
    "html": lambda t: f"<html><body><p>{html.escape(t)}</p></body></html>",
    "html-split": lambda t: f"<p>{html.escape(t[:14])}<b>{html.escape(t[14:])}</b></p>",
    "html-attribute": lambda t: f'<p>see</p><img src="x.png" alt="{html.escape(t)}"/>',
    "html-link": lambda t: f'<a href="{html.escape(t)}">see</a>',
    "html-comment": lambda t: f"<p>see</p><!-- {t.replace('--', '- -')} -->",
    "html-numeric": lambda t: "".join(f"&#{ord(c)};" for c in t),
    "rtf": rtf,
    "rtf-doubled": lambda t: rtf(t).replace("\\", "\\\\"),
    "xml": lambda t: f"<?xml version='1.0'?><note><to>{html.escape(t)}</to></note>",
    "cda": lambda t: (
        '<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><component><nonXMLBody>'
        f'<text mediaType="text/plain">{html.escape(t)}</text></nonXMLBody></component>'
        "</ClinicalDocument>"
    ),
    "cda-base64": lambda t: (
        '<ClinicalDocument xmlns="urn:hl7-org:v3"><component><nonXMLBody>'
        f'<text mediaType="text/rtf" representation="B64">{b64(t)}</text></nonXMLBody></component>'
        "</ClinicalDocument>"
    ),
    "json": lambda t: json.dumps({"resourceType": "Basic", "text": t}),
    "json-escaped": lambda t: json.dumps(json.dumps({"text": t}))[1:-1],
    "unicode": lambda t: "".join(f"\\u{ord(c):04x}" for c in t if ord(c) < 0xFFFF),
    "mime": lambda t: (
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
        f"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n{wrapped(b64(t))}\n--b--"
    ),
    "hl7v2": lambda t: f"MSH|^~\\&|A|B|||2024||ADT^A01|1|P|2.5\rPID|1||9||{t}",
    "plain": lambda t: t,
}  # fmt: skip
"""Name -> text as a body inside another text."""


def readings(raw: bytes, deepest: int = DEEPEST) -> set[str]:
    """Every string that any decoding of the bytes gives, to a depth."""
    seen: set[str] = set()
    texts = {raw.decode("utf-8", "replace")}
    for _ in range(deepest):
        fresh = {new for text in texts for new in _decoded(text)} - seen - texts
        seen |= texts
        texts = set(sorted(fresh, key=len)[:MOST])
    return seen | texts


def letters(text: str) -> str:
    """Letters and digits only, in lower case."""
    return re.sub(r"[\W_]", "", text).casefold()


RUN = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
BASE32 = re.compile(r"[A-Z2-7]{16,}")
ASCII85 = re.compile(r"<~[!-uz]+~>")
ROWS = re.compile(r"\|{3,}F\rOBX\|\d+\|TX\|A\|\||~")
"""What stands between rows and between repetitions."""
HEX = re.compile(r"(?:[0-9A-Fa-f]{2}){6,}")


def _decoded(text: str) -> set[str]:
    found = {
        ROWS.sub("\n", text),
        html.unescape(text),
        unquote(text),
        re.sub(r"<[^>]*>", "", text),
        _rtf(text),
        re.sub(r"\\+u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text),
        text.replace("\\\\", "\\"),
        quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace"),
    }
    for run in BASE32.findall(text):
        found.add(_text(base64.b32decode(run[: len(run) // 8 * 8])))
    for run in ASCII85.findall(text):
        found.add(_text(base64.a85decode(run, adobe=True, ignorechars=b" \t\n\r\v")))
    for plain in (text, _hl7(text), text.replace("\\n", "\n").replace("\\r", "")):
        found.add(plain)
        for compact in (plain, re.sub(r"\s", "", plain)):
            found |= {new for run in RUN.findall(compact) for new in _base64(run)}
            found |= {_text(binascii.unhexlify(run)) for run in HEX.findall(compact)}
    return found


def _hl7(text: str) -> str:
    for escape, mark in {"F": "|", "S": "^", "T": "&", "R": "~", "E": "\\", ".br": "\n"}.items():
        text = text.replace(f"\\{escape}\\", mark)
    return re.sub(r"\\X([0-9A-F]{2,})\\", lambda m: bytes.fromhex(m[1]).decode("latin-1"), text)


def _rtf(text: str) -> str:
    text = re.sub(r"\\'([0-9a-fA-F]{2})", lambda m: chr(int(m[1], 16)), text)
    text = re.sub(r"\\u(-?\d{1,6})\??", lambda m: chr(int(m[1]) % 65536), text)
    return re.sub(r"[{}]|\\[a-z]+-?\d* ?", "", text)


def _base64(run: str) -> set[str]:
    plain = run.rstrip("=").replace("-", "+").replace("_", "/")
    found = set()
    for shift in range(4):
        part = plain[shift:]
        part = part[: len(part) - (len(part) % 4 == 1)]
        data = base64.b64decode(part + "=" * (-len(part) % 4))
        found.add(_text(data))
        try:
            found.add(_text(zlib.decompress(data, 47)))
        except zlib.error:
            continue
    return found


def _text(data: bytes) -> str:
    return data.replace(b"\0", b"").decode("utf-8", "replace")


def escaped(text: str) -> str:
    """Text as the value of an HL7 field."""
    marks = {"\\": "E", "|": "F", "^": "S", "&": "T", "~": "R", "\n": ".br", "\r": "X0D"}
    return "".join(f"\\{marks[c]}\\" if c in marks else c for c in text)


def hl7(fields: str) -> bytes:
    """A message of the patient Okonjo with one more segment."""
    head = "MSH|^~\\&|LAB|HOSP|||20240101||ORU^R01|7|P|2.5.1"
    pid = "PID|1||90817263^^^HOSP^MR||Okonjo^Thaddeus||19620314|M"
    return f"{head}\r{pid}\rOBR|1|||1554-5^GLUCOSE^LN\r{fields}\r".encode()


def fhir(others: dict) -> bytes:
    """A bundle of the patient Okonjo and an observation with more members."""
    patient = {
        "resourceType": "Patient",
        "id": "p",
        "name": [{"family": "Okonjo", "given": ["Thaddeus"]}],
        "identifier": [{"value": "90817263"}],
    }
    observation = {"resourceType": "Observation", "status": "final", "code": {"text": "x"}}
    entries = [{"resource": patient}, {"resource": {**observation, **others}}]
    return json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}).encode()


def _rows(text: str) -> bytes:
    return hl7("\r".join(f"OBX|{i}|TX|A||{escaped(row)}||||||F"
                         for i, row in enumerate(text.splitlines() or [""], 1)))  # fmt: skip


def _attachment(text: str, media_type: str, *, bare: bool = False) -> bytes:
    attachment = {"contentType": media_type, "data": text if bare else b64(text)}
    resource = {"resourceType": "DocumentReference", "status": "current",
                "content": [{"attachment": attachment}]}  # fmt: skip
    return fhir({"contained": [resource]})


PLACES = {
    "OBX-5 TX": lambda t: hl7(f"OBX|1|TX|A||{escaped(t)}||||||F"),
    "OBX-5 ST": lambda t: hl7(f"OBX|1|ST|A||{escaped(t)}||||||F"),
    "OBX-5 FT": lambda t: hl7(f"OBX|1|FT|A||Report follows: {escaped(t)}||||||F"),
    "OBX-5 rows": _rows,
    "OBX-5 repetitions": lambda t: hl7(
        "OBX|1|TX|A||" + "~".join(map(escaped, t.splitlines())) + "||||||F"
    ),
    "NTE-3": lambda t: hl7(f"NTE|1||{escaped(t)}"),
    "ED plain": lambda t: hl7(f"OBX|1|ED|A||^TEXT^^A^{escaped(t)}||||||F"),
    "ED base64": lambda t: hl7(f"OBX|1|ED|A||^TEXT^plain^Base64^{b64(t)}||||||F"),
    "ED said to be base64": lambda t: hl7(
        f"OBX|1|ED|A||^TEXT^plain^Base64^{escaped(t)}||||||F"
    ),
    "ED said to be hex": lambda t: hl7(f"OBX|1|ED|A||^TEXT^plain^Hex^{escaped(t)}||||||F"),
    "ED not said": lambda t: hl7(f"OBX|1|ED|A||^^^^{escaped(t)}||||||F"),
    "ED HTML": lambda t: hl7(f"OBX|1|ED|A||^TEXT^HTML^Base64^{b64(t)}||||||F"),
    "ED PDF": lambda t: hl7(f"OBX|1|ED|A||^application^PDF^Base64^{b64(t)}||||||F"),
    "OBX-3.2": lambda t: hl7(f"OBX|1|ST|1^{escaped(t)}^L||x||||||F"),
    "ORC-16.2": lambda t: hl7(f"ORC|RE|1|||||||||||||||9^{escaped(t)}^L"),
    "TXA-16": lambda t: hl7(f"TXA|1|CN|{escaped(t)}|||||||||||||{escaped(t)}"),
    "valueString": lambda t: fhir({"valueString": t}),
    "note": lambda t: fhir({"note": [{"text": f"Note: {t}"}]}),
    "code.text": lambda t: fhir({"code": {"text": t}}),
    "display": lambda t: fhir({"valueCodeableConcept": {"coding": [{"display": t}]}}),
    "narrative": lambda t: fhir(
        {"text": {"status": "generated",
                  "div": f'<div xmlns="http://www.w3.org/1999/xhtml">{html.escape(t)}</div>'}}
    ),
    "narrative image": lambda t: fhir(
        {"text": {"status": "generated",
                  "div": f'<div xmlns="http://www.w3.org/1999/xhtml"><img alt="x" '
                         f'src="{html.escape(t)}"/></div>'}}
    ),
    "extension": lambda t: fhir({"extension": [{"url": "http://x.org/y", "valueString": t}]}),
    "attachment text": lambda t: _attachment(t, "text/plain"),
    "attachment bare": lambda t: _attachment(t, "text/plain", bare=True),
    "binary": lambda t: fhir(
        {"contained": [{"resourceType": "Binary", "contentType": "text/plain", "data": b64(t)}]}
    ),
    "attachment HTML": lambda t: _attachment(t, "text/html"),
    "attachment PDF": lambda t: _attachment(t, "application/pdf"),
    "attachment RTF": lambda t: _attachment(t, "text/rtf"),
}  # fmt: skip
"""Name -> message that carries a text at that place."""
