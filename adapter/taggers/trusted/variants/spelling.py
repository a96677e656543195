"""Misspellings of names: an edit distance bounded by length, or the same sound.

Damerau-Levenshtein distance, d / min(len) < 1/3 (Richter-Pechanski 2018, after Yuwono 2016),
tighter for short names.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import regex
from rapidfuzz import process
from rapidfuzz.distance import OSA

from adapter.taggers.trusted.variants.known_names import SHORTEST
from adapter.taggers.trusted.variants.parts import certain

if TYPE_CHECKING:
    from adapter.taggers.trusted.variants.known_names import KnownNames
    from adapter.types import TrustedPhrase

_SHORT = 5
"""Maximum number of letters in a name that is not compared by its sound."""
_MEDIUM = 6
"""Maximum number of letters in a name that keeps its first letter, and has two edits at most."""
_MOST_NEAR = 3
"""Maximum number of names that are compared with a word, the nearest first."""
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


def variant_of(word: str, known: KnownNames) -> TrustedPhrase | None:
    """Return the phrase whose name a folded word misspells, or None."""
    most = _heard(len(word))
    near = process.extract(
        word, known.long, scorer=OSA.distance, processor=None, score_cutoff=most, limit=_MOST_NEAR
    )
    for name, _, _ in near:
        if close(word, name):
            phrase = certain(known.names[name])
            if phrase is not None:
                return phrase
    return None
