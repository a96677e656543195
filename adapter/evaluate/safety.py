"""Safety of released texts: leaked PHI, and text redacted without need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.evaluate.token_labels import TokenLabels


@dataclass(frozen=True, slots=True)
class Safety:
    """Counts over texts and tokens; a token is protected by a span of any type."""

    with_phi: int
    leak_free: int
    without_phi: int
    touched: int
    tokens: int
    spurious: int

    @property
    def leak_free_share(self) -> float:
        """The share of texts with PHI in which every PHI token is protected."""
        return self.leak_free / self.with_phi if self.with_phi else 0.0

    @property
    def touched_share(self) -> float:
        """The share of texts without PHI in which anything is redacted."""
        return self.touched / self.without_phi if self.without_phi else 0.0

    @property
    def over_redaction(self) -> float:
        """Tokens redacted without need, per 1,000 tokens of text."""
        return 1000 * self.spurious / self.tokens if self.tokens else 0.0


def safety(labels: Iterable[TokenLabels]) -> Safety:
    """Count leaks and over-redaction over texts."""
    with_phi = leak_free = without_phi = touched = tokens = spurious = 0
    for each in labels:
        lost = sum(bool(p) and not g for g, p in zip(each.gold, each.predicted, strict=True))
        tokens, spurious = tokens + len(each), spurious + lost
        if any(each.gold):
            with_phi += 1
            leak_free += all(p for g, p in zip(each.gold, each.predicted, strict=True) if g)
        else:
            without_phi += 1
            touched += lost > 0
    return Safety(with_phi, leak_free, without_phi, touched, tokens, spurious)
