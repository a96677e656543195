"""Known names that a stray blank, hyphen or line break parts: "Thistle waite", "Oko nji-dele"."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from adapter.taggers.document.document import Document
    from adapter.types import TrustedPhrase

SHORTEST = 6
"""Minimum number of letters in a name that is looked for in two parts."""
_LONG = 8
"""Minimum number of letters in a name both parts of which may be words of the language."""
_SHORTEST_REST = 4
"""Minimum number of letters beside a part of one letter."""
_GAP = regex.compile(r"[ \t]{1,2}|-?[ ]?\r?\n[ ]{0,8}|-")


def parted_names(
    document: Document,
    names: Mapping[str, Sequence[TrustedPhrase]],
    is_common: Callable[[str], bool],
) -> Iterator[tuple[int, int, TrustedPhrase]]:
    """Yield (start, end, phrase) of two neighbouring words that make up a known name.

    Names that are words of the language are left alone, as are parts that are names themselves,
    and two common words unless the first is capitalised, the second is not, and the name is long.
    """
    index = document.index
    for name, phrases in names.items():
        for cut in range(1, len(name)) if len(name) >= SHORTEST else ():
            first, second = name[:cut], name[cut:]
            if first not in index or second not in index or not _tells(first, second):
                continue
            if first in names or second in names or phrases[0].ordinary:
                continue
            common = is_common(first) and is_common(second)
            for start in index[first]:
                end = _end(document, start + cut, second)
                if end and not (common and not _is_broken(document.text[start:end], name, cut)):
                    yield start, end, phrases[0]


def _tells(first: str, second: str) -> bool:
    """Whether parts are long enough to be more than an initial and a short word."""
    return min(len(first), len(second)) > 1 or max(len(first), len(second)) >= _SHORTEST_REST


def _end(document: Document, place: int, second: str) -> int:
    """Return the end of the second part if nothing but a gap is between the parts, else 0."""
    starts = document.index[second]
    gap = _GAP.match(document.text, place)
    if gap is None:
        return 0
    at = bisect_left(starts, gap.end())
    return gap.end() + len(second) if at < len(starts) and starts[at] == gap.end() else 0


def _is_broken(text: str, name: str, cut: int) -> bool:
    """Whether two common words are written as one name would be: "Under wood"."""
    return len(name) >= _LONG and text[0].isupper() and text[-(len(name) - cut)].islower()
