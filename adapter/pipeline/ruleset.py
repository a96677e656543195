"""The compiled rules and settings: one ruleset, and others for single topics."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from adapter.codecs.envelopes import PLAIN
from adapter.normalize.numerals import Numerals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regex import Pattern

    from adapter.codecs.envelopes import Envelope
    from adapter.codecs.protocol import Codec
    from adapter.fields import FieldPolicy
    from adapter.languages import Recognizer
    from adapter.languages.field_words import FieldWords
    from adapter.pipeline.language import Language
    from adapter.surrogates import Surrogates
    from adapter.types import SecurityLabel
    from adapter.values import Values


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Everything `process` needs, compiled once; ``digest`` identifies the rules, keys excluded.

    This is the ruleset of the general settings; ``topics`` maps a topic's name, or a pattern of
    names, to another. All share one digest.
    """

    codecs: Mapping[str, Codec] = field(repr=False)
    policy: FieldPolicy = field(repr=False)
    values: Values = field(repr=False)
    languages: Mapping[str, Language] = field(repr=False)
    recognizer: Recognizer = field(repr=False)
    fields: FieldWords = field(repr=False)
    """Meanings of the words of structured fields, in all languages."""
    surrogates: Surrogates = field(repr=False)
    leaks: tuple[Pattern[str], ...] = field(repr=False)
    """Patterns of what is never released."""
    headers: frozenset[str] = frozenset()
    """Names of record headers that may pass, in lower case."""
    labels: Mapping[str, SecurityLabel] = field(default_factory=dict)
    """Security label of released messages, by format."""
    digest: str = ""
    authorities: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Squeezed names of assigning authorities -> one name for each authority."""
    numerals: Numerals = field(default_factory=Numerals, repr=False)
    """The number words of the configured languages."""
    pairs: bool = False
    """Whether a release includes the pairs of surrogate and original number."""
    staff: bool = True
    """Whether staff are remembered for the messages of all patients."""
    envelope: Envelope = PLAIN
    """Envelope in which records wrap their messages."""
    topics: Mapping[str, Ruleset] = field(default_factory=dict, repr=False)

    def of(self, topic: str) -> Ruleset:
        """Return a topic's ruleset: by its name, by the first matching pattern, or this one."""
        if topic in self.topics:
            return self.topics[topic]
        fits = (own for pattern, own in self.topics.items() if fnmatchcase(topic, pattern))
        return next(fits, self) if self.topics else self
