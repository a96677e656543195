"""Trigger events: what a message does to the resources it names, besides what its fields say.

A merge is told by MRG (HL7 v2.8.2, 3.3.34 to 3.3.51); the persons are put together when they are
read, so nothing is rewritten here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter.mart.landing.hl7v2.drafts import Draft
from adapter.mart.landing.hl7v2.persons import merges_of, priors_of
from adapter.mart.versions import Merge, Op, resource_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adapter.mart.landing.hl7v2.compiled import Row
    from adapter.mart.landing.hl7v2.plans import Plan
    from adapter.mart.landing.hl7v2.walk import Walk

ENCOUNTER = "Encounter"
_PRIOR_VISIT, _ERROR = 5, "entered-in-error"


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the table of events."""

    spec: Mapping[str, Any]

    @property
    def merges(self) -> bool:
        """Whether MRG names earlier numbers of the same person, not another patient's."""
        return self.spec.get("merge") != "moved"

    @property
    def links(self) -> bool:
        """Whether all patients of the message are one person."""
        return bool(self.spec.get("link"))

    @property
    def unmapped(self) -> bool:
        """Whether the event does something that the mart cannot follow."""
        return bool(self.spec.get("unmapped"))

    def change(self, draft: Draft) -> Iterator[Draft]:
        """Change a resource as the event says; yield what else is said of it."""
        entry = self.spec.get(draft.resource)
        if entry is None:
            return
        draft.op = Op(entry.get("op", draft.op))
        restored = [name for name in entry.get("restore", ()) if not draft.body.get(name)]
        if draft.op is Op.STATUS:
            draft.body = {}
        draft.body.update(_removing(entry.get("set", {})))
        if restored:
            body = dict.fromkeys(restored)
            yield Draft(
                draft.resource, draft.id, draft.segment, draft.subject, Op.RESTORE, body=body
            )


def merged(event: Event, walk: Walk, row: Row) -> tuple[Merge, ...]:
    """Return the merges that a MRG after the patient's PID says."""
    if not event.merges or walk.subject is None:
        return ()
    priors = priors_of(row, walk.plan.escapes.delimiters, walk.plan.tables.numbers)
    return merges_of(priors, walk.subject)


def superseded(event: Event, walk: Walk, row: Row) -> Draft | None:
    """Return the visit that another takes the place of, if that is what the event says."""
    if event.spec.get("merge") != "visit" or len(row) <= _PRIOR_VISIT or not row[_PRIOR_VISIT]:
        return None
    number = prior_visit(walk.plan, row, walk.subject or "")
    current = walk.open.get(ENCOUNTER)
    body: dict[str, Any] = {"status": _ERROR}
    if number is None or (current is not None and current.id == number):
        return None
    return Draft(ENCOUNTER, number, row[0], walk.subject, Op.STATUS, body=body)


def prior_visit(plan: Plan, row: Row, patient: str) -> str | None:
    """Return the id of the Encounter whose number MRG-5 is."""
    rows = {"PV1": ["PV1", *[""] * 18, row[_PRIOR_VISIT]]}
    key = plan.keys.of(ENCOUNTER, rows, {"patient": patient})
    return resource_id(ENCOUNTER, key) if key is not None else None


def _removing(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is set; "" is an element that is removed, for TOML has no null."""
    return {
        name: _removing(value) if isinstance(value, dict) else value or None
        for name, value in said.items()
    }
