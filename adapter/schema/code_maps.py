"""The mart's code maps from the concept maps of HL7's v2-to-FHIR implementation guide.

Input: the folder ``mappings/codesystems`` of the repository HL7/v2-to-fhir (Apache-2.0), one CSV
a map. Output: the text of ``rules/mart/hl7v2/codes.toml``. Rows without a target or with a
condition are ignored.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from typing import TYPE_CHECKING

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

MAPS = {
    "AddressTypeType": "AddressType[Type]",
    "AddressTypeUse": "AddressType[Use]",
    "AdministrationMethod": "AdministrationMethod",
    "AdministrativeSex": "AdministrativeSex",
    "AdmissionType": "AdmissionType",
    "AllergenTypeCategory": "AllergenType[AllergyIntoleranceCategory]",
    "AllergyCriticality": "AllergySeverity[AllergyIntolerance.criticality]",
    "AllergySeverity": "AllergySeverity[AllergyIntolerance.reaction.severity]",
    "AllergyType": "AllergyType",
    "AmbulatoryStatus": "AmbulatoryStatus",
    "CompletionStatus": "CompletionStatus",
    "DiagnosisType": "DiagnosisType",
    "DiagnosticServiceSectionID": "DiagnosticServiceSectionID",
    "EncounterPriority": "EncounterPriority",
    "ExtendedPriorityCodes": "ExtendedPriorityCodes",
    "HospitalService": "HospitalService",
    "InterpretationCodes": "InterpretationCodes",
    "MaritalStatus": "MaritalStatus",
    "NameType": "NameType",
    "ResultStatus": "ObservationResultStatusCodesInterpretation",
    "OrderControl": "OrderControlCode[ServiceRequest.status]",
    "PatientClassEncounterClass": "PatientClass[EncounterClass]",
    "PatientClassEncounterStatus": "PatientClass[EncounterStatus]",
    "ReadmissionIndicator": "ReadmissionIndicator",
    "Relationship": "Relationship",
    "ReportStatus": "ResultStatus[Non-Queries]",
    "RouteOfAdministration": "RouteOfAdministration",
    "TelecommunicationEquipmentType": "TelecommunicationEquipmentType",
    "TelecommunicationUseCode": "TelecommunicationUseCode",
    "Availability": "YesNoIndicator[AvailabilityStatus]",
}
"""Our name of a map -> its title in the guide."""
CORRECTED = {("TelecommunicationEquipmentType", "CP"): "phone"}
"""(map, code) -> target that corrects the guide: "mobile" is a ContactPoint's use, not a system."""
HEAD = """\
# Codes of HL7 tables to FHIR's, of the concept maps of HL7's v2-to-FHIR implementation guide (Apache-2.0).
# Codes that the guide leaves out are in statuses.toml. Generated: deid-adapter schema codes.
"""  # noqa: E501 - a line of the file
_FILE = "HL7 Concept Map_ {} - Sheet1.csv"
_CODE, _CONDITION, _TARGET, _DISPLAY, _SYSTEM = 0, 3, 6, 7, 9
_ROWS = 2
"""Number of heading rows."""
_FIXED = "http://hl7.org/fhir/"
"""URL prefix of code systems of elements with fixed codes, which have no Coding or system."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")

Row = tuple[str, str, str, str]
"""Code as sent, and the target's code, display and system, "" if absent."""


def render(folder: Path) -> str:
    """Return the text of the file of all code maps.

    Raises:
        RuleError: a map is missing, or is not a concept map of the guide.
    """
    return "\n".join([HEAD, *(_table(name, _read(folder, MAPS[name])) for name in MAPS)])


def _read(folder: Path, title: str) -> list[Row]:
    path = folder / _FILE.format(title)
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            return list(_mapped(list(csv.reader(lines))[_ROWS:]))
    except OSError as error:
        raise RuleError(str(path), f"cannot be read ({type(error).__name__})") from None
    except (UnicodeDecodeError, csv.Error, IndexError):
        raise RuleError(str(path), "is not a concept map of the guide") from None


def _mapped(rows: Sequence[Sequence[str]]) -> Iterator[Row]:
    for row in rows:
        sent, target = row[_CODE].strip(), row[_TARGET].strip()
        if sent and target and not row[_CONDITION].strip():
            yield sent, target, row[_DISPLAY].strip(), row[_SYSTEM].strip()


def _table(name: str, rows: Sequence[Row]) -> str:
    systems = Counter(system for *_, system in rows if not system.startswith(_FIXED))
    common = systems.most_common(1)[0][0] if systems else ""
    lines = [f"[codes.{name}]"] + ([f"system = {_text(common)}"] if common else [])
    once: Mapping[str, Row] = {row[0]: row for row in reversed(rows)}
    for sent in dict.fromkeys(row[0] for row in rows):
        target = CORRECTED.get((name, sent)) or _target(once[sent], common)
        lines.append(f"{_key(sent)} = {_text(target)}")
    return "\n".join(lines) + "\n"


def _target(row: Row, common: str) -> str:
    """Return a target in the form `adapter.mart.landing.hl7v2.tables.code_map` reads."""
    _, code, display, system = row
    own = "" if system == common or system.startswith(_FIXED) else system
    parts = [code, display if common else "", own]
    while not parts[-1]:
        parts.pop()
    return "|".join(parts)


def _key(text: str) -> str:
    return text if _BARE.fullmatch(text) else _text(text)


def _text(text: str) -> str:
    if not text.isprintable():
        raise RuleError("codes", "a code has a control character")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
