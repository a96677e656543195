"""Trigger events: their effects on the resources and persons of a message, beyond its fields.

MRG gives the merges (HL7 v2.8.2, 3.3.34 to 3.3.51). Persons are resolved when the mart is read, so
nothing is rewritten here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.mart.folding.moves import ACCOUNT, account_of
from adapter.mart.landing.hl7v2.drafts import Draft
from adapter.mart.landing.hl7v2.keys import SHORT
from adapter.mart.landing.hl7v2.persons import merges_of, old_of, priors_of
from adapter.mart.versions import Merge, Op, Parting, resource_id
from adapter.normalize.folding import squeeze

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adapter.mart.landing.hl7v2.compiled import Row
    from adapter.mart.landing.hl7v2.plans import Plan
    from adapter.mart.landing.hl7v2.walk import Walk

ENCOUNTER = "Encounter"
_PAIR = 2
_PRIOR_ACCOUNT, _PRIOR_VISIT, _ERROR = 3, 5, "entered-in-error"


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the event table."""

    spec: Mapping[str, Any]

    @property
    def merges(self) -> bool:
        """Whether MRG has earlier numbers of the same person, not of another patient."""
        return self.spec.get("merge") != "moved"

    @property
    def links(self) -> bool:
        """Whether all patients in the message are one person."""
        return bool(self.spec.get("link"))

    def change(self, draft: Draft) -> Iterator[Draft]:
        """Apply the event to a resource; yield further versions of it."""
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


@dataclass(slots=True)
class EventEffects:
    """The effects of an event on persons, visits and accounts, beyond the message's fields."""

    event: Event
    merges: list[Merge] = field(default_factory=list)
    partings: list[Parting] = field(default_factory=list)
    numbers: list[tuple[str, ...]] = field(default_factory=list, repr=False)
    further: list[Draft] = field(default_factory=list)

    def read(self, walk: Walk, row: Row) -> None:
        """Process an MRG segment, which belongs to the PID before it."""
        if walk.subject is None:
            return
        priors = priors_of(row, walk.plan.escapes.delimiters, walk.plan.tables.numbers)
        spec = self.event.spec
        if self.event.merges:
            self.merges.extend(merges_of(priors, walk.subject))
        if spec.get("merge") == "visit":
            self.further.extend(_superseded(walk, row))
        if spec.get("move") == "account":
            self.further.extend(_moved_account(walk, row, priors))
        if spec.get("move") == "numbers":
            self._move_numbers(walk, priors)

    def _move_numbers(self, walk: Walk, priors: tuple[str, ...]) -> None:
        """Move the numbers that PID-3 and MRG-1 have in common to another person (3.3.43).

        The other numbers in PID identify that person; older versions have them in PID-2.
        """
        own = walk.numbers[-1] if walk.numbers else ()
        moved = tuple(number for number in own if number in priors)
        old = old_of(walk.rows["PID"], walk.plan.escapes.delimiters, walk.plan.tables.numbers)
        if moved and {*own, *old} - {*moved}:
            self.partings.append(Parting(moved))
            self.numbers.append(tuple(dict.fromkeys((*moved, *old))))

    def finish(self, walk: Walk) -> None:
        """Process the end of the message: A37 unlinks the patients of its two PIDs (3.3.37)."""
        if self.event.spec.get("part") == "patients" and len(walk.numbers) == _PAIR:
            one, other = walk.numbers
            if not set(one) & set(other):
                self.partings.append(Parting(one, other))

    @property
    def unmapped(self) -> bool:
        """Whether the event unlinks or moves something that the message does not identify."""
        expected = "part" in self.event.spec or "move" in self.event.spec
        return expected and not (self.partings or self.further)


def _moved_account(walk: Walk, row: Row, priors: tuple[str, ...]) -> Iterator[Draft]:
    """Yield the account in MRG-3, which moves from the patient in MRG to that in PID (3.3.44)."""
    known, subject = walk.plan.escapes.delimiters, walk.subject
    sent = row[_PRIOR_ACCOUNT] if len(row) > _PRIOR_ACCOUNT else ""
    number = squeeze(sent.partition(known.repetition)[0].partition(known.component)[0])
    if subject and priors and subject not in priors and len(number) >= SHORT:
        own, body = resource_id(ACCOUNT, number), account_of(subject, priors[0])
        yield Draft(ACCOUNT, own, row[0], subject, Op.REPLACE, body=body)


def _superseded(walk: Walk, row: Row) -> Iterator[Draft]:
    """Yield the visit in MRG-5 as entered in error, since another visit replaces it."""
    if len(row) <= _PRIOR_VISIT or not row[_PRIOR_VISIT]:
        return
    number = prior_visit(walk.plan, row, walk.subject or "")
    current = walk.open.get(ENCOUNTER)
    if number is not None and (current is None or current.id != number):
        body: dict[str, Any] = {"status": _ERROR}
        yield Draft(ENCOUNTER, number, row[0], walk.subject, Op.STATUS, body=body)


def prior_visit(plan: Plan, row: Row, patient: str) -> str | None:
    """Return the id of the Encounter with the visit number in MRG-5, or None."""
    rows = {"PV1": ["PV1", *[""] * 18, row[_PRIOR_VISIT]]}
    key = plan.keys.of(ENCOUNTER, rows, {"patient": patient})
    return resource_id(ENCOUNTER, key) if key is not None else None


def _removing(elements: Mapping[str, Any]) -> dict[str, Any]:
    """Return the elements to set, with None for "", because TOML has no null."""
    return {
        name: _removing(value) if isinstance(value, dict) else value or None
        for name, value in elements.items()
    }
