"""The crosswalk of surrogates to patients' numbers, which goes only to an escrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.types import Edit, Extraction, Message, Span

_PATIENT = "patient"
_NUMBER = "ID"


def crosswalk(
    message: Message,
    extraction: Extraction,
    spans: Mapping[str, tuple[Span, ...]],
    edits: Sequence[Edit],
) -> Iterator[tuple[str, str]]:
    """Yield (surrogate, original) for each replaced mention of a patient's number."""
    patients = {e.id for e in extraction.entities if e.role == _PATIENT}
    new = {(edit.path, edit.start): edit.text for edit in edits}
    for segment in message.segments:
        for span in spans.get(segment.path, ()):
            surrogate = new.get((segment.path, span.start))
            if surrogate and span.entity in patients and span.label.category == _NUMBER:
                yield surrogate, segment.text[span.start : span.end]
