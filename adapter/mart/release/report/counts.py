"""Publishable counts: primary suppression, secondary suppression, then rounding.

Suppression precedes rounding, because a small count might be rounded up to a large one. A single
suppressed count could be computed from the total, so the smallest other count is suppressed too
(secondary suppression), also while the sum of the suppressed counts is below the minimum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def publishable(
    counts: Mapping[str, int], minimum: int, rounding: int = 1
) -> dict[str, int | None]:
    """Return publishable counts of a table with a known total; None if suppressed, 0 stays 0."""
    small = {name for name, n in counts.items() if 0 < n < minimum}
    while (small and sum(counts[name] for name in small) < minimum) or len(small) == 1:
        others = [name for name, n in counts.items() if name not in small and n > 0]
        if not others:
            break
        small.add(min(others, key=lambda name: (counts[name], name)))
    return {name: None if name in small else rounded(n, rounding) for name, n in counts.items()}


def single(count: int, minimum: int, rounding: int = 1) -> int | None:
    """Return the publishable form of a count that is not part of a table; None if suppressed."""
    return None if 0 < count < minimum else rounded(count, rounding)


def rounded(count: int, rounding: int) -> int:
    """Return a count rounded to the nearest multiple of ``rounding``."""
    return round(count / rounding) * rounding
