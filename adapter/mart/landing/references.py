"""Rewrites logical ids and references of FHIR resources to those of the mart."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.mart.versions import number_key, patient_key, resource_id

if TYPE_CHECKING:
    from collections.abc import Mapping

PATIENT = "Patient"
_REFERENCE = re.compile(r"(?:.*/)?([A-Z][A-Za-z]+)/([^/?#\s]+)(?:/_history/[^/]+)?(?:#.*)?")
_SEARCH = re.compile(r"(?:.*/)?([A-Z][A-Za-z]+)\?(?:.*&)?identifier=(?:[^|&]*\|)?([^|&]+).*")


def key_of(kind: str, logical: str) -> str:
    """Return the mart's id of the resource with this type and logical id."""
    if kind == PATIENT and (number := patient_key(logical)):
        return number
    return resource_id(kind, f"id|{logical}")


@dataclass(frozen=True, slots=True)
class References:
    """Rewrites references; ``known`` maps a Bundle's own fullUrls to references in the mart."""

    known: Mapping[str, str] = field(repr=False)

    def rewritten(self, reference: str) -> str:
        """Return the reference in the mart; contained and unrecognized references are unchanged."""
        if reference in self.known:
            return self.known[reference]
        if match := _SEARCH.fullmatch(reference):
            kind, number = match.groups()
            return f"{kind}/{number_key(number)}" if kind == PATIENT else reference
        if match := _REFERENCE.fullmatch(reference):
            kind, logical = match.groups()
            return f"{kind}/{key_of(kind, logical)}"
        return reference

    def rewrite(self, element: dict[str, Any]) -> dict[str, Any]:
        """Return an element with all references in it rewritten."""
        return {
            name: self.rewritten(value)
            if name == "reference" and isinstance(value, str)
            else self._rewrite_nested(value)
            for name, value in element.items()
        }

    def _rewrite_nested(self, value: object) -> Any:
        if isinstance(value, dict):
            return self.rewrite(value)
        return [self._rewrite_nested(item) for item in value] if isinstance(value, list) else value
