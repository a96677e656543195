"""The words of codes and their displays; any other word may be somebody's name."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    Found = regex.Match[str]

SHORTEST, SHORTEST_CAPITALS = 4, 6
"""Minimum number of letters in a word that must be known in a listed code; of one in capitals."""
LOCAL, LOCAL_CAPITALS = 8, 9
"""Minimum number of letters in a lone unknown word that is a name; of such a word in capitals."""
PART = 4
"""Minimum number of letters in each part of a compound."""
RUN_TOGETHER = 12
"""Minimum number of letters in a capitalised word that may be a compound: surnames are shorter."""
STEM = 3
"""Minimum number of letters before an ending that no name has."""
MISSPELT = 8
"""Minimum number of letters in an unknown word that may be a known one with two letters swapped."""
NAME = 3
"""Minimum number of letters in each word of a full name."""
KNOWN_GIVEN = 3
"""Minimum strength of a given name that indicates a full name."""

_ELIDED = r"(?i:qu|[cdjlmnst])['\u2019]"
"""What French words are joined to: "d'imagerie", "l'urgence"."""
_WORD = regex.compile(
    r"\p{Lu}['\u2019]\p{Lu}[\p{L}\p{M}]+"
    rf"|(?!\b{_ELIDED}\p{{Ll}})\p{{Lu}}?[\p{{Ll}}\p{{M}}]+(?:['\u2019]\p{{Ll}}+)?"
    r"|\p{Lu}[\p{Lu}\p{M}]*(?!\p{Ll})"
)
_BEHIND_ELIDED = regex.compile(rf"\b{_ELIDED}\Z")
_DOUBLE = regex.compile(r"\p{Lu}\p{Ll}{2,20}-\p{Lu}\p{Ll}{2,20}")
_OTHER = regex.compile(r"[\p{L}--\p{Latin}--\p{Greek}]{2}", flags=regex.V1)
_POSSESSIVE = regex.compile(r"['\u2019]s\Z")
_VOWEL = regex.compile(r"[aeiouy]")
_APART = regex.compile(rf"[ ]?[ /-][ ]?|\b{_ELIDED}(?=\p{{Ll}})")
_MOST_WORDS = 6
_SPACE = regex.compile(r"[ -]|, ?")
_BESIDE = regex.compile(r"[,:;]?[ ]|[:,;]")
_QUOTES = ("'", '"', "\u2019")
_OPENING, _BLANKS = ("\u00ab", "\u201c", "\u201e"), " \u00a0\u202f"
"""Quotation marks that begin a quotation, behind which French has a blank."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Folded words of the configured languages, of tables of codes and of FHIR's elements."""

    words: frozenset[str] = field(default=frozenset(), repr=False)
    given: Mapping[str, int] = field(default_factory=dict, repr=False)
    family: Container[str] = field(default=frozenset(), repr=False)
    """Folded given names with their strengths, and common family names."""
    parts: Container[str] = field(default=frozenset(), repr=False)
    endings: tuple[str, ...] = field(default=(), repr=False)
    """Short or clipped words of compounds ("ortho", "pos"), and endings that no name has."""
    names: Container[str] = field(default=frozenset(), repr=False)
    """Folded names that count as words only if in ``words``, not as a plural or compound."""
    people: Container[str] = field(default=frozenset(), repr=False)
    """Folded names of people and towns, which are never misspelt words."""
    cues: Container[str] = field(default=frozenset(), repr=False)
    """Lower-case words after which a name is expected ("by", "ask")."""

    def listed(self, text: str, *, capitals: int = SHORTEST_CAPITALS) -> bool:
        """Whether every word of a value may belong to a list of codes.

        ``capitals`` is the minimum number of letters of a word in capitals that must be known.
        """
        if _OTHER.search(text):
            return False
        return not any(
            self._strange(word[0], capitals if word[0].isupper() else SHORTEST)
            and not self._camel(text, word)
            for word in _WORD.finditer(text)
        )

    def knows(self, text: str) -> bool:
        """Whether a text is one word, or several run together, each known and not a name."""
        words = _WORD.findall(text)
        return (
            bool(words)
            and "".join(words) == text
            and all(len(word) >= NAME and self._has(bare(word)) for word in words)
        )

    def knows_phrase(self, text: str) -> bool:
        """Whether a text is two to six known words, one of which nobody is called: "Day Surgery".

        Words of up to three small letters ("de", "of") join the others.
        """
        words = [word for word in _APART.split(text) if word]
        joined = [word for word in words if len(word) > NAME or not word.islower()]
        return (
            1 < len(words) <= _MOST_WORDS
            and all(word.isalpha() and self._has(bare(word)) for word in joined)
            and any(len(word) >= PART and bare(word) not in self.names for word in joined)
        )

    def describes_thing(self, text: str, nameless: Vocabulary) -> bool:
        """Whether every word or compound in a text is known and is not a common name.

        At least one word must have four letters. Words in ``nameless`` do not count as names.
        """
        words = [bare(word) for word in _WORD.findall(text) if len(word) > 1]
        return any(len(word) >= PART for word in words) and all(
            nameless._has(word)
            or self._plain(word)
            or (len(word) >= RUN_TOGETHER and self._compound(word))
            for word in words
        )

    def _plain(self, word: str) -> bool:
        named = self.given.get(word, -1) >= KNOWN_GIVEN or word in self.family
        return not named and any(form in self.words for form in _forms(word))

    def recognises(self, text: str) -> bool:
        """Whether a text contains a known word of at least four letters that is not a name."""
        words = (bare(word) for word in _WORD.findall(text))
        return any(
            len(word) >= PART
            and (self._has(word) or (len(word) >= RUN_TOGETHER and self._compound(word)))
            for word in words
        )

    def unknown(self, word: str) -> bool:
        """Whether a word is unknown, so that it may be a name."""
        return self._strange(word, NAME) and not self._misspelt(word)

    def calls(self, name: str) -> bool:
        """Whether a folded word is a name and not also a word of codes."""
        return name in self.names and name not in self.words

    def _has(self, name: str) -> bool:
        if name in self.names:
            return name in self.words
        return any(form in self.words for form in _forms(name))

    def plain(self, text: str) -> bool:
        """Whether every word of a value is known and not a name."""
        return all(self._part(bare(word)) for word in _WORD.findall(text))

    def strange(self, text: str) -> bool:
        """Whether every word of a text is unknown and has at least four letters."""
        words = [bare(word) for word in _WORD.findall(text)]
        return bool(words) and not any(
            len(word) < SHORTEST or any(form in self.words for form in _forms(word))
            for word in words
        )

    def names_nobody(self, text: str) -> bool:
        """Whether a local code does not consist of unknown words only, which may be a name."""
        if _OTHER.search(text):
            return False
        words = [word for word in _WORD.findall(text) if len(word) > 1]
        if _DOUBLE.fullmatch(text) and any(self._titled(word) for word in words):
            return False
        return not words or not all(self._strange(word, _least(word)) for word in words)

    def describes(self, text: str) -> bool:
        """Whether a description contains no two adjacent unknown words, which may be a full name.

        A given name and an unknown word may be a full name too.
        """
        found = [word for word in _WORD.finditer(text) if _capital(word[0])]
        return not any(self._full(text, *pair) for pair in pairwise(found))

    def surnames(self, text: str) -> bool:
        """Whether an unknown word is next to a common family name, which may also be a word."""
        found = [word for word in _WORD.finditer(text) if _capital(word[0])]
        return any(
            text[first.end() : second.start()] == " "
            and any(
                bare(one[0]) in self.family and self._titled(other[0])
                for one, other in ((first, second), (second, first))
            )
            for first, second in pairwise(found)
        )

    def labels(self, text: str) -> bool:
        """Whether the display of a local code contains no unknown word that may be a name.

        A word may be a name if it is alone, cued, quoted, last, after a lower-case word ("told
        Smith"), or a given name at the beginning that has something ("Crispian's patient").
        """
        found = [word for word in _WORD.finditer(text) if len(word[0]) > 1]
        strange = [self._titled(word[0]) and not self._misspelt(word[0]) for word in found]
        if strange and all(strange):
            return False
        beside = zip(strange, [None, *found], found, [*found[1:], None], strict=False)
        if any(
            named and (self._begins(before, word) or _placed_as_name(text, before, word, after))
            for named, before, word, after in beside
        ):
            return False
        return not any(
            self._strange(word[0], SHORTEST if named or _elided(text, word) else LOCAL)
            and self._cued(text, word, before)
            for word, before, named in zip(found, [None, *found], strange, strict=False)
        )

    def _full(self, text: str, first: Found, second: Found) -> bool:
        if not _SPACE.fullmatch(text[first.end() : second.start()]):
            return False
        if not self._name(first[0]):
            return self._given(first[0]) and self._titled(second[0])
        return self._name(second[0]) or self._given(second[0])

    def _given(self, word: str) -> bool:
        name = bare(word)
        return name not in self.words and self.given.get(name, -1) >= KNOWN_GIVEN

    def _name(self, word: str) -> bool:
        return self._strange(word, NAME + 1 if word.isupper() else NAME)

    def _begins(self, before: Found | None, word: Found) -> bool:
        """Whether a name that is no eponym is first, in the possessive.

        That is a given name that is no family name, or an unknown word.
        """
        owner = _POSSESSIVE.sub("", word[0])
        if before is not None or owner == word[0]:
            return False
        name = bare(owner)
        return (name in self.given and name not in self.family) or self._titled(owner)

    def _titled(self, word: str) -> bool:
        return _capital(word) and self._strange(word, SHORTEST)

    def _strange(self, word: str, least: int) -> bool:
        name = bare(word)
        if len(name) < least or _VOWEL.search(name) is None:
            return False
        if name in self.names:
            return name not in self.words
        if any(form in self.words for form in _forms(name)) or self._ends(name):
            return False
        whole = word.islower() or word.isupper() or len(name) >= RUN_TOGETHER
        return not whole or not self._compound(name)

    def _cued(self, text: str, word: Found, before: Found | None) -> bool:
        """Whether a word is quoted, has an apostrophe like "O'Hara", or follows a cue."""
        quoted = text[: word.start()].rstrip(_BLANKS)[-1:] in _OPENING
        if quoted or word[0][1:2] in _QUOTES or text[word.start() - 1 : word.start()] in _QUOTES:
            return True
        return before is not None and before[0].lower() in self.cues

    def _misspelt(self, word: str) -> bool:
        """Whether a long word is a known one with two neighbouring letters exchanged."""
        name = bare(word)
        if len(name) < MISSPELT or name in self.people:
            return False
        pairs = ((name[:at], name[at:]) for at in range(1, len(name) - 1))
        return any(lead + rest[1] + rest[0] + rest[2:] in self.words for lead, rest in pairs)

    def _ends(self, name: str) -> bool:
        return any(name.endswith(end) and len(name) - len(end) >= STEM for end in self.endings)

    def _camel(self, text: str, word: Found) -> bool:
        """Whether the letters after a capital in an element's name are a word ("vitaminKgiven")."""
        rest = word[0][1:]
        joined = text[word.start() - 1 : word.start()].islower()
        return joined and rest.islower() and len(rest) >= PART and rest in self.words

    def _compound(self, word: str) -> bool:
        """Whether a word is a compound of known words, none of them a name."""
        ends = {0}
        for at in range(2, len(word) + 1):
            if any(self._piece(word[start:at]) for start in ends if start < at):
                ends.add(at)
        return len(word) in ends

    def _piece(self, text: str) -> bool:
        return text in self.parts or (len(text) >= PART and self._part(text))

    def _part(self, word: str) -> bool:
        named = self.given.get(word, -1) >= KNOWN_GIVEN or word in self.family
        return word in self.words and not named


