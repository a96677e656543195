"""The tagger of misspelt names and numbers, and of names inside words, as in user names.

Words of the language are not variants unless a title or another part of the name is adjacent.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

import regex
from rapidfuzz.distance import OSA

from adapter.normalize.folding import squeeze
from adapter.priorities import TRUSTED
from adapter.taggers.trusted.variants.known_names import GIVEN, SHORTEST
from adapter.taggers.trusted.variants.misread import misread_names
from adapter.taggers.trusted.variants.spelling import variant_of
from adapter.types import OTHER_PERSON, VARIANT_SOURCE, Label, Span

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from adapter.languages.cues import Cues
    from adapter.taggers.document.document import Document
    from adapter.taggers.document.resources import Resources
    from adapter.taggers.trusted.index import Names, PhraseIndex
    from adapter.taggers.trusted.variants.known_names import KnownNames
    from adapter.types import TrustedPhrase, Veto

    Found = tuple[int, int, TrustedPhrase]

PRIORITY = TRUSTED
_RUN_TOGETHER = 5
"""Minimum number of letters in a name that is found inside a longer word."""
_PATIENT = "patient"
_NUMBER = regex.compile(r"(?<![\d.])\d(?:[-]?\d){5,}(?![\d.]*\d)")
_TIME = regex.compile(r"[ /@,]{1,2}(?:[01][0-9]|2[0-3]):?[0-5][0-9](?![\p{L}\p{N}:.,/-]*\p{N})")
"""A time of day directly behind a user name."""
_REACH = 32
"""Characters before a number or user name that are searched for a word announcing it."""


class VariantTagger:
    """Finds misspelt names, user names, and numbers with one digit wrong or two swapped."""

    trusting = True

    def __init__(self, resources: Resources) -> None:
        """Take the words of the language, which count as correctly spelt."""
        self._ordinary: Container[str] = resources.words
        self._is_common = resources.is_common
        self._listed = tuple(
            resources.lexicons.get(f"{resources.language}-{kind}", frozenset())
            for kind in ("given", "family", "city")
        )
        self._eponyms = tuple(
            resources.lexicons.get(name, frozenset())
            for name in (f"{resources.language}-eponym", "any-inventor")
        )

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return one span per misspelt word or number."""
        known, numbers = phrases.known_names, phrases.lookup.numbers
        found: list[Found] = []
        if known.names:
            found += self._uncommon(document, known, phrases)
            found += self._common(document, known, phrases.cues)
            found += self._cut_short(document, known)
            found += misread_names(document.folded, known.names)
            found += known.parts.parted(document, self._is_common)
            found += known.parts.interrupted(document.folded)
        if numbers:
            found += _numbers(document, numbers, phrases.cues)
        return [_span(start, end, phrase) for start, end, phrase in found]

    def _uncommon(
        self, document: Document, known: KnownNames, phrases: PhraseIndex
    ) -> Iterator[Found]:
        """Yield words outside the language that resemble a name, contain one, or name a user."""
        names = known.names
        words = [
            (word, starts)
            for word, starts in document.index.items()
            if len(word) >= SHORTEST
            and word.isalpha()
            and word not in names
            and not self._is_common(word)
        ]
        for word, starts in words:
            phrase = variant_of(word, known)
            if phrase is not None:
                if self._is_other(phrase, word, starts, document, phrases.cues):
                    phrase = replace(phrase, entity="", form=OTHER_PERSON)
                yield from ((start, start + len(word), phrase) for start in starts)
                continue
            users = list(_users(word, starts, document, phrases))
            if users:
                yield from users
            elif len(word) > _RUN_TOGETHER:
                yield from self._run_together(word, starts, names)

    def _is_other(
        self, phrase: TrustedPhrase, word: str, starts: list[int], document: Document, cues: Cues
    ) -> bool:
        """Whether a name like the patient's is a relative's: the text says so, or its ending.

        "Twin sister Marielina" is not the patient Marieliza, wherever else the text names her.
        """
        if not phrase.entity.startswith(_PATIENT) or not phrase.form.startswith(GIVEN):
            return False
        text = document.folded
        if any(cues.related.search(text, max(0, start - _REACH), start) for start in starts):
            return True
        return _of_other_sex(word, squeeze(phrase.text)) and word in self._listed[0]

    def _run_together(self, word: str, starts: list[int], names: Names) -> Iterator[Found]:
        """Yield a name that a faulty export joined to a common word: "Okaforreports", "wifeabena".

        With exactly one letter before the name, the word is a user name: "jokafor". A word that is
        a name or an eponym is left whole: "Babinski", where a patient is called Babin.
        """
        for name, phrases in names.items():
            if name not in word or len(name) < _RUN_TOGETHER or phrases[0].ordinary:
                continue
            before, _, after = word.partition(name)
            if len(before) == 1 and not after:
                login = _login(phrases[0])
                yield from ((start, start + len(word), login) for start in starts)
                return
            if any(word in own for own in (*self._listed, *self._eponyms)):
                return
            if all(not part or part in self._ordinary for part in (before, after)):
                for start in starts:
                    first = start + len(before)
                    yield first, first + len(name), phrases[0]
                return

    def _cut_short(self, document: Document, known: KnownNames) -> Iterator[Found]:
        """Yield beginnings of a given name, such as "Euphem", that are no words or other names."""
        index = document.index
        for word, phrase in known.beginnings.items():
            if word not in index or word in known.names or self._is_common(word):
                continue
            if any(word in own for own in self._listed):
                continue
            for start in index[word]:
                if document.text[start].isupper():
                    yield start, start + len(word), phrase

    def _common(self, document: Document, known: KnownNames, cues: Cues) -> Iterator[Found]:
        """Yield words of the language that misspell a name beside a title or another part of it."""
        tokens, names = document.tokens, known.names
        for place in _neighbours(document, names, cues):
            word, start = tokens.words[place], tokens.starts[place]
            if len(word) < SHORTEST or word in names or not document.text[start].isupper():
                continue
            if self._is_common(word):
                phrase = variant_of(word, known)
                if phrase is not None:
                    yield start, tokens.ends[place], phrase


