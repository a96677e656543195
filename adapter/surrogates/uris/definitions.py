"""Ids of definitions, which stay, also in references, if their words describe the definition."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.surrogates.uris.publishers import spelt

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Definitions:
    """Resource types that define things, and a test whether an id's words describe them."""

    kinds: frozenset[str] = frozenset()
    describes: Callable[[str], bool] = field(default=lambda _: False, repr=False)

    def naming(self, identify: Callable[[str], str], real: frozenset[str]) -> Callable[[str], str]:
        """Return a function that replaces ids, except descriptive ones without a ``real`` word."""

        def name(text: str) -> str:
            stays = self.describes(text) and real.isdisjoint(spelt(text))
            return text if stays else identify(text)

        return name


NONE_DEFINED = Definitions()
