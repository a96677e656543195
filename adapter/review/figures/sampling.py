"""Selects messages and mentions to read: strata, random samples of each, uncertain mentions.

Every sample is drawn from a seed, so that anybody can draw it again.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

LONG = 1200
"""Characters of free text at and above which a message is long."""
UNSURE = 0.5
"""Entropy in bits of the least certain mention at and above which a message is unsure."""


def margin(score: float) -> float:
    """Return how close a score is to 0.5: 1 at 0.5, 0 at 0 and 1."""
    return 1 - abs(2 * score - 1)


def entropy(score: float) -> float:
    """Return the binary entropy of a score in bits: 1 at 0.5, 0 at 0 and 1."""
    return -sum(p * math.log2(p) for p in (score, 1 - score) if p > 0)


MEASURES: Mapping[str, Callable[[float], float]] = {"margin": margin, "entropy": entropy}
"""Measures of a mention's uncertainty, by its score."""


def stratum(kind: str, length: int, uncertainty: float, samples: int = 0) -> str:
    """Return a message's stratum: type, long or short, sure or unsure, and since which sample.

    ``length`` is in characters of free text, ``uncertainty`` the greatest entropy of its mentions,
    ``samples`` the number of samples drawn before it arrived: they could not contain it, so without
    this, messages of one stratum would not be equally likely to be read.
    """
    size = "long" if length >= LONG else "short"
    since = f" since sample {samples}" if samples else ""
    return f"{kind} {size} {'unsure' if uncertainty >= UNSURE else 'sure'}{since}"


@dataclass(frozen=True, slots=True)
class Frame:
    """A stratum: its number of messages, and the drawn ones."""

    stratum: str
    size: int
    drawn: tuple[str, ...]


def allocate(sizes: Mapping[str, int], wanted: int, read: Collection[str] = ()) -> dict[str, int]:
    """Return how many messages of each stratum to draw: in proportion, and two if it has two.

    Two, because one message gives no variance of its stratum; strata in ``read``, which an earlier
    sample has messages of, get only their share.
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
    """A mention that a person may be asked about; ``phrase`` is a MAC of its text."""

    message: str
    text: int
    start: int
    end: int
    phrase: bytes
    score: float


def uncertain(
    found: Iterable[Candidate], wanted: int, measure: Callable[[float], float]
) -> Sequence[Candidate]:
    """Return the least certain mentions first, one per phrase; certain ones are left out."""
    ordered = sorted(found, key=lambda c: (-measure(c.score), c.message, c.text, c.start))
    best: dict[bytes, Candidate] = {}
    for candidate in ordered:
        if len(best) == wanted:
            break
        if measure(candidate.score) > 0:
            best.setdefault(candidate.phrase, candidate)
    return list(best.values())
