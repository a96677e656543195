"""What a method is: it learns from annotated texts, and what it learned is a tagger."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from adapter.taggers.crf.word_stats import WordStats
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.evaluate.annotations import Annotated
    from adapter.pipeline.language import Language
    from adapter.taggers.document.document import Document
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.taggers.wordlists import Lexicon
    from adapter.types import Span, Veto

PRIORITY = 75
"""Priority of the spans of methods: that of learned models."""
LABEL_OF = {
    "NAME": Label.PATIENT,
    "LOCATION": Label.CITY,
    "CONTACT": Label.PHONE,
    "ID": Label.IDNUM,
}
"""Annotated types that are a bare category -> the commonest label of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Resources:
    """What a method may use besides annotated texts, of the language of these.

    ``language`` has rules and no learned tagger; ``lexicons`` are by their names in the rules
    ("en-given"). The same texts and ``seed`` give the same model. With ``headers`` the structured
    fields beside a text are trusted. ``word_stats`` are those of the language at large, empty
    where none are shipped; ``elsewhere`` are annotated texts of other domains, such as news.
    """

    language: Language = field(repr=False)
    lexicons: Mapping[str, Lexicon] = field(repr=False)
    seed: int = 7
    headers: bool = False
    word_stats: WordStats = field(default_factory=WordStats, repr=False)
    elsewhere: Sequence[Annotated] = field(default=(), repr=False)


class Learned(Protocol):
    """A trained method: a tagger (see `adapter.taggers.protocol`) that can be kept."""

    @property
    def trusting(self) -> bool:
        """Whether it goes by the trusted phrases."""
        ...

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return the mentions found in document, which may overlap."""
        ...

    def files(self) -> Mapping[str, bytes]:
        """The contents of its model folder by file name; no file holds code that loading runs."""
        ...


class Method(Protocol):
    """One published system."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> Learned:
        """Learn from texts.

        Raises:
            RuleError: the texts lack what it learns from.
        """
        ...

    def read(self, files: Mapping[str, bytes], resources: Resources) -> Learned:
        """Return what `Learned.files` kept.

        Raises:
            RuleError: they are not what it keeps.
        """
        ...


@runtime_checkable
class Stepwise(Protocol):
    """A method of several steps, whose gains are measured one by one."""

    def steps(
        self, texts: Sequence[Annotated], resources: Resources
    ) -> Iterator[tuple[str, Learned]]:
        """Learn from texts; yield what finds mentions up to each step, by the step's name.

        The last one is what `Method.learn` gives.
        """
        ...


def label_of(kind: str) -> Label:
    """The label of spans of an annotated type (see `LABEL_OF`)."""
    return LABEL_OF.get(kind) or Label(kind)
