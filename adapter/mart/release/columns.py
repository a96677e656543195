"""Selects the columns of a view that may be released, with reasons for excluding the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.mart.views.columns import Field
    from adapter.mart.views.compiler import CompiledView

PERSON = "person_id"
COMPLEX = "it may hold elements that are left out"
UNKNOWN = "it reads an element that FHIR R4 does not have"
KEY = "id"
FREE_TEXT = frozenset({"string", "markdown"})
DATES = frozenset({"date", "dateTime", "instant"})


@dataclass(frozen=True, slots=True)
class Split:
    """A view's columns: those to release, and (name, reason) of the excluded ones."""

    released: tuple[Field, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that are keys of resources."""
        return tuple(column.name for column in self.released if column.fhir == KEY)

    @property
    def date(self) -> str | None:
        """The first date column, by which a person's rows are sorted, or None."""
        dated = (c.name for c in self.released if c.fhir in DATES or c.type == "DATE")
        return next(dated, None)


class LeftOut:
    """The elements excluded from all releases, by FHIR type (``rules/mart/released.toml``)."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self._reasons: dict[tuple[str, str], str] = {}
        for group in rules["left_out"]:
            for kind, names in group["elements"].items():
                for name in names or [""]:
                    self._reasons[kind, name] = group["reason"]

    def reason(self, owner: str | None, name: str) -> str | None:
        """Return why an element may not be released; None if it may."""
        if owner is None:
            return UNKNOWN
        if name == "":
            return COMPLEX
        bare = name.removeprefix("_")
        return self._reasons.get((owner, bare)) or self._reasons.get((owner, ""))

    def split(self, view: CompiledView) -> Split:
        """Split the columns of a view into those to release and those to exclude."""
        reasons = {column.name: self._column(column) for column in view.columns}
        return Split(
            released=tuple(c for c in view.columns if reasons[c.name] is None),
            left_out=tuple((name, why) for name, why in reasons.items() if why is not None),
        )

    def _column(self, column: Field) -> str | None:
        if column.name == PERSON:
            return "its name is that of the person's key"
        if column.type.startswith("JSON"):
            return COMPLEX
        found = (self.reason(*pair) for pair in sorted(column.touched, key=str))
        return next((reason for reason in found if reason is not None), None)


def related(view: CompiledView, split: Split, name: str) -> tuple[str, ...]:
    """Return the released columns that share an element with the named one, which is included."""
    own = {c.name: _elements(view, c) for c in split.released}
    return tuple(other for other, elements in own.items() if elements & own[name])


def _elements(view: CompiledView, column: Field) -> set[str]:
    return {name for owner, name in column.touched if owner == view.resource}
