"""Readers of OBX-5, whose datatype is in OBX-2: an Observation's value, or a document's content."""

from __future__ import annotations

import re
from base64 import b64decode
from typing import TYPE_CHECKING, Any

from adapter.codecs.hl7v2.schema import WHOLE
from adapter.mart.landing.hl7v2.datatypes.leaves import NULL
from adapter.mart.landing.hl7v2.datatypes.primitives import decimal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adapter.mart.landing.hl7v2.datatypes.composites import Datatypes
    from adapter.mart.landing.hl7v2.datatypes.leaves import Made

    Row = list[str]
    Special = Callable[[dict[str, Any], Row, list[Made]], bool]

TEXT_URL = "urn:clinical-deid-adapter:text"
"""Extension of an Attachment with its plain text; FHIR's own element allows only base64."""
UCUM = "http://unitsofmeasure.org"
_COMPARED = re.compile(r"\s*(<=|>=|<|>)\s*(\S+)\s*")
_COMPARATORS = frozenset({"<", "<=", ">", ">="})
_DATATYPE, _VALUE, _UNITS = 2, 5, 6


class Value:
    """Reads OBX-5 according to OBX-2; further repetitions become components of the Observation."""

    def __init__(self, datatypes: Datatypes, kinds: Mapping[str, str]) -> None:
        self._known = datatypes
        self._kinds = kinds
        self._units = datatypes.field_converter("Units")
        self._readers = {
            kind: datatypes.field_converter(kind)
            for kind in {entry.partition(" ")[2] for entry in kinds.values()} - {""}
        }

    def __call__(self, body: dict[str, Any], row: Row, made: list[Made]) -> bool:
        """Write the value into an Observation; return False if it does not match OBX-2."""
        datatype = _first(row, _DATATYPE)
        raw = row[_VALUE]
        repetition = self._known.escapes.delimiters.repetition
        if raw == NULL:
            return True
        if datatype in WHOLE:
            body["valueString"] = self.text(raw)
            return True
        first, *others = raw.split(repetition) if repetition in raw else (raw,)
        found = self._read(datatype, first, row, made)
        body.update(found or {})
        more = [self._read(datatype, other, row, made) for other in others if other]
        if more:
            code = {"code": body["code"]} if "code" in body else {}
            body["component"] = [{**code, **item} for item in more if item]
        return found is not None

    def text(self, raw: str) -> str:
        """Return the whole field as text, with its repetitions as lines."""
        known = self._known.escapes.delimiters
        return self._known.leaves.text(raw.replace(known.repetition, "\n")).strip("\n")

    def _read(self, datatype: str, raw: str, row: Row, made: list[Made]) -> dict[str, Any] | None:
        element, _, kind = self._kinds.get(datatype, self._kinds["other"]).partition(" ")
        if element == "number":
            return self._number(raw, row)
        if element == "structured":
            return self._structured(raw, row)
        if not kind:
            text = self.text(raw)
            return {element: text} if text.strip() else None
        value, beside = self._readers[kind](raw)
        made.extend(beside)
        return {element: value} if value is not None else None

    def _quantity(self, number: float, row: Row) -> dict[str, Any]:
        raw = row[_UNITS] if len(row) > _UNITS else ""
        units = self._units(raw)[0] if raw else None
        return {"value": number, **(units or {})}

    def _number(self, raw: str, row: Row) -> dict[str, Any] | None:
        """Return a number, with a comparator if it is like "<5"; other text as valueString."""
        text = self._known.leaves.leaf(raw).strip()
        compared = _COMPARED.fullmatch(text)
        number = decimal(compared[2] if compared else text)
        if number is None:
            return {"valueString": text} if text else None
        found = self._quantity(number, row)
        return {"valueQuantity": {**found, "comparator": compared[1]} if compared else found}

    def _structured(self, raw: str, row: Row) -> dict[str, Any] | None:
        """Return a structured numeric: a quantity, ratio or range (HL7 v2.8.2, 2A.3.73)."""
        parts = [self._known.leaves.text(part).strip() for part in raw.split(self._separator)]
        sign, low, between, high = (*parts, "", "", "", "")[:4]
        first, second = decimal(low), decimal(high)
        if sign == "<>" or between == "+" or first is None:
            text = " ".join(part for part in (sign, low, between, high) if part)
            return {"valueString": text} if text else None
        quantity = self._quantity(first, row)
        if sign in _COMPARATORS:
            quantity["comparator"] = sign
        if between in {":", "/"} and second is not None:
            return {
                "valueRatio": {"numerator": quantity, "denominator": self._quantity(second, row)}
            }
        if between == "-" and second is not None:
            return {"valueRange": {"low": quantity, "high": self._quantity(second, row)}}
        return {"valueQuantity": quantity}

    @property
    def _separator(self) -> str:
        return self._known.escapes.delimiters.component


class Content:
    """Reads OBX-5 as content of a DocumentReference: its text, or its encapsulated data."""

    def __init__(self, datatypes: Datatypes, kinds: Mapping[str, str]) -> None:
        self._value = Value(datatypes, kinds)
        self._known = datatypes

    def __call__(self, body: dict[str, Any], row: Row, _made: list[Made]) -> bool:
        """Add the content; return False if there is none."""
        datatype, raw = _first(row, _DATATYPE), row[_VALUE]
        attachment = self._encapsulated(raw) if datatype in {"ED", "RP"} else None
        if attachment is None:
            text = self._value.text(raw)
            attachment = attachment_of(text) if text.strip() else None
        if attachment is None:
            return False
        body["content"] = [*body.get("content", ()), {"attachment": attachment}]
        return True

    def _encapsulated(self, raw: str) -> dict[str, Any] | None:
        known = self._known.escapes.delimiters
        parts = [self._known.leaves.text(part) for part in raw.split(known.component, 4)]
        _, kind, subtype, encoding, data = (*parts, "", "", "", "")[:5]
        subtype = subtype.lower()
        if kind.upper() == "TEXT" or subtype in {"plain", "x-hl7-text"}:
            return attachment_of(_decoded(data) if encoding.upper() == "BASE64" else data)
        if not data:
            return None
        return {"contentType": f"{kind.lower()}/{subtype}", "data": data}


def attachment_of(text: str) -> dict[str, Any]:
    """Return a FHIR Attachment of a plain text."""
    return {
        "contentType": "text/plain",
        "extension": [{"url": TEXT_URL, "valueString": text}],
    }


def _decoded(data: str) -> str:
    try:
        return b64decode(data).decode("utf-8", "replace")
    except ValueError:
        return ""


def _first(row: Row, number: int) -> str:
    return row[number] if len(row) > number else ""


SPECIAL: dict[str, Callable[[Datatypes, Mapping[str, str]], Special]] = {
    "value": Value,
    "content": Content,
}
"""Datatypes in the tables whose readers need several fields of the segment."""
