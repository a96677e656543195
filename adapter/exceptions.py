"""Eponyms that stay though somebody in the message bears their name.

"Foley catheter" stands in everybody's notes: another name in its place would tell that this
patient is called Foley. Where a veto is that sure, trusted phrases yield to it and the leak check
passes over it; "Mr. Foley" beside it goes all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.eponyms import SURE
from adapter.types import Edit, Veto

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.types import Span, TextSegment


def sure(vetoes: Iterable[Span | Veto]) -> list[Veto]:
    """Return the vetoes to which trusted phrases yield."""
    return [item for item in vetoes if isinstance(item, Veto) and item.priority >= SURE]


def unswept(span: Span, vetoes: Iterable[Veto], counts: Counter[str]) -> bool:
    """Whether a swept span stays for one of these vetoes, which is then counted."""
    for veto in vetoes:
        labelled = not veto.labels or span.label in veto.labels
        if labelled and veto.start <= span.start and span.end <= veto.end:
            counts[veto.rule] += 1
            return True
    return False


def passed_over(
    segments: Iterable[TextSegment], barred: Mapping[str, Sequence[Veto]]
) -> tuple[Edit, ...]:
    """Return the extents that the leak check passes over, as if they were replaced."""
    return tuple(
        Edit(segment.path, veto.start, veto.end, "")
        for segment in segments
        for veto in sure(barred.get(segment.text, ()))
    )
