"""One CRF over all types and nothing else, a baseline for the steps of the hybrid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.methods.crf import chains

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.evaluate.annotations import Annotated
    from adapter.methods.crf.chains import Chains
    from adapter.methods.protocol import Resources
    from adapter.taggers.document.document import Document
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span


class Crf:
    """Learns one chain."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> Found:
        """Learn from texts."""
        return Found(chains.learn(chains.Plan(), texts, resources))

    def read(self, files: Mapping[str, bytes], resources: Resources) -> Found:
        """Return the tagger of a model's files."""
        return Found(chains.read(chains.Plan(), files, resources))


@dataclass(frozen=True, slots=True)
class Found:
    """Tags with trained chains only."""

    chains: Chains = field(repr=False)
    trusting: bool = False

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span]:
        """Return the mentions of all chains."""
        del phrases
        return self.chains.find(document)

    def files(self) -> Mapping[str, bytes]:
        """Return the weights by file name."""
        return self.chains.files()
