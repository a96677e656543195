"""Everything that processing goes by, compiled: one ruleset, and others for single topics."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from adapter.codecs.envelopes import PLAIN
from adapter.normalize.numerals import Numerals

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    """Everything `process` needs, compiled once; ``digest`` names the rules, keys excluded.

    It is that of the general settings; ``topics`` has others by a topic's name or a pattern of
    names, and all of them bear the one digest.
    """

    codecs: Mapping[str, Codec] = field(repr=False)
    policy: FieldPolicy = field(repr=False)
    values: Values = field(repr=False)
    languages: Mapping[str, Language] = field(repr=False)
    recognizer: Recognizer = field(repr=False)
    fields: FieldWords = field(repr=False)
    """What the words of structured fields mean, in any language."""
    surrogates: Surrogates = field(repr=False)
    headers: frozenset[str] = frozenset()
    """Names of record headers that may pass, in lower case."""
    labels: Mapping[str, SecurityLabel] = field(default_factory=dict)
    """What released messages say was done to them, by format."""
    digest: str = ""
    authorities: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Squeezed names of assigning authorities -> one name for each authority."""
    numerals: Numerals = field(default_factory=Numerals, repr=False)
    """The number words of the configured languages."""
    pairs: bool = False
    """Whether a release includes the pairs of surrogate and original number."""
    envelope: Envelope = PLAIN
    """What records wrap their messages in."""
    topics: Mapping[str, Ruleset] = field(default_factory=dict, repr=False)

    def of(self, topic: str) -> Ruleset:
        """Return the ruleset of a topic: under its own name, the first pattern, or this one."""
        if topic in self.topics:
            return self.topics[topic]
        fits = (own for pattern, own in self.topics.items() if fnmatchcase(topic, pattern))
        return next(fits, self) if self.topics else self
