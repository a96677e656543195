"""Publishable counts: small ones are suppressed, then another one, then all are rounded.

Suppression comes before rounding: a small count that was rounded first might pass for a large one.
Where one count alone is suppressed, the total gives it away; the least of the others goes with it
(secondary suppression), and so does a total of which less than the minimum is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def publishable(
    counts: Mapping[str, int], minimum: int, rounding: int = 1
) -> dict[str, int | None]:
    """The counts of a table whose total is known; None is a suppressed one, 0 stays 0."""
    small = {name for name, n in counts.items() if 0 < n < minimum}
    while (small and sum(counts[name] for name in small) < minimum) or len(small) == 1:
        others = [name for name, n in counts.items() if name not in small and n > 0]
        if not others:
            break
        small.add(min(others, key=lambda name: (counts[name], name)))
    return {name: None if name in small else rounded(n, rounding) for name, n in counts.items()}


def single(count: int, minimum: int, rounding: int = 1) -> int | None:
    """Return one count that is not part of a table."""
    return None if 0 < count < minimum else rounded(count, rounding)


def rounded(count: int, rounding: int) -> int:
    """Return a count rounded to the nearest multiple."""
    return round(count / rounding) * rounding
