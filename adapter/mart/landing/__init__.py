"""Landing: a released record becomes versions of FHIR R4 resources; pure functions, no I/O.

In: `Released` and the mapping tables (`adapter.mart.maps`). Out: `Landed`. A field of HL7 v2 is
mapped in ``rules/mart/hl7v2``; another format is a module with a function of this form, called in
`records`.
"""

from __future__ import annotations

from adapter.mart.landing.records import land

__all__ = ["land"]
