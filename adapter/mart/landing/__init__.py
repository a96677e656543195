"""Landing: a released record becomes versions of FHIR R4 resources; pure functions, no I/O.

In: `Released` and the mapping tables (`adapter.mart.maps`). Out: `Landed`. Fields of HL7 v2 are
mapped in ``rules/mart/hl7v2``; a new format is a module with such a function, called in `records`.
"""

from __future__ import annotations

from adapter.mart.landing.records import land

__all__ = ["land"]
