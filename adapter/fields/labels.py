"""Security labels of released messages: ``[labels]`` of a profile, and a site's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapter.types import SecurityLabel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.fields.sources import Rules

CODES = ("PSEUDED", "REDACTED")
"""Codes of HL7 v3-ObservationValue that can be true of the output.

PSEUDED: identifying text is removed and "custodian may retain a key to relink". REDACTED: portions
"not authorized to be accessed, used, or disclosed" are removed. ANONYED would state that no key is
retained, MASKED that the text is still present in encrypted form; neither is ever true here.
"""
PLACES: dict[str, tuple[str, ...]] = {
    "fhir": ("meta.security",),
    "hl7v2": ("MSH-8", "MSH-26", "MSH-27", "MSH-28"),
}
"""Places for a label by format: FHIR R4 6.1.1; HL7 v2.9 2.14.9 (security fields)."""


def compile_labels(profile: Rules, sites: Iterable[Rules]) -> dict[str, SecurityLabel]:
    """Return the label by format; a site's entries override the profile's.

    Raises:
        RuleError: a key is unknown, a code is never true of the output, or a place is unknown.
    """
    chosen: dict[str, Any] = _checked(profile, profile.table.get("labels", {}), "labels")
    for site in sites:
        chosen |= _checked(site, {k: v for k, v in site.table.items() if k != "format"})
    places = {form: place for form, place in chosen.items() if form in PLACES and place}
    if places and "code" not in chosen:
        raise profile.refuse("a label needs a code", "labels", min(places))
    return {form: SecurityLabel(chosen["code"], place) for form, place in places.items()}


def _checked(rules: Rules, table: Any, *where: str) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise rules.refuse("labels must be a table", *where)
    for key, value in table.items():
        if key == "code":
            _check_code(rules, value, *where)
        elif key not in PLACES:
            raise rules.refuse(f"no labels for '{key}' (only {_listed(PLACES)})", *where, key)
        elif value is not False and value not in PLACES[key]:
            allowed = _listed(PLACES[key])
            raise rules.refuse(f"must be {allowed} or false", *where, key)
    return dict(table)


def _check_code(rules: Rules, code: Any, *where: str) -> None:
    if code in ("ANONYED", "MASKED"):
        raise rules.refuse(f"{code} would be untrue: a key is retained", *where, "code")
    if code not in CODES:
        raise rules.refuse(f"no such code (only {_listed(CODES)})", *where, "code")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
