"""Processes a message's segments in order: each creates resources, or extends earlier ones."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.mart.landing.hl7v2.drafts import Draft
from adapter.mart.landing.hl7v2.filling import Filling
from adapter.mart.landing.hl7v2.parents import Parents
from adapter.mart.landing.hl7v2.persons import numbers_of
from adapter.mart.versions import Op, digest, resource_id

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.mart.landing.hl7v2.compiled import Link, Row, Rows
    from adapter.mart.landing.hl7v2.plans import Plan

PERSON = "Patient"
_NEAR = frozenset({"NTE"})
"""Segments that belong only to the segment immediately before them."""
_ORDER = "ORC"
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}")


@dataclass(slots=True, eq=False)
class Walk:
    """The state of processing one message.

    ``begins`` maps a segment to the resources that it creates, ``links`` a resource type to the
    links to it; ``alone`` are the resources created for an order without details.
    """

    plan: Plan
    message_id: str
    begins: Mapping[str, Sequence[str]]
    links: Mapping[str, Sequence[Link]]
    alone: Sequence[str]
    rows: Rows = field(default_factory=dict, repr=False)
    drafts: list[Draft] = field(default_factory=list)
    batches: list[list[Draft]] = field(default_factory=list)
    open: dict[str, Draft] = field(default_factory=dict, repr=False)
    numbers: list[tuple[str, ...]] = field(default_factory=list, repr=False)
    counts: dict[str, int] = field(default_factory=dict)
    filling: Filling = field(init=False)
    parents: Parents = field(init=False)
    subject: str | None = None
    pending: bool = False

    def __post_init__(self) -> None:
        self.filling = Filling(self.plan)
        self.parents = Parents(self.plan)

    def read(self, row: Row, *, several: bool = False) -> None:
        """Process the next segment; ``several``: its text was sent in several rows."""
        name = row[0]
        if name in self.plan.silent:
            return
        for other in self.plan.tables.clears.get(name, ()):
            if other in self.rows:
                self._close(other)
        self.rows[name] = row
        created = self.begins.get(name, ())
        if created and several:
            created = [*created, *self.plan.begins_of_texts]
        self.pending = name == _ORDER or self.pending
        if created:
            self._begin_all(created, row)
        elif not self._extend(row) and name not in self.plan.mapped:
            known = _SEGMENT.fullmatch(name) is not None
            self.filling.rejects.add(name if known else "?", "segment-unmapped")
            return
        self.filling.count_unmapped(name, row)

    def finish(self) -> None:
        """End the message; an order without details becomes a resource of its own."""
        if _ORDER in self.rows:
            self._close(_ORDER)

    def _close(self, name: str) -> None:
        if name == _ORDER and self.pending:
            self.pending = False
            self._begin_all(self.alone, self.rows[_ORDER])
        self.rows.pop(name, None)
        for resource in [r for r, draft in self.open.items() if draft.segment == name]:
            del self.open[resource]

    def _begin_all(self, resources: Sequence[str], row: Row) -> None:
        self.batches.append([])
        for resource in resources:
            self._begin(resource, row)

    def _begin(self, resource: str, row: Row) -> None:
        draft = self._draft(resource, row[0])
        if draft is None:
            return
        self.drafts.append(draft)
        self.batches[-1].append(draft)
        self.open[resource] = draft
        self._refer(draft)
        for segment, table in self.plan.segments(resource).items():
            before = self.rows.get(segment)
            if before is not None and segment not in _NEAR:
                self.filling.apply(table, draft, before, self.rows)
                self.pending = self.pending and segment != _ORDER
        self._link(draft)
        self.parents.see(draft, self.rows)

    def _extend(self, row: Row) -> bool:
        """Add a segment to the latest resources that map it; return False if none does."""
        name = row[0]
        for batch in self.batches[-1:] if name in _NEAR else reversed(self.batches):
            taken = [
                (draft, tables[name])
                for draft in batch
                if self.open.get(draft.resource) is draft
                and name in (tables := self.plan.segments(draft.resource))
            ]
            for draft, table in taken:
                self.filling.apply(table, draft, row, self.rows)
            if taken:
                return True
        return False

    def _draft(self, resource: str, segment: str) -> Draft | None:
        definition = self.plan.tables.resource[resource]
        if resource == PERSON:
            return self._person(segment)
        context = {"patient": self.subject or "", "encounter": self._id_of("Encounter")}
        key = self.plan.keys.of(resource, self.rows, context)
        keyless = key is None
        if key is None:
            if definition.get("keyless") == "drop":
                return None
            key = f"{self.message_id}|{segment}"
        if keyless or self.plan.keys.counted(resource):
            key = self._counted(resource, key)
        op = self._op(resource)
        return Draft(resource, resource_id(resource, key), segment, self.subject, op, keyless)

    def _counted(self, resource: str, key: str) -> str:
        """Return a key; from the second use in the message on, with an ordinal appended."""
        counter = f"{resource}|{key}"
        seen = self.counts[counter] = self.counts.get(counter, 0) + 1
        return f"{key}|{seen}" if seen > 1 else key

    def _op(self, resource: str) -> Op:
        operation = self.plan.operations[resource]
        place = operation.place
        if place is None:
            return operation.usual
        sent = self.plan.at(place.field, place.component, self.rows.get(place.segment))
        return operation.by_code.get(sent, operation.usual)

    def _person(self, segment: str) -> Draft:
        known, rules = self.plan.escapes.delimiters, self.plan.tables.numbers
        numbers = numbers_of(self.rows[segment], known, rules)
        if numbers:
            self.numbers.append(numbers)
        own = digest(f"message|{self.message_id}|{len(self.batches)}")
        self.subject = numbers[0] if numbers else own
        return Draft(PERSON, self.subject, segment, self.subject, Op.MERGE, not numbers)

    def _id_of(self, resource: str) -> str:
        return self.open[resource].id if resource in self.open else ""

    def _refer(self, draft: Draft) -> None:
        for resource, write in self.plan.referring[draft.resource]:
            if resource in self.open:
                write(draft.body, self.open[resource].reference)

    def _link(self, draft: Draft) -> None:
        """Add the references between resources of a group, in either order of creation."""
        for link in self.links.get(draft.resource, ()):
            if link.owner in self.open and link.earlier and link.unless not in self.open:
                _refer(self.open[link.owner], link, draft)
        for to, links in self.links.items():
            for link in links:
                if link.owner == draft.resource and to in self.open and to != draft.resource:
                    _refer(draft, link, self.open[to])


def _refer(owner: Draft, link: Link, to: Draft) -> None:
    element, reference = link.element, to.reference
    known = owner.body.get(element, ())
    if not link.many:
        owner.body[element] = reference
    elif reference not in known:
        owner.body[element] = [*known, reference]
