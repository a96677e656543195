"""Decide between spans of rules and learned spans of the same text.

Rules of sufficient priority are certain and are kept beside the learned spans; other rules only
give features. Where a certain rule overlaps a learned span, the learned extent wins, unless that
would uncover a digit or part of a word: rules know numbers best, the model knows the extent of
names best. For the same reason a learned date gives up digits behind it: "12/28" is the date in
"signed12/280610". A mention that a title, kinship or the name of a number introduces is kept whole
under any model: coverage never shrinks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.priorities import TRUSTED
from adapter.types import Label, Veto

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.types import Span


def arbitrated(
    text: str, found: Iterable[Span | Veto], learned: Sequence[Span], sure: int
) -> list[Span | Veto]:
    """Return what is kept of ``found``, and ``learned``; rules of priority ``sure`` are certain."""
    found = list(found)
    ends = dict(_date_ends(text, found, sure))
    learned = [_ended(text, span, ends) for span in learned] if ends else learned
    covered = bytearray(len(text))
    for span in learned:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    stands = (
        item
        for item in found
        if isinstance(item, Veto)
        or ((item.sure or item.priority >= sure) and not _yields(text, item, covered))
    )
    return [*stands, *learned]


def _date_ends(text: str, found: Iterable[Span | Veto], sure: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of dates by certain rules that end between two digits."""
    for item in found:
        dated = not isinstance(item, Veto) and item.label is Label.DATE
        if dated and sure <= item.priority < TRUSTED:
            around = text[item.end - 1 : item.end + 1]
            if len(around) == 2 and around.isdigit():  # noqa: PLR2004 - on both sides of the end
                yield item.start, item.end


def _ended(text: str, span: Span, ends: Mapping[int, int]) -> Span:
    """Return a date without the digits of a time that follow it directly."""
    end = ends.get(span.start, span.end) if span.label is Label.DATE else span.end
    return replace(span, end=end) if text[end : span.end].isdigit() else span


def _yields(text: str, span: Span, covered: bytearray) -> bool:
    """Whether learned spans replace the extent of a rule's span; trusted phrases never yield."""
    if span.priority >= TRUSTED or 1 not in covered[span.start : span.end]:
        return False
    left = [at for at in range(span.start, span.end) if not covered[at]]
    if span.sure:
        return not any(text[at].isalnum() for at in left)
    return not any(text[at].isdigit() or _cuts_word(text, at, covered) for at in left)


def _cuts_word(text: str, at: int, covered: bytearray) -> bool:
    """Whether an uncovered letter is adjacent to a covered one of the same word."""
    beside = text[at - 1] if at and covered[at - 1] else ""
    beside += text[at + 1] if covered[at + 1 : at + 2] == b"\1" else ""
    return text[at].isalnum() and any(map(str.isalnum, beside))
