"""Maps the fields of a segment to a resource, and counts the fields that no line maps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.mart.landing.hl7v2.datatypes.leaves import NULL
from adapter.mart.landing.hl7v2.drafts import Rejects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.mart.landing.hl7v2.compiled import FieldRule, Row, Rows, SegmentTable
    from adapter.mart.landing.hl7v2.datatypes.leaves import Made
    from adapter.mart.landing.hl7v2.drafts import Draft
    from adapter.mart.landing.hl7v2.plans import Plan
    from adapter.mart.landing.hl7v2.writers import Body

_NONE = frozenset[int]()


@dataclass(slots=True, eq=False)
class Filling:
    """Maps the fields of one message; collects further resources and rejects."""

    plan: Plan
    made: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    rejects: Rejects = field(default_factory=Rejects)
    repetition: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.repetition = self.plan.escapes.delimiters.repetition

    def apply(self, table: SegmentTable, draft: Draft, row: Row, rows: Rows) -> None:
        """Map the fields of a segment to a resource; ``rows`` are the segments in its context."""
        count, body, repetition = len(row), draft.body, self.repetition
        for number, rules in table.fields:
            if number >= count or not (raw := row[number]):
                continue
            rule = rules[0]
            if rule.plain and rule.read and repetition not in raw and raw != NULL:
                value, made = rule.read(raw)
                if value is not None:
                    rule.write(body, value)
                    if made:
                        self._add_resources(made)
                    continue
            self._field(rules, draft, (row, number), rows)
        for rule in table.constants:
            if rule.condition is None or self.plan.holds(rule.condition, row, rows):
                rule.write(draft.body, rule.constant)

    def _field(
        self, rules: Sequence[FieldRule], draft: Draft, place: tuple[Row, int], rows: Rows
    ) -> None:
        """Map a field by all lines whose condition holds; count it if none of them accepts it."""
        row, number = place
        taken = [
            self._unusual(rule, draft, row, number)
            if rule.read is None or row[number] == NULL
            else self._values(rule, draft.body, row[number])
            for rule in rules
            if not rule.condition or self.plan.holds(rule.condition, row, rows)
        ]
        if taken and not any(taken):
            self.rejects.add(f"{row[0]}-{number}", "value-unmapped")

    def _unusual(self, rule: FieldRule, draft: Draft, row: Row, number: int) -> bool:
        """Map a field that is an explicit null, gives a constant, or needs other fields."""
        if row[number] == NULL:
            draft.body.setdefault(rule.element, None)
        elif rule.special is None:
            rule.write(draft.body, rule.constant)
        else:
            made: list[Made] = []
            taken = rule.special(draft.body, row, made)
            self._add_resources(made)
            return taken
        return True

    def _values(self, rule: FieldRule, body: Body, raw: str) -> bool:
        """Write a field's values; return False if the line is strict and accepts none of them."""
        assert rule.read is not None
        parts = raw.split(self.repetition) if self.repetition in raw else (raw,)
        taken = not rule.strict
        for part in parts if rule.many else parts[:1]:
            value, made = rule.read(part)
            if value is not None:
                rule.write(body, value)
                taken = True
                if made:
                    self._add_resources(made)
        return taken

    def _add_resources(self, made: Sequence[Made]) -> None:
        for resource, number, body in made:
            self.made.setdefault((resource, number), body)

    def count_unmapped(self, name: str, row: Row) -> None:
        """Count the valued fields of a segment that no line maps."""
        known = self.plan.mapped.get(name, _NONE)
        for number in [n for n, raw in enumerate(row) if raw and n not in known]:
            self.rejects.add(f"{name}-{number}", "field-unmapped")
