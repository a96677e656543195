"""The lexicons that distinguish names from words in one language, and classes of cue words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.taggers.wordlists import Lexicon

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from adapter.taggers.document.resources import Resources

CLASSES = (
    "title", "doctor", "credential", "staff", "kin", "patient", "field", "particle", "by", "verb",
    "prep", "facility", "centre", "org", "generic", "demonym", "brandish", "street", "place",
    "stop", "heading", "tail", "eponymic", "surehead", "closing", "thing",
)  # fmt: skip
"""Classes of ``<language>-cue``; class k has the bit ``1 << k``."""
BIT = {name: 1 << place for place, name in enumerate(CLASSES)}
"""Class name -> its bit in `Reading.cues`."""

OFTEN_GIVEN, OFTEN_FAMILY = 9, 6
"""Minimum strengths of given and family names that many people have."""
RARELY_A_NAME = 2
"""Strength of an eponym that is rarely a person or place."""
PLACE_LISTS = ("state", "country", "known", "hospital", "city")
"""Lexicons of places and organisations whose items may have several words."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The lexicons that distinguish names from words in one language."""

    given: Mapping[str, int] = field(repr=False)
    family: Mapping[str, int] = field(repr=False)
    ordinary: Mapping[str, int] = field(repr=False)
    medical: Mapping[str, int] = field(repr=False)
    eponym: Mapping[str, int] = field(repr=False)
    eponyms: Lexicon = field(repr=False)
    city: Lexicon = field(repr=False)
    state: Lexicon = field(repr=False)
    country: Lexicon = field(repr=False)
    known: Lexicon = field(repr=False)
    hospital: Lexicon = field(repr=False)
    trade: Lexicon = field(repr=False)
    job: Lexicon = field(repr=False)
    abbreviation: Mapping[str, int] = field(repr=False)
    cues: Mapping[str, int] = field(repr=False)
    plain_words: frozenset[str] = field(repr=False)
    glued: Container[str] = field(repr=False)
    """Beginnings of family names that a capital follows ("Mc")."""
    apostrophes: Container[str] = field(repr=False)
    """Letters before the apostrophe of a family name."""
    eponym_starts: frozenset[str] = field(repr=False)
    """First words of all eponyms."""
    place_starts: frozenset[str] = field(repr=False)
    """First words of all listed places and organisations."""

    @classmethod
    def of(cls, resources: Resources) -> Vocabulary:
        """Take the lexicons ``<language>-given`` etc. from the resources.

        Raises:
            RuleError: a lexicon is missing; the error names it.
        """

        def lexicon(name: str) -> Lexicon:
            found = resources.lexicons.get(f"{resources.language}-{name}")
            if not isinstance(found, Lexicon):
                raise RuleError(f"lexicons/{resources.language}-{name}", "missing")
            return found

        given, family = lexicon("given").strengths, lexicon("family").strengths
        ordinary = lexicon("ordinary").strengths
        medical, abbreviation = lexicon("medical").strengths, lexicon("abbreviation").strengths
        eponym = {w: s for w, s in lexicon("eponym").strengths.items() if s == RARELY_A_NAME}
        common = {w for w, s in ordinary.items() if s > 0 or not _common(w, given, family)}
        beyond = (medical.keys() | abbreviation.keys() | eponym.keys()) - ordinary.keys()
        return cls(
            given=given,
            family=family,
            ordinary=ordinary,
            medical=medical,
            abbreviation=abbreviation,
            eponym=eponym,
            eponyms=lexicon("eponym"),
            city=lexicon("city"),
            state=lexicon("state"),
            country=lexicon("country"),
            known=lexicon("known"),
            hospital=lexicon("hospital"),
            trade=lexicon("trade"),
            job=lexicon("job"),
            cues=_bits(lexicon("cue")),
            plain_words=frozenset(common | beyond),
            glued=resources.glued,
            apostrophes=resources.apostrophes,
            eponym_starts=frozenset(lexicon("eponym").strengths) | lexicon("eponym").lengths.keys(),
            place_starts=frozenset().union(
                *(lexicon(name).strengths for name in ("state", "country", "known")),
                *(lexicon(name).lengths for name in PLACE_LISTS),
            ),
        )

    def named(self, word: str) -> bool:
        """Whether a word is listed as a given or family name."""
        return word in self.given or word in self.family

    def plain(self, word: str) -> bool:
        """Whether a word is a word of the language or of medicine rather than a name."""
        return word in self.plain_words

    def common_name(self, word: str) -> bool:
        """Whether a word is a name that many people have."""
        return _common(word, self.given, self.family)


def _common(word: str, given: Mapping[str, int], family: Mapping[str, int]) -> bool:
    return given.get(word, 0) >= OFTEN_GIVEN or family.get(word, 0) >= OFTEN_FAMILY


def _bits(cues: Lexicon) -> dict[str, int]:
    """Map each cue word to the bits of its classes (see `BIT`)."""
    return {
        word: sum(BIT[name] for name in classes if name in BIT)
        for word, classes in cues.classes.items()
    }
