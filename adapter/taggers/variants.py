"""Misspelt names and numbers: what differs little from a trusted phrase.

Damerau-Levenshtein distance bounded by length, d / min(len) < 1/3 (Richter-Pechanski 2018, after
Yuwono 2016), tighter for short names; or the same sound. Words of the language are no variants
unless a title or another part of the name stands beside them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import regex
from rapidfuzz.distance import OSA

from adapter.folding import squeeze
from adapter.taggers.context import DOCTOR_TITLES, PERSON_TITLES
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from adapter.taggers.document import Document
    from adapter.taggers.phrases import Names, PhraseIndex
    from adapter.taggers.resources import Resources
    from adapter.types import TrustedPhrase, Veto

PRIORITY = 90
SOURCE = "variant"
SHORTEST = 4
"""Letters of a name, and of a word, that may be a variant."""
SHORTEST_NUMBER = 6
_SHORT = 5
_FOUR = 4
_MEDIUM = 6
_TITLES = DOCTOR_TITLES | PERSON_TITLES
_NUMBER = regex.compile(r"(?<![\d.])\d(?:[-]?\d){5,}(?![\d.]*\d)")
_NUMBER_CUE = regex.compile(
    r"(?i)(?:\bmrn|\bm\.r\.|\bchart|\brecord|\bid|\bacct|\baccount|\bssn|\bno|\bnumber|#|\bphone"
    r"|\btel|\bcell|\bcall|\bmember|\bpolicy)\W{0,3}(?:(?:number|no|num|id|at|is)\W{0,3})?\Z"
)
_REACH = 32
_SOUNDS = (
    (regex.compile(r"^(?:kn|gn|pn)"), "n"),
    (regex.compile(r"^wr"), "r"),
    (regex.compile(r"ph"), "f"),
    (regex.compile(r"sch|sh|ch|cz|tsch"), "x"),
    (regex.compile(r"ck|c(?![eiy])|q"), "k"),
    (regex.compile(r"c|z|ts"), "s"),
    (regex.compile(r"th|dt"), "t"),
    (regex.compile(r"v"), "f"),
    (regex.compile(r"(?<!^)gh|(?<!^)[hw]"), ""),
    (regex.compile(r"^[aeiouy]+"), "a"),
    (regex.compile(r"(?<!^)[aeiouy]+"), ""),
    (regex.compile(r"(.)\1+"), r"\1"),
)
_SHORTEST_SOUND = 3


@lru_cache(maxsize=65536)
def sound(word: str) -> str:
    """Return a key that words of like sound share: consonant classes, vowels dropped."""
    for pattern, replacement in _SOUNDS:
        word = pattern.sub(replacement, word)
    return word


def close(word: str, name: str) -> bool:
    """Whether a folded word is a misspelling of a folded name and not the name itself."""
    shortest = min(len(word), len(name))
    if shortest < SHORTEST or word == name:
        return False
    most = (shortest - 1) // 3
    distance = OSA.distance(word, name, score_cutoff=max(most, 2))
    if distance <= most:
        return _tight(word, name, shortest)
    return (
        distance <= max(2, shortest // 3)
        and shortest > _SHORT
        and word[0] == name[0]
        and len(sound(name)) >= _SHORTEST_SOUND
        and sound(word) == sound(name)
    )


def _tight(word: str, name: str, shortest: int) -> bool:
    """What short names need besides the distance: the same first letter, or swapped letters."""
    if word[0] == name[0]:
        return shortest > _FOUR or len(word) != len(name) or sorted(word) == sorted(name)
    if sorted(word) == sorted(name):
        return True
    return shortest > _MEDIUM and word[1:] == name[1:]


class VariantTagger:
    """Finds misspelt parts of names, and numbers with one digit wrong or two swapped."""

    def __init__(self, resources: Resources) -> None:
        """Take the words of the language, which are no misspellings."""
        self._ordinary: Container[str] = resources.words
        self._medical: Container[str] = resources.lexicons.get(
            f"{resources.language}-medical", frozenset()
        )

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return one span for every misspelt word or number."""
        found = [*self._words(document, phrases), *_numbers(document, phrases)]
        return [_span(start, end, phrase) for start, end, phrase in found]

    def _words(
        self, document: Document, phrases: PhraseIndex
    ) -> Iterator[tuple[int, int, TrustedPhrase]]:
        names = phrases.names
        if not names:
            return
        for word, starts in document.index.items():
            if len(word) < SHORTEST or not word.isalpha() or word in names:
                continue
            common = word in self._ordinary or word in self._medical
            if common and not _beside_names(starts, document, names):
                continue
            phrase = variant_of(word, names)
            if phrase is None:
                continue
            for start in starts:
                if not common or _beside_names([start], document, names):
                    yield start, start + len(word), phrase


def variant_of(word: str, names: Names) -> TrustedPhrase | None:
    """Return the phrase whose name a folded word misspells; None if there is none."""
    length = len(word)
    for name, phrases in names.items():
        if abs(len(name) - length) <= length // 3 and close(word, name):
            certain = (phrase for phrase in phrases if not phrase.ordinary)
            return next(certain, None)
    return None


def _beside_names(starts: list[int], document: Document, names: Names) -> bool:
    """Whether a title, or a part of a trusted name, stands before or behind the word."""
    text = document.folded
    for start in starts:
        if not document.text[start].isupper():
            continue
        before = _WORD_BEFORE.search(text, max(0, start - _REACH), start)
        if before is not None and (before[1] in _TITLES or before[1] in names):
            return True
        after = _WORD_AFTER.match(text, start)
        if after is not None and after[1] in names:
            return True
    return False


_WORD_BEFORE = regex.compile(r"([^\W\d_]+)[., ]{1,2}\Z")
_WORD_AFTER = regex.compile(r"[^\W\d_]+,? ([^\W\d_]+)")


def _numbers(document: Document, phrases: PhraseIndex) -> Iterator[tuple[int, int, TrustedPhrase]]:
    """Numbers one digit off a trusted one, behind words that announce a number."""
    known = {
        squeeze(phrase.text): phrase
        for phrase in phrases.phrases
        if phrase.label in _NUMBERED and len(phrase.text) >= SHORTEST_NUMBER
    }
    known = {digits: phrase for digits, phrase in known.items() if digits.isdigit()}
    if not known:
        return
    for match in _NUMBER.finditer(document.folded):
        digits = match.group().replace("-", "")
        if digits in known or not _NUMBER_CUE.search(
            document.folded, max(0, match.start() - _REACH), match.start()
        ):
            continue
        for number, phrase in known.items():
            if len(number) == len(digits) and OSA.distance(number, digits, score_cutoff=1) <= 1:
                yield match.start(), match.end(), phrase
                break


_NUMBERED = frozenset(label for label in Label if label.category == "ID") | {Label.PHONE, Label.FAX}


def _span(start: int, end: int, phrase: TrustedPhrase) -> Span:
    return Span(start, end, phrase.label, SOURCE, 1.0, PRIORITY, phrase.entity, phrase.form)
