"""Accounts that were moved to another patient (HL7 v2.8.2, 3.3.44: A44), with their visits.

A visit names its account, and may have been told of before the move or after it. The account's
versions say from whom to whom it went.
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
"""Extension of an Account with the patient it was moved from."""
_PATIENT = "Patient/"


def account_of(subject: str, prior: str) -> dict[str, Any]:
    """The body of an account that went from one patient to another, by their number keys."""
    from_whom = {"url": MOVED_URL, "valueReference": {"reference": f"{_PATIENT}{prior}"}}
    told = {"subject": [{"reference": f"{_PATIENT}{subject}"}], "status": "unknown"}
    return {**told, "extension": [from_whom]}


@dataclass(frozen=True, slots=True)
class Moves:
    """Accounts' references -> the patients each went from and to, in their order."""

    of: dict[str, list[tuple[str, str]]] = field(repr=False)

    @classmethod
    def read(cls, accounts: Iterable[Iterable[Version]]) -> Moves:
        """Those that the versions of accounts tell of."""
        found: dict[str, list[tuple[str, str]]] = {}
        for version in (version for versions in accounts for version in versions):
            prior = _moved_from(version.body)
            if prior and version.subject:
                reference = f"{ACCOUNT}/{version.resource_id}"
                found.setdefault(reference, []).append((prior, version.subject))
        return cls(found)

    def applied(self, now: Current, person: Callable[[str], str]) -> Current:
        """A visit as its account's patient has it; ``person`` is that of a number key."""
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
    """The number key of the patient that an account was moved from; "" if it was not."""
    if MOVED_URL not in body:
        return ""
    for extension in json.loads(body).get("extension", ()):
        if extension.get("url") == MOVED_URL:
            return str(extension["valueReference"]["reference"]).removeprefix(_PATIENT)
    return ""