def _elided(text: str, word: Found) -> bool:
    """Whether a word is joined to an elided one: "l'urgence"."""
    return _BEHIND_ELIDED.search(text, 0, word.start()) is not None


def _placed_as_name(text: str, before: Found | None, word: Found, after: Found | None) -> bool:
    """Whether a word is where a name would be: last, or after a lower-case word."""
    if before is None:
        return False
    if after is None:
        return True
    return before[0].islower() and _BESIDE.fullmatch(text[before.end() : word.start()]) is not None


def _least(word: str) -> int:
    if word.isupper():
        return SHORTEST if word[1:2] in _QUOTES else LOCAL_CAPITALS
    return LOCAL if word.islower() else SHORTEST


def _capital(word: str) -> bool:
    """Whether a word is capitalised like a name: not all in capitals, or over four letters long."""
    return word[0].isupper() and (not word.isupper() or len(word) > SHORTEST)


def _forms(name: str) -> Iterable[str]:
    """Yield a word and the words of which it may be an inflected form (plural, past tense)."""
    yield name
    for ending, cut in (("s", 1), ("es", 2), ("ed", 1), ("ed", 2), ("ing", 3), ("ly", 2)):
        if name.endswith(ending):
            yield name[:-cut]


def bare(word: str) -> str:
    """Return a folded word without apostrophes."""
    return fold(word).replace("'", "").replace("\u2019", "")


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the folded words of codes and of names of elements."""
    return frozenset(bare(word) for text in texts for word in _WORD.findall(text))
