"""Conversion of HL7 v2 leaves to FHIR primitives; the functions return None for invalid text.

A time without an offset gets ``UNSTATED``, because FHIR requires one (R4, datatypes, dateTime) and
most senders omit it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

UNSTATED = "Z"
"""The offset of times sent without one; local times of one feed stay comparable."""

_MOMENT = re.compile(
    r"(?P<year>[12]\d{3})"
    r"(?:(?P<month>0[1-9]|1[0-2])"
    r"(?:(?P<day>0[1-9]|[12]\d|3[01])"
    r"(?:(?P<hour>[01]\d|2[0-3])"
    r"(?:(?P<minute>[0-5]\d)"
    r"(?:(?P<second>[0-5]\d(?:\.\d{1,9})?))?)?)?)?)?"
    r"(?P<zone>[+-](?:0\d|1[0-4])[0-5]\d|Z)?"
)
_HOURS = re.compile(
    r"([01]\d|2[0-3])(?:([0-5]\d)(?:([0-5]\d(?:\.\d{1,9})?))?)?(?:[+-](?:0\d|1[0-4])[0-5]\d)?"
)
_NUMBER = re.compile(r"[+-]?(?:\d{1,18}\.?\d{0,18}|\.\d{1,18})(?:[eE][+-]?\d{1,2})?")
_TABLE = re.compile(r"HL7(\d{4})")
_OID = re.compile(r"[0-2](?:\.\d+)+")
_TRUTH = {"Y": True, "N": False, "y": True, "n": False}


def string(text: str) -> str | None:
    """Return a text without surrounding white space."""
    return text.strip() or None


def date(text: str) -> str | None:
    """Return the date of a timestamp: "1988", "1988-07" or "1988-07-04" (HL7 v2.8.2, 2A.3.21)."""
    match = _MOMENT.fullmatch(text.strip())
    if match is None:
        return None
    return "-".join(part for part in match.group("year", "month", "day") if part)


def date_time(text: str) -> str | None:
    """Return a timestamp as a FHIR dateTime, with the precision as sent (HL7 v2.8.2, 2A.3.22)."""
    match = _MOMENT.fullmatch(text.strip())
    if match is None:
        return None
    day = "-".join(part for part in match.group("year", "month", "day") if part)
    hour, minute, second, zone = match.group("hour", "minute", "second", "zone")
    if hour is None:
        return day
    return f"{day}T{hour}:{minute or '00'}:{second or '00'}{_offset(zone)}"


def instant(text: str) -> str | None:
    """Return a timestamp as a FHIR instant; None if it has no time of day."""
    found = date_time(text)
    return found if found and "T" in found else None


def _offset(zone: str | None) -> str:
    if zone is None or zone == "Z":
        return UNSTATED if zone is None else "Z"
    return f"{zone[:3]}:{zone[3:]}"


def time(text: str) -> str | None:
    """Return a time of day (HL7 v2.8.2, 2A.3.75)."""
    match = _HOURS.fullmatch(text.strip())
    if match is None:
        return None
    hour, minute, second = match.groups()
    return f"{hour}:{minute or '00'}:{second or '00'}"


def decimal(text: str) -> float | int | None:
    """Return a number, as an int if it is whole (HL7 v2.8.2, 2A.3.50)."""
    if _NUMBER.fullmatch(text := text.strip()) is None:
        return None
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def integer(text: str) -> int | None:
    """Return a non-negative integer of at most nine digits."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None  # noqa: PLR2004


def boolean(text: str) -> bool | None:
    """Return the boolean of a code of table 0136 (Y or N)."""
    return _TRUTH.get(text.strip())


def administered(text: str) -> bool | None:
    """Return whether the reporter administered the dose: code "00" of the CDC's code set NIP001."""
    code = text.strip()
    return code == "00" if code.isdigit() else None


def oid(text: str) -> str:
    """Return an OID as a URI."""
    return f"urn:oid:{text.strip()}"


def uuid(text: str) -> str:
    """Return a UUID as a URI."""
    return f"urn:uuid:{text.strip()}"


def uri(text: str) -> str | None:
    """Return the URI of a code system given as an HL7 table ("HL70203"), an OID or a URI."""
    text = text.strip()
    if match := _TABLE.fullmatch(text):
        return f"http://terminology.hl7.org/CodeSystem/v2-{match[1]}"
    if _OID.fullmatch(text):
        return f"urn:oid:{text}"
    return text if text.startswith(("http:", "https:", "urn:")) else None


PRIMITIVES: dict[str, Callable[[str], object | None]] = {
    "administered": administered,
    "string": string,
    "date": date,
    "dateTime": date_time,
    "instant": instant,
    "time": time,
    "decimal": decimal,
    "integer": integer,
    "boolean": boolean,
    "oid": oid,
    "uri": uri,
    "uuid": uuid,
}
"""Name in the mapping tables -> reader of a leaf's text."""
