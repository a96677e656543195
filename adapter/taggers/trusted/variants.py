"""The tagger of misspelt names and numbers, and of names inside words, as in user names.

Damerau-Levenshtein distance bounded by length, d / min(len) < 1/3 (Richter-Pechanski 2018, after
Yuwono 2016), tighter for short names; or the same sound. Words of the language are not variants
unless a title or another part of the name is adjacent.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import regex
from rapidfuzz import process
from rapidfuzz.distance import OSA

from adapter.normalize.folding import squeeze
from adapter.priorities import TRUSTED
from adapter.taggers.trusted.misread import misread_names
from adapter.taggers.trusted.parted import certain, interrupted_names, parted_names
from adapter.types import OTHER_PERSON, VARIANT_SOURCE, Label, Span

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from adapter.languages.cues import Cues
    from adapter.taggers.document.document import Document
    from adapter.taggers.document.resources import Resources
    from adapter.taggers.trusted.index import Names, PhraseIndex
    from adapter.types import TrustedPhrase, Veto

    Found = tuple[int, int, TrustedPhrase]

PRIORITY = TRUSTED
SHORTEST = 4
"""Minimum number of letters in a name that may have variants, and in a word that may be one."""
_SHORT = 5
"""Maximum number of letters in a name that is not compared by its sound."""
_RUN_TOGETHER = 5
"""Minimum number of letters in a name that is found inside a longer word."""
_MEDIUM = 6
"""Maximum number of letters in a name that keeps its first letter, and has two edits at most."""
_MOST_NEAR = 3
"""Maximum number of names that are compared with a word, the nearest first."""
_PATIENT = "patient"
_GIVEN = ("{given", "{middle")
_SHORTEST_CUT, _FEWEST_CUT = 5, 2
"""Minimum number of letters in the beginning of a given name, and in what is cut off."""
_NUMBER = regex.compile(r"(?<![\d.])\d(?:[-]?\d){5,}(?![\d.]*\d)")
_REACH = 32
"""Characters before a number or user name that are searched for a word announcing it."""
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
"""Minimum length of a phonetic key that is evidence."""


@lru_cache(maxsize=65536)
def sound(word: str) -> str:
    """Return a phonetic key: classes of consonants, without inner vowels. Memoised."""
    for pattern, replacement in _SOUNDS:
        word = pattern.sub(replacement, word)
    return word


def close(word: str, name: str) -> bool:
    """Whether a folded word is a misspelling of a folded name and not the name itself."""
    shortest = min(len(word), len(name))
    if shortest < SHORTEST or word == name:
        return False
    most = (shortest - 1) // 3
    distance = OSA.distance(word, name, score_cutoff=_heard(shortest))
    if distance <= most:
        return _tight(word, name, shortest)
    return (
        distance <= _heard(shortest)
        and shortest > _SHORT
        and word[0] == name[0]
        and len(sound(name)) >= _SHORTEST_SOUND
        and sound(word) == sound(name)
    )


def _heard(length: int) -> int:
    """Return the greatest edit distance of names that sound alike."""
    return max(3, length // 3) if length > _MEDIUM else 2


def _tight(word: str, name: str, shortest: int) -> bool:
    """Whether names agree further, as short ones must: in the first letter, or swapped letters."""
    if word[0] == name[0]:
        return shortest > SHORTEST or len(word) != len(name) or sorted(word) == sorted(name)
    if sorted(word) == sorted(name):
        return True
    return shortest > _MEDIUM and word[1:] == name[1:]


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

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return one span per misspelt word or number."""
        lookup = phrases.lookup
        found: list[Found] = []
        if lookup.names:
            found += self._uncommon(document, lookup.names, phrases)
            found += self._common(document, lookup.names, phrases.cues)
            found += self._cut_short(document, lookup.names)
            found += misread_names(document.folded, lookup.names)
            found += parted_names(document, lookup.names, self._is_common)
            found += interrupted_names(document.folded, lookup.names)
        if lookup.numbers:
            found += _numbers(document, lookup.numbers, phrases.cues)
        return [_span(start, end, phrase) for start, end, phrase in found]

    def _uncommon(self, document: Document, names: Names, phrases: PhraseIndex) -> Iterator[Found]:
        """Yield words outside the language that resemble a name, contain one, or name a user."""
        words = [
            (word, starts)
            for word, starts in document.index.items()
            if len(word) >= SHORTEST
            and word.isalpha()
            and word not in names
            and not self._is_common(word)
        ]
        long = [name for name in names if len(name) >= SHORTEST] if words else []
        for word, starts in words:
            phrase = variant_of(word, long, names)
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
        if not phrase.entity.startswith(_PATIENT) or not phrase.form.startswith(_GIVEN):
            return False
        text = document.folded
        if any(cues.related.search(text, max(0, start - _REACH), start) for start in starts):
            return True
        return _of_other_sex(word, squeeze(phrase.text)) and word in self._listed[0]

    def _run_together(self, word: str, starts: list[int], names: Names) -> Iterator[Found]:
        """Yield a name that a faulty export joined to a common word: "Okaforreports", "wifeabena".

        With exactly one letter before the name, the word is a user name: "jokafor".
        """
        for name, phrases in names.items():
            if name not in word or len(name) < _RUN_TOGETHER or phrases[0].ordinary:
                continue
            before, _, after = word.partition(name)
            if len(before) == 1 and not after:
                login = _login(phrases[0])
                yield from ((start, start + len(word), login) for start in starts)
                return
            if all(not part or part in self._ordinary for part in (before, after)):
                for start in starts:
                    first = start + len(before)
                    yield first, first + len(name), phrases[0]
                return

    def _cut_short(self, document: Document, names: Names) -> Iterator[Found]:
        """Yield beginnings of a given name, such as "Euphem", that are no words or other names."""
        index = document.index
        cuts: dict[str, TrustedPhrase] = {}
        for cut, phrase in _beginnings(names):
            if cut in index:
                cuts.setdefault(cut, phrase)
        for word, phrase in cuts.items():
            if word in names or self._is_common(word) or any(word in own for own in self._listed):
                continue
            for start in index[word]:
                if document.text[start].isupper():
                    yield start, start + len(word), phrase

    def _common(self, document: Document, names: Names, cues: Cues) -> Iterator[Found]:
        """Yield words of the language that misspell a name beside a title or another part of it."""
        tokens = document.tokens
        for place in _neighbours(document, names, cues):
            word, start = tokens.words[place], tokens.starts[place]
            if len(word) < SHORTEST or word in names or not document.text[start].isupper():
                continue
            if self._is_common(word):
                phrase = variant_of(word, [n for n in names if len(n) >= SHORTEST], names)
                if phrase is not None:
                    yield start, tokens.ends[place], phrase


