"""Ids of definitions: where their words say what is defined they stay, here and in references."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.surrogates.uris.publishers import spelt

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Definitions:
    """Resource types that define things, and whether words of an id say what is defined."""

    kinds: frozenset[str] = frozenset()
    describes: Callable[[str], bool] = field(default=lambda _: False, repr=False)

    def naming(self, identify: Callable[[str], str], real: frozenset[str]) -> Callable[[str], str]:
        """Return what keeps such ids, unless a word of one is ``real``, and replaces others."""

        def name(text: str) -> str:
            stays = self.describes(text) and real.isdisjoint(spelt(text))
            return text if stays else identify(text)

        return name


NONE_DEFINED = Definitions()
