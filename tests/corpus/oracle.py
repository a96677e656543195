"""Reads the identifying values of a message's patient without the product's own code.

A second, naive reader of HL7 v2 and FHIR: it shares no code with the codecs, so it does
not repeat their mistakes.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from urllib.parse import unquote

RULES = Path(__file__).resolve().parents[2] / "rules"
SHORTEST = 4
PLACEHOLDERS = {"unknown", "none", "null", "test", "patient", "anonymous"}


@cache
def ordinary() -> frozenset[str]:
    """Return ordinary and medical English words, which are not secret even as a name."""
    words: set[str] = set()
    for name in ("en-ordinary", "en-medical"):
        lines = (RULES / "lexicons" / name / "items.txt").read_text("utf-8").splitlines()
        words |= {line.split("\t")[0].casefold() for line in lines}
    return frozenset(words | PLACEHOLDERS)


def telling(value: str) -> bool:
    """Return whether a value identifies: at least four letters or digits, not an ordinary word."""
    letters = re.sub(r"[\W_]", "", value)
    if len(letters) < SHORTEST or len(set(letters)) == 1:
        return False
    return not all(word.casefold() in ordinary() for word in re.findall(r"[^\W\d_]+|\d+", value))


def hl7_values(raw: bytes) -> set[str]:
    """Return names, streets, phones and ids of PID and NK1; empty unless there is one PID."""
    text = raw.decode("utf-8", "replace")
    start = text.find("MSH")
    lines = [line for line in re.split(r"[\r\n]+", text[start:]) if line]
    if sum(line.startswith("PID") for line in lines) != 1 or len(lines[0]) < 8:
        return set()
    field, component, repetition = text[start + 3], text[start + 4], text[start + 5]
    found: set[str] = set()
    for line in lines:
        cells = line.split(field)
        for number, first, last in WHERE.get(cells[0], ()):
            for item in cells[number].split(repetition) if number < len(cells) else ():
                parts = [part for part in item.split(component)[first:last] if part != '""']
                found |= {piece for part in parts for piece in part.split("&")[:1]}
    return {value for value in found if telling(value)}


WHERE = {
    "PID": (
        (2, 0, 1), (3, 0, 1), (4, 0, 1), (5, 0, 3), (6, 0, 3), (9, 0, 3), (11, 0, 1), (13, 0, 1),
        (14, 0, 1), (18, 0, 1), (19, 0, 1), (20, 0, 1),
    ),
    "NK1": ((2, 0, 3), (4, 0, 1), (5, 0, 1)),
}  # fmt: skip
"""Fields read, each with the half-open range of its components."""


def fhir_values(document: object) -> set[str]:
    """Return names, streets, phones and ids of Patient and RelatedPerson, if one Patient."""
    people = [node for node in _objects(document) if node.get("resourceType") in PEOPLE]
    if sum(node["resourceType"] == "Patient" for node in people) != 1:
        return set()
    found: set[str] = set()
    for person in people:
        for name in _list(person, "name"):
            found |= {str(name.get("family", ""))}
            found |= {str(given) for given in _list(name, "given")}
        for address in _list(person, "address"):
            found |= {str(line) for line in _list(address, "line")}
        for item in (*_list(person, "telecom"), *_list(person, "identifier")):
            found.add(str(item.get("value", "")))
    return {value for value in found if telling(value)}


PEOPLE = {"Patient", "RelatedPerson"}


def _objects(node: object) -> list[dict]:
    if isinstance(node, list):
        return [inner for item in node for inner in _objects(item)]
    if isinstance(node, dict):
        return [node, *(inner for item in node.values() for inner in _objects(item))]
    return []


def _list(node: dict, key: str) -> list:
    value = node.get(key, [])
    items = value if isinstance(value, list) else [value]
    return [item for item in items if item]


BASE64 = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")


def decodings(raw: bytes) -> str:
    """Return all decodings of some bytes, folded: plain, unescaped, embedded base64."""
    plain = NAMES_OF_KINDS.sub("", raw.decode("utf-8", "replace"))
    readings = [plain, raw.decode("latin-1")] if "\ufffd" in plain else [plain]
    for found in BASE64.finditer(re.sub(r"\\r|\\n|\\X0[AD]\\|\s(?=[A-Za-z0-9+/]{60})", "", plain)):
        try:
            readings.append(base64.b64decode(found.group(), validate=True).decode("utf-8"))
        except (binascii.Error, UnicodeDecodeError):
            continue
    for text in tuple(readings):
        readings += [html.unescape(text), unquote(text), _hl7_unescaped(text)]
        if "\\u" in text:
            readings.append(_json_unescaped(text))
    return "\n".join(fold(text) for text in dict.fromkeys(readings))


def _hl7_unescaped(text: str) -> str:
    for escape, mark in {"F": "|", "S": "^", "T": "&", "R": "~", "E": "\\", ".br": " "}.items():
        text = text.replace(f"\\{escape}\\", mark)
    return text


def _json_unescaped(text: str) -> str:
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text)


def fold(text: str) -> str:
    """Return a text without case and accents."""
    bare = unicodedata.normalize("NFKD", text)
    return "".join(c for c in bare if not unicodedata.combining(c)).casefold()


NAMES_OF_KINDS = re.compile(r'"(?:resourceType|reference|url)"\s*:\s*"[A-Za-z]+(?=["/?])')
"""FHIR's own words: a person called Careteam does not make the resource type secret."""


def leaks(values: set[str], output: str) -> int:
    """Count the values that occur in a folded text, not as part of a longer word or code."""
    return sum(_occurs(fold(value), output) for value in values)


def _occurs(value: str, output: str) -> bool:
    behind = r"(?!-?\d)" if value.isdigit() else ""
    return re.search(rf"(?<![^\W_]){re.escape(value)}(?![^\W_]){behind}", output) is not None


def load_json(raw: bytes) -> object:
    """Return the JSON of a file, or None if it is not JSON."""
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except ValueError:
        return None
