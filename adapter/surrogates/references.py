"""FHIR references and other addresses of things: only the id or value in them is replaced.

Relative, absolute and versioned references, ``urn:uuid:`` and ``urn:oid:``, conditional ones
(``Patient?identifier=system|value``, also percent-encoded) and fragments ("#p1"), as in FHIR R4
sections 2.3.0 (References) and 3.1.1 (Search). Definitional addresses stay as they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

DEFINITIONAL = frozenset(
    "ActivityDefinition CapabilityStatement ChargeItemDefinition CodeSystem CompartmentDefinition"
    " ConceptMap ConditionDefinition EventDefinition ExampleScenario GraphDefinition"
    " ImplementationGuide Library Measure MessageDefinition NamingSystem ObservationDefinition"
    " OperationDefinition PlanDefinition Questionnaire ResearchDefinition SearchParameter"
    " SpecimenDefinition StructureDefinition StructureMap SubscriptionTopic TerminologyCapabilities"
    " TestScript ValueSet".split()
)
"""Resource types that define things and say nothing of a person."""

_DEFINITION = re.compile(
    r"https?://(?:[a-z]+\.)?(?:hl7\.org|loinc\.org|snomed\.info|unitsofmeasure\.org|nlm\.nih\.gov"
    r"|cdc\.gov|ihe\.net|dicom\.nema\.org)(?:[/|#].*)?",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?P<base>(?:https?://[^?#]*/)?)(?P<type>[A-Z][A-Za-z]+)"
    r"(?:/(?P<id>[^/?#|]+)(?:/_history/(?P<version>[^/?#|]+))?(?P<fragment>#.*)?|\?(?P<query>.+))"
)
_URN = re.compile(r"(urn:(?:uuid|oid):)(.+)", re.IGNORECASE)
_PARAMETER = re.compile(r"([^=&]+)=([^&]*)")
_VALUE = re.compile(r"(.*(?:\||%7[Cc]))?(.*)", re.DOTALL)
_DAY = re.compile(r"((?:eq|ne|gt|lt|ge|le|sa|eb|ap)?[12][0-9]{3})-[0-9]{2}(?:-[0-9]{2}.*)?")
_MARKS = frozenset("/#?:")


class References:
    """Tells references from other texts; ``resources`` are the FHIR resource types."""

    def __init__(self, resources: frozenset[str]) -> None:
        self._resources = resources

    def rewrite(self, text: str, identify: Callable[[str], str]) -> str | None:
        """Text with its ids and values through ``identify``; None if it is no reference.

        A resource type alone (the url of a transaction's create) names nobody and stays.
        """
        if _MARKS.isdisjoint(text):
            return text if text in self._resources else None
        if _DEFINITION.fullmatch(text):
            return text
        if text.startswith("#") and len(text) > 1:
            return "#" + identify(text[1:])
        if urn := _URN.fullmatch(text):
            return urn[1] + identify(urn[2])
        found = _REFERENCE.fullmatch(text)
        if found is None or found["type"] not in self._resources:
            return None
        return self._rewritten(found, identify)

    def _rewritten(self, found: re.Match[str], identify: Callable[[str], str]) -> str:
        if found["type"] in DEFINITIONAL and found["id"]:
            return found[0]
        head = found["base"] + found["type"]
        if query := found["query"]:
            return f"{head}?" + _PARAMETER.sub(lambda p: self._parameter(p, identify), query)
        version = f"/_history/{identify(found['version'])}" if found["version"] else ""
        fragment = "#" + identify(found["fragment"][1:]) if found["fragment"] else ""
        return f"{head}/{identify(found['id'])}{version}{fragment}"

    def _parameter(self, found: re.Match[str], identify: Callable[[str], str]) -> str:
        """A search parameter with its value replaced; of a date the year stays."""
        name, value = found.groups()
        if day := _DAY.fullmatch(value):
            return f"{name}={day[1]}"
        parts = _VALUE.fullmatch(value)
        system, bare = parts.groups("") if parts else ("", value)
        if system or (reference := self.rewrite(value, identify)) is None:
            reference = system + identify(bare) if bare else value
        return f"{name}={reference}"