def _users(
    word: str, starts: list[int], document: Document, phrases: PhraseIndex
) -> Iterator[Found]:
    """Yield the places where a word is a user name made of a person's names.

    A time of day announces it, too: "gbone 0244; scribe".
    """
    anywhere = phrases.logins.find(word, announced=False)
    announced = anywhere or phrases.logins.find(word, announced=True)
    if announced is None:
        return
    before = phrases.cues.user_before
    for start in starts:
        end = start + len(word)
        told = anywhere or before.search(document.folded, max(0, start - _REACH), start)
        if told or _TIME.match(document.folded, end):
            yield start, end, announced


def _of_other_sex(word: str, name: str) -> bool:
    """Whether two names differ in the ending of men's and women's names ("Martin", "Martina")."""
    if word[:-1] == name[:-1]:
        return {word[-1], name[-1]} == {"a", "o"}
    return f"{word}a" == name or f"{name}a" == word


def _login(phrase: TrustedPhrase) -> TrustedPhrase:
    return replace(phrase, label=Label.USERNAME, form=f"{{given[0]}}{phrase.form}")


def _neighbours(document: Document, names: Names, cues: Cues) -> Iterator[int]:
    """Yield tokens after titles, and on both sides of trusted names, across one dot or comma."""
    tokens, index = document.tokens, document.index
    titles = cues.doctors | cues.persons
    for word in (*sorted(index.keys() & titles), *sorted(index.keys() & names.keys())):
        for start in index[word]:
            place = bisect_left(tokens.starts, start)
            yield from _next_word(place, 1, document)
            if word in names:
                yield from _next_word(place, -1, document)


def _next_word(place: int, step: int, document: Document) -> Iterator[int]:
    tokens = document.tokens
    beside = place + step
    if 0 <= beside < len(tokens) and tokens.words[beside] in (".", ","):
        beside += step
    if not 0 <= beside < len(tokens):
        return
    low, high = sorted((place, beside))
    gap = document.text[tokens.ends[low] : tokens.starts[high]]
    if " " in gap and "\n" not in gap and len(gap) <= len(". "):
        yield beside


def _numbers(document: Document, known: Mapping[str, TrustedPhrase], cues: Cues) -> Iterator[Found]:
    """Yield numbers that differ from a trusted one by one edit, after words for a number."""
    for match in _NUMBER.finditer(document.folded):
        digits = match.group().replace("-", "")
        if digits in known or not cues.called_before.search(
            document.folded, max(0, match.start() - _REACH), match.start()
        ):
            continue
        for number, phrase in known.items():
            if len(number) == len(digits) and OSA.distance(number, digits, score_cutoff=1) <= 1:
                yield match.start(), match.end(), phrase
                break


def _span(start: int, end: int, phrase: TrustedPhrase) -> Span:
    form = phrase.form or None
    return Span(
        start, end, phrase.label, VARIANT_SOURCE, 1.0, PRIORITY, phrase.entity or None, form
    )