def _beginnings(names: Names) -> Iterator[tuple[str, TrustedPhrase]]:
    """Yield the beginnings of given names without at least two of their letters."""
    for name, phrases in names.items():
        for phrase in phrases:
            if phrase.form.startswith(_GIVEN) and not phrase.ordinary:
                for length in range(_SHORTEST_CUT, len(name) - _FEWEST_CUT + 1):
                    yield name[:length], phrase


def _users(
    word: str, starts: list[int], document: Document, phrases: PhraseIndex
) -> Iterator[Found]:
    """Yield the places where a word is a user name made of a person's names."""
    anywhere = phrases.logins.find(word, announced=False)
    announced = anywhere or phrases.logins.find(word, announced=True)
    if announced is None:
        return
    before = phrases.cues.user_before
    for start in starts:
        if anywhere or before.search(document.folded, max(0, start - _REACH), start):
            yield start, start + len(word), announced


def _of_other_sex(word: str, name: str) -> bool:
    """Whether two names differ in the ending of men's and women's names ("Martin", "Martina")."""
    if word[:-1] == name[:-1]:
        return {word[-1], name[-1]} == {"a", "o"}
    return f"{word}a" == name or f"{name}a" == word


def _login(phrase: TrustedPhrase) -> TrustedPhrase:
    return replace(phrase, label=Label.USERNAME, form=f"{{given[0]}}{phrase.form}")


def variant_of(word: str, candidates: Sequence[str], names: Names) -> TrustedPhrase | None:
    """Return the phrase whose name a folded word misspells, or None."""
    most = _heard(len(word))
    near = process.extract(
        word, candidates, scorer=OSA.distance, processor=None, score_cutoff=most, limit=_MOST_NEAR
    )
    for name, _, _ in near:
        if close(word, name):
            phrase = certain(names[name])
            if phrase is not None:
                return phrase
    return None


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
