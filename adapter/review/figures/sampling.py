"""Selects messages and mentions to read: strata, stratified random samples, uncertain mentions.

Every sample is drawn with a seed, so that it can be reproduced.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

LONG = 1200
"""Number of characters of free text from which a message is long."""
UNSURE = 0.5
"""Entropy in bits of the least certain mention from which a message is unsure."""


def margin(score: float) -> float:
    """Return how close a score is to 0.5: 1 at 0.5, 0 at 0 and 1."""
    return 1 - abs(2 * score - 1)


def entropy(score: float) -> float:
    """Return the binary entropy of a score in bits: 1 at 0.5, 0 at 0 and 1."""
    return -sum(p * math.log2(p) for p in (score, 1 - score) if p > 0)


MEASURES: Mapping[str, Callable[[float], float]] = {"margin": margin, "entropy": entropy}
"""Measures of a mention's uncertainty, as functions of its score."""


def stratum(kind: str, length: int, uncertainty: float, samples: int = 0) -> str:
    """Return a message's stratum: type, long or short, sure or unsure, and the preceding sample.

    ``length`` is in characters of free text, ``uncertainty`` the greatest entropy of its mentions
    in bits, ``samples`` the number of samples drawn before it arrived. Earlier samples could not
    contain it, so messages of one stratum would otherwise not be equally likely to be drawn.
    """
    size = "long" if length >= LONG else "short"
    since = f" since sample {samples}" if samples else ""
    return f"{kind} {size} {'unsure' if uncertainty >= UNSURE else 'sure'}{since}"


@dataclass(frozen=True, slots=True)
class Frame:
    """A stratum: its number of messages, and the ids of those drawn."""

    stratum: str
    size: int
    drawn: tuple[str, ...]


def allocate(sizes: Mapping[str, int], wanted: int, read: Collection[str] = ()) -> dict[str, int]:
    """Return the number of messages to draw from each stratum: proportional, but at least two.

    One message gives no variance of its stratum. Strata in ``read``, which an earlier sample drew
    from, get their proportional share only.
    """
    total = sum(sizes.values())
    if not total:
        return {}
    return {
        name: min(size, max(0 if name in read else 2, round(wanted * size / total)))
        for name, size in sorted(sizes.items())
        if size
    }


def draw(
    messages: Iterable[tuple[str, str]], wanted: int, seed: int, read: Collection[str] = ()
) -> list[Frame]:
    """Draw (id, stratum) messages at random within each stratum; ``read`` as in `allocate`."""
    members: dict[str, list[str]] = defaultdict(list)
    for name, where in messages:
        members[where].append(name)
    quota = allocate({where: len(names) for where, names in members.items()}, wanted, read)
    source = random.Random(seed)  # noqa: S311 - a reproducible sample, not a secret
    return [
        Frame(where, len(members[where]), tuple(source.sample(sorted(members[where]), number)))
        for where, number in quota.items()
    ]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mention that may be put to a reviewer; ``phrase`` is a MAC of its text."""

    message: str
    text: int
    start: int
    end: int
    phrase: bytes = field(repr=False)
    score: float


def uncertain(
    found: Iterable[Candidate], wanted: int, measure: Callable[[float], float]
) -> Sequence[Candidate]:
    """Return up to ``wanted`` uncertain mentions, the least certain first, one per phrase."""
    ordered = sorted(found, key=lambda c: (-measure(c.score), c.message, c.text, c.start))
    best: dict[bytes, Candidate] = {}
    for candidate in ordered:
        if len(best) == wanted:
            break
        if measure(candidate.score) > 0:
            best.setdefault(candidate.phrase, candidate)
    return list(best.values())
