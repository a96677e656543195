"""Why a column may differ from what other people's pairs expect: rules of ours that intend it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Rule = tuple[str, str, "Callable[[object, object], bool]", str]
"""View and column (regular expressions), what the two values are, and the reason."""

_GUIDE = "HL7's v2-to-FHIR guide maps it so"
_TIME = re.compile(r"\d\d:\d\d:\d\d(\.\d+)?")
_UCUM = "http://unitsofmeasure.org"

RULES: tuple[Rule, ...] = (
    (
        "order|medication",
        "status",
        lambda wanted, found: wanted == "unknown" and found != "unknown",
        f"order control and order status say what the status is: {_GUIDE}",
    ),
    (
        "order",
        "intent",
        lambda wanted, found: (wanted, found) == ("order", "reflex-order"),
        f"OBR-11 G is a reflex order: {_GUIDE}",
    ),
    (
        "observation",
        "value_time",
        lambda wanted, found: (
            not _TIME.fullmatch(str(wanted)) and bool(_TIME.fullmatch(str(found)))
        ),
        "a FHIR time has colons (R4, datatypes, time)",
    ),
    (
        "observation",
        "value_text",
        lambda wanted, found: (
            str(wanted).replace("+", "") == str(found).replace("+", "").replace(" ", "")
        ),
        f"the parts of a structured numeric that is no number are separated by blanks: {_GUIDE}",
    ),
    (
        ".*",
        ".*_system",
        lambda _, found: found == _UCUM or str(found).startswith("http://terminology.hl7.org/"),
        "a code system has its canonical URI (terminology.hl7.org)",
    ),
    (
        "observation|report",
        "status",
        lambda wanted, found: (
            wanted == "unknown" and found in {"preliminary", "registered", "final", "amended"}
        ),
        "OBX-11 and OBR-25 codes that the guide leaves out have the nearest FHIR status",
    ),
)


def reason_of(view: str, column: str, expected: object, found: object) -> str | None:
    """The reason of a difference, None where no rule intends it."""
    for views, columns, holds, reason in RULES:
        if re.fullmatch(views, view) and re.fullmatch(columns, column) and holds(expected, found):
            return reason
    return None
