"""Text that stays although it equals a known value of the message: eponyms, terms, measurements.

"Foley catheter" occurs in anybody's notes: replacing the name would reveal that this patient is
called Foley. Where a veto is sure (see `SURE`), trusted phrases yield to it and the leak check
skips its extent; "Mr. Foley" beside it is still replaced. A platelet count of 150000 with its unit
is a count, even if somebody's record has that number.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.priorities import covers
from adapter.taggers.english.eponyms import SURE
from adapter.types import Edit, Label, Veto

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.types import Span, TextSegment
    from adapter.values.units import Units


_ANNOTATION = re.compile(r"\{[^{}]*\}")
"""A unit of UCUM that is only an annotation (UCUM, section 6)."""
MEASURED = frozenset({"NM", "SN.2", "SN.4", "decimal", "integer", "Quantity.value"})
"""Datatypes whose numbers are measured values."""


def measurement(segment: TextSegment, texts: Mapping[str, str], units: Units) -> Veto | None:
    """Return the veto of a measured value, or None without a unit (OBX-6, ``Quantity.unit``).

    ``texts`` are the texts of all places of the message, by path. An annotation ("{score}") alone
    measures nothing.
    """
    if segment.datatype not in MEASURED:
        return None
    above, _, _ = segment.path.rpartition("/")
    row, _, _ = segment.path.rpartition("-")
    beside = (f"{above}/unit", f"{above}/code") if above else (f"{row}-6.1", f"{row}-6")
    measures = (texts.get(place, "").strip() for place in beside)
    if not any(units.has(unit) and not _ANNOTATION.fullmatch(unit) for unit in measures):
        return None
    labels = NUMBERS | _DAYS if _SHORT_DAY.fullmatch(segment.text) else NUMBERS
    return Veto(0, len(segment.text), "measurement", labels, SURE)


_DAYS = frozenset({Label.DATE})
_SHORT_DAY = re.compile(r"\s*\d{6}\s*", re.ASCII)
"""Six digits, which a count shares by chance with somebody's date of birth (MMDDYY)."""


NUMBERS = frozenset(label for label in Label if label.category in ("ID", "CONTACT"))
"""Labels of numbers that a measured value may equal by chance."""


def sure(vetoes: Iterable[Span | Veto]) -> list[Veto]:
    """Return the vetoes to which trusted phrases yield."""
    return [item for item in vetoes if isinstance(item, Veto) and item.priority >= SURE]


def unswept(span: Span, vetoes: Iterable[Veto], counts: Counter[str]) -> bool:
    """Whether one of the vetoes keeps a swept span in place; count that veto by its rule."""
    for veto in vetoes:
        if covers(veto, span):
            counts[veto.rule] += 1
            return True
    return False


def passed_over(
    segments: Iterable[TextSegment],
    barred: Mapping[str, Sequence[Veto]],
    measured: Mapping[str, Veto],
    structure: Iterable[TextSegment] = (),
) -> tuple[Edit, ...]:
    """Return the extents that the leak check skips, as edits with empty replacements.

    ``barred`` maps texts to their vetoes; ``measured`` maps the paths of measured values and of
    terms that equal a known number or name to their vetoes. ``structure`` are codes that determine
    how the message is read; they are skipped whole.
    """
    codes = (Edit(segment.path, 0, len(segment.text), "") for segment in structure)
    texts = (
        (segment.path, veto) for segment in segments for veto in sure(barred.get(segment.text, ()))
    )
    barring = (*texts, *measured.items())
    return (*codes, *(Edit(path, veto.start, veto.end, "") for path, veto in barring))
