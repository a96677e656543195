"""Parent results within a message, which OBR-26 and OBR-29 identify.

The parent of a susceptibility is the organism found, that of a reflex test the result that
triggered it (HL7 v2.8.2, 4.5.3.26 and 4.5.3.29).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.normalize.folding import squeeze

if TYPE_CHECKING:
    from adapter.mart.landing.hl7v2.compiled import Rows
    from adapter.mart.landing.hl7v2.drafts import Draft
    from adapter.mart.landing.hl7v2.plans import Plan

_PARENT_RESULT, _PARENT_ORDER = 26, 29
_PLACER, _FILLER = 2, 3
_CODE, _SUB_ID = 3, 4

Numbers = tuple[str, str]
"""An order's placer and filler numbers; "" for one that was not sent."""


@dataclass(slots=True, eq=False)
class Parents:
    """The results of one message by (code, sub-id), with the numbers of their orders."""

    plan: Plan
    results: dict[tuple[str, str], list[tuple[Draft, Numbers]]] = field(
        default_factory=dict, repr=False
    )

    def see(self, draft: Draft, rows: Rows) -> None:
        """Write a result's reference to its parent, and register it as a possible parent."""
        write = self.plan.parents.get(draft.resource)
        order, result = rows.get("OBR"), rows.get("OBX")
        if write is None or order is None or result is None:
            return
        parent = self._parent(order)
        if parent is not None:
            write(draft.body, parent.reference)
        own = squeeze(self.plan.at(_CODE, 1, result)), squeeze(self.plan.at(_SUB_ID, 1, result))
        numbers = self.plan.at(_PLACER, 1, order), self.plan.at(_FILLER, 1, order)
        self.results.setdefault(own, []).append((draft, numbers))

    def _parent(self, order: list[str]) -> Draft | None:
        """Return the last result that matches OBR-26 and, if it is sent, OBR-29."""
        named = self._first(order, _PARENT_RESULT, 1), self._first(order, _PARENT_RESULT, 2)
        if not named[0]:
            return None
        wanted = self._first(order, _PARENT_ORDER, 1), self._first(order, _PARENT_ORDER, 2)
        for draft, numbers in reversed(self.results.get(named, ())):
            sent = [(w, squeeze(n)) for w, n in zip(wanted, numbers, strict=True) if w and n]
            if all(w == n for w, n in sent):
                return draft
        return None

    def _first(self, row: list[str], number: int, component: int) -> str:
        """Return the first subcomponent of a component, squeezed."""
        known = self.plan.escapes.delimiters
        return squeeze(self.plan.at(number, component, row).partition(known.subcomponent)[0])
