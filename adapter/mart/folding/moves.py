"""Accounts moved to another patient (HL7 v2.8.2, 3.3.44: A44), together with their visits.

A visit refers to its account, and may be sent before or after the move. The versions of the account
record the patients that it moved from and to.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from adapter.mart.versions import canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from adapter.mart.folding.resources import Current
    from adapter.mart.versions import Version

ACCOUNT, VISIT = "Account", "Encounter"
MOVED_URL = "urn:clinical-deid-adapter:moved-from"
"""Extension of an Account that refers to the patient it was moved from."""
_PATIENT = "Patient/"


def account_of(subject: str, prior: str) -> dict[str, Any]:
    """Return the body of an account moved from one patient to another, given their number keys."""
    moved_from = {"url": MOVED_URL, "valueReference": {"reference": f"{_PATIENT}{prior}"}}
    body = {"subject": [{"reference": f"{_PATIENT}{subject}"}], "status": "unknown"}
    return {**body, "extension": [moved_from]}


@dataclass(frozen=True, slots=True)
class Moves:
    """Reference of an account -> (from, to) number keys of its moves, in order."""

    of: dict[str, list[tuple[str, str]]] = field(repr=False)

    @classmethod
    def read(cls, accounts: Iterable[Iterable[Version]]) -> Moves:
        """Collect the moves from the versions of each account."""
        found: dict[str, list[tuple[str, str]]] = {}
        for version in (version for versions in accounts for version in versions):
            prior = _moved_from(version.body)
            if prior and version.subject:
                reference = f"{ACCOUNT}/{version.resource_id}"
                found.setdefault(reference, []).append((prior, version.subject))
        return cls(found)

    def applied(self, now: Current, person: Callable[[str], str]) -> Current:
        """Return a resource, a visit with the subject after its account's moves.

        ``person`` maps a number key to the id of its person.
        """
        if not self.of or now.resource_type != VISIT or now.subject is None:
            return now
        body = json.loads(now.body)
        subject = now.subject
        for account in body.get("account", ()):
            for prior, number in self.of.get(account.get("reference"), ()):
                if person(subject) == person(prior):
                    subject = number
        if subject == now.subject:
            return now
        body["subject"] = {"reference": f"{_PATIENT}{subject}"}
        return replace(now, subject=subject, body=canonical(body))


def _moved_from(body: str) -> str:
    """Return the number key of the patient that an account was moved from; "" if it was not."""
    if MOVED_URL not in body:
        return ""
    for extension in json.loads(body).get("extension", ()):
        if extension.get("url") == MOVED_URL:
            return str(extension["valueReference"]["reference"]).removeprefix(_PATIENT)
    return ""
