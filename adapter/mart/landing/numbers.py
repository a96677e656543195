"""Selects the patient numbers that identify one person, for any format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.mart.versions import number_key
from adapter.normalize.folding import squeeze

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Numbers:
    """The table ``[numbers]`` of ``rules/mart/hl7v2``; types are codes of HL7 table 0203.

    ``chart`` ranks the preferred types (0 is best). ``shared`` are types that a family or several
    visits share: they identify a patient only if there is no other number. ``placeholders`` are
    squeezed words that stand for a missing number.
    """

    chart: Mapping[str, int] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()
    placeholders: frozenset[str] = frozenset()

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> Numbers:
        """Return the rules from the parsed TOML table."""
        ranks = {kind: at for at, kinds in enumerate(table.get("chart", ())) for kind in kinds}
        return cls(
            ranks, frozenset(table.get("shared", ())), frozenset(table.get("placeholders", ()))
        )

    def of_person(self, sent: Iterable[tuple[str, str]]) -> tuple[str, ...]:
        """Return the number keys of (type, number) pairs, the best first, without placeholders."""
        found = [(kind, number) for kind, number in sent if self._significant(number)]
        own = [item for item in found if item[0] not in self.shared] or found[:1]
        ranked = sorted(own, key=lambda item: self.chart.get(item[0], len(self.chart)))
        return tuple(dict.fromkeys(key for _, number in ranked if (key := number_key(number))))

    def _significant(self, number: str) -> bool:
        """Return whether a text is a number: neither a placeholder nor one repeated character."""
        key = squeeze(number)
        return len(set(key)) > 1 and key not in self.placeholders
