"""The protocol of methods: a method learns from annotated texts and returns a tagger."""

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
    from adapter.taggers.neural.vectors import Vectors
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.taggers.wordlists import Lexicon
    from adapter.types import Span, Veto

PRIORITY = 75
"""Priority of the spans of methods."""
LABEL_OF = {
    "NAME": Label.PATIENT,
    "LOCATION": Label.CITY,
    "CONTACT": Label.PHONE,
    "ID": Label.IDNUM,
}
"""Annotated type that is only a category -> the category's most frequent label."""


@dataclass(frozen=True, slots=True, eq=False)
class Resources:
    """The resources of a language that a method may use besides annotated texts.

    ``language`` has rules and no learned tagger; ``lexicons`` are by their names in the rules
    ("en-given"). The same texts and ``seed`` give the same model. With ``headers`` the structured
    fields beside a text are trusted. ``word_stats`` are those of the general language, empty if
    none are shipped; ``elsewhere`` are annotated texts of other domains, such as news; ``vectors``
    are pretrained ones of words.
    """

    language: Language = field(repr=False)
    lexicons: Mapping[str, Lexicon] = field(repr=False)
    seed: int = 7
    headers: bool = False
    word_stats: WordStats = field(default_factory=WordStats, repr=False)
    elsewhere: Sequence[Annotated] = field(default=(), repr=False)
    vectors: Vectors | None = field(default=None, repr=False)


class Learned(Protocol):
    """A trained method: a tagger (see `adapter.taggers.protocol`) that can be stored."""

    @property
    def trusting(self) -> bool:
        """Whether the tagger uses the trusted phrases."""
        ...

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return the mentions found in a document, which may overlap."""
        ...

    def files(self) -> Mapping[str, bytes]:
        """Return the contents of the model folder by file name; loading runs no code in them."""
        ...


class Method(Protocol):
    """A published system that can be trained."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> Learned:
        """Learn from texts.

        Raises:
            RuleError: the texts are not sufficient to learn from.
        """
        ...

    def read(self, files: Mapping[str, bytes], resources: Resources) -> Learned:
        """Return the trained method in the files of `Learned.files`.

        Raises:
            RuleError: a file is missing or malformed.
        """
        ...


@runtime_checkable
class Stepwise(Protocol):
    """A method of several steps, whose gains can be measured separately."""

    def steps(
        self, texts: Sequence[Annotated], resources: Resources
    ) -> Iterator[tuple[str, Learned]]:
        """Learn from texts; yield the name of each step and the tagger up to that step.

        The last tagger is the one that `Method.learn` returns.
        """
        ...


def label_of(kind: str) -> Label:
    """Return the label of an annotated type (see `LABEL_OF`).

    Raises:
        ValueError: the type is unknown.
    """
    return LABEL_OF.get(kind) or Label(kind)
