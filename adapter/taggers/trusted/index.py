"""The index of trusted phrases: where a text has them, whatever their case, accents and marks."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import regex

from adapter.languages.cues import Cues
from adapter.normalize.folding import fold, squeeze
from adapter.normalize.notation import DAY_AFTER, DAY_BEFORE
from adapter.taggers.trusted.embedded import Embedded
from adapter.taggers.trusted.joining import Match, drop_contained
from adapter.taggers.trusted.logins import Logins
from adapter.taggers.trusted.matching import Entry, key_of, last_token
from adapter.taggers.trusted.variants.known_names import KnownNames
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.taggers.document.tokens import Tokens
    from adapter.taggers.trusted.matching import Key
    from adapter.types import TrustedPhrase

    Keyed = Sequence[tuple[Key, TrustedPhrase]]
    Names = Mapping[str, Sequence[TrustedPhrase]]

HEAD = 2
"""First characters by which phrases are looked up."""
_FAMILY, _BIRTH = "{family", "{birthdate"
SEPARATOR = "\x1e"
"""Separator between texts that are searched together."""
_ASCII_NOISE = {i: None for i in range(128) if not chr(i).isalnum() and chr(i) != SEPARATOR}
_NOISE = regex.compile(r"[^\p{L}\p{N}\x1e]+")
SHORTEST_NUMBER = 5
"""Minimum number of digits in a number that is a mention in any context."""
_LONG_NUMBER = 6
_LONG_NAME = 8
_BORDERED = frozenset({"number", "date", "acronym", "damaged"})
_WHOLE = r"(?!0{1,2}(?![.\d]))"
"""Not the decimals of a whole number: a spreadsheet writes 48213.0."""
_DIGITS = regex.compile(r"\d[-./:,]\Z"), regex.compile(rf"(?:[-/:,]|[.]{_WHOLE})\d")
"""Marks by which a short number is part of another one, before and after it."""
_COUNTS = (
    regex.compile(r"(?:\d[.]|\d{4}-)\Z"),
    regex.compile(rf"(?:[.]{_WHOLE}|-(?=\d{{4}}))\d"),
)
"""The same for a number of six digits: a decimal, an arc of an OID, an end of a range."""
_COMPACT_DAY = regex.compile(r"((?:19|20|21)\d\d)(0[1-9]|1[0-2])(\d\d)")
_DAY_BEFORE, _DAY_AFTER = regex.compile(DAY_BEFORE), regex.compile(DAY_AFTER)


@dataclass(frozen=True, slots=True)
class Lookup:
    """The names and numbers among phrases.

    ``initials`` maps an entity to (initial of a given or middle name -> its form); ``names`` maps
    single names, letters only, to their phrases; ``numbers`` maps the longer numbers, digits only,
    to their phrases; ``births`` maps dates of birth (year, month, day) to their phrases.
    """

    initials: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)
    names: dict[str, list[TrustedPhrase]] = field(default_factory=dict, repr=False)
    numbers: dict[str, TrustedPhrase] = field(default_factory=dict, repr=False)
    births: dict[tuple[int, int, int], TrustedPhrase] = field(default_factory=dict, repr=False)


class Words:
    """The squeezed words of phrases, collected when first asked for."""

    def __init__(self, phrases: Sequence[TrustedPhrase]) -> None:
        self._phrases = phrases

    def __contains__(self, word: object) -> bool:
        """Return whether a squeezed word is one of them."""
        return word in self._words

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(squeeze(word) for one in self._phrases for word in one.text.split())


class PhraseIndex:
    """A message's trusted phrases, prepared for matching on first use."""

    def __init__(
        self, phrases: Sequence[TrustedPhrase], cues: Cues, keyed: Keyed, sought: Keyed
    ) -> None:
        """Take phrases, their keys, and the keyed phrases to match; callers use `build`."""
        self.phrases = phrases
        self.words = Words(phrases)
        self.cues = cues
        self._keyed = keyed
        self._sought = sought

    @classmethod
    def build(cls, phrases: Sequence[TrustedPhrase], cues: Cues) -> PhraseIndex:
        """Build an index; of two phrases of one entity with equal text the first form is used."""
        keyed = [(key_of(phrase.text, phrase.form), phrase) for phrase in phrases]
        return cls(phrases, cues, keyed, keyed)

    def within(self, texts: Iterable[str]) -> PhraseIndex:
        """Return an index restricted to the phrases that these texts can contain.

        A text contains a phrase only if the phrase is a substring of its letters and digits.
        """
        plain = squeezed(SEPARATOR.join(texts))
        sought = [item for item in self._keyed if item[0].text in plain]
        return PhraseIndex(self.phrases, self.cues, self._keyed, sought)

    @cached_property
    def texts(self) -> frozenset[str]:
        """The squeezed texts of all phrases."""
        return frozenset(key.text for key, _ in self._keyed)

    @cached_property
    def lookup(self) -> Lookup:
        """All names and numbers."""
        return _look_up(self._keyed)

    @cached_property
    def known_names(self) -> KnownNames:
        """All names, for what texts make of them."""
        return KnownNames(self.lookup.names)

    @cached_property
    def logins(self) -> Logins:
        """The user names that all names can make."""
        return Logins(self.lookup.names)

    @cached_property
    def embedded(self) -> Embedded:
        """The numbers that are recognised within longer runs of digits."""
        return Embedded(self.lookup.numbers)

    @cached_property
    def heads(self) -> Mapping[str, Sequence[Entry]]:
        """Entries by the first character, and by the first two characters, of their keys."""
        return _heads(self._sought, self.cues.leading)

    @cached_property
    def sure(self) -> frozenset[str]:
        """The keys of phrases that are not common words, and of streets of several words."""
        return frozenset(
            key.text
            for key, phrase in self._keyed
            if len(key.text) >= HEAD
            and key.kind != "damaged"
            and (not phrase.ordinary or (phrase.label is Label.STREET and key.bounds))
        )

    def occurrences(self, tokens: Tokens, text: str) -> list[Match]:
        """Return the occurrences of phrases in a tokenised text, in order, none inside another."""
        heads = self.heads
        if not heads:
            return []
        found = []
        for place, word in enumerate(tokens.words):
            for entry in heads.get(word[:HEAD], ()):
                if _is_word(entry, word):
                    found.append(Match(place, place, entry))
                elif entry.text.startswith(word):
                    last = last_token(entry, tokens, text, place)
                    if last >= 0 and _at_border(entry, tokens, text, place, last):
                        found.append(Match(place, last, entry))
            if word[0] == "0":
                found += _with_zeros(heads, tokens, text, place)
        return drop_contained(found)


def _is_word(entry: Entry, word: str) -> bool:
    """Whether a word is a phrase, or a long name with an s, which the leak check finds too."""
    if entry.text == word:
        return entry.kind not in _BORDERED
    long = entry.kind == "name" and len(entry.text) >= _LONG_NAME
    return long and word[-1] == "s" and word[:-1] == entry.text


def _with_zeros(
    heads: Mapping[str, Sequence[Entry]], tokens: Tokens, text: str, place: int
) -> Iterator[Match]:
    """Yield numbers written with more leading zeros than the fields have."""
    number = tokens.words[place].lstrip("0")
    for entry in heads.get(number[:HEAD], ()) if len(number) >= SHORTEST_NUMBER else ():
        if (
            entry.text == number
            and entry.kind == "number"
            and _at_border(entry, tokens, text, place, place)
        ):
            yield Match(place, place, entry)


def _look_up(keyed: Keyed) -> Lookup:
    lookup = Lookup()
    for (text, _, kind), phrase in keyed:
        form = phrase.form
        if kind == "name" and " " not in form:
            lookup.names.setdefault(text, []).append(phrase)
            if form[1:2] in _GIVEN and ":" not in form:
                known = lookup.initials.setdefault(phrase.entity, {})
                known.setdefault(text[:1], f"{form[:-1]}[0]}}")
        elif kind == "number" and len(text) >= _LONG_NUMBER and text.isdigit():
            lookup.numbers.setdefault(text, phrase)
        elif kind == "date" and form.startswith(_BIRTH) and (day := _COMPACT_DAY.fullmatch(text)):
            year, month, number = map(int, day.groups())
            lookup.births.setdefault((year, month, number), phrase)
    return lookup


def _heads(keyed: Keyed, leading: regex.Pattern[str]) -> dict[str, list[Entry]]:
    heads: dict[str, list[Entry]] = {}
    entries: dict[str, Entry] = {}
    for (text, bounds, kind), phrase in keyed:
        same = phrase.text if kind == "date" else kind + text
        entry = entries.get(same)
        if entry is not None:
            entry.phrases.append(phrase)
        elif len(text) >= HEAD or phrase.form.startswith(_FAMILY):
            entry = entries[same] = Entry(text, bounds, kind, [phrase], leading)
            for head in dict.fromkeys((text[:HEAD], text[:1])):
                if head in heads:
                    heads[head].append(entry)
                else:
                    heads[head] = [entry]
    return heads


_GIVEN = ("g", "m")
"""First letters of the parts whose initials count: given and middle."""


def _at_border(key: Entry, tokens: Tokens, text: str, first: int, last: int) -> bool:
    """Whether an occurrence is not part of a longer number, nor an acronym inside other letters."""
    start, end = tokens.starts[first], tokens.ends[last]
    if key.kind == "acronym":
        return text[start:end].isupper()
    if key.kind == "date" and first == last and len(key.text) == _LONG_NUMBER:
        return bool(_DAY_BEFORE.match(text, start) and _DAY_AFTER.match(text, end))
    if key.kind != "number":
        return True
    if len(key.text) > _LONG_NUMBER:
        return True
    before, after = _COUNTS if len(key.text) == _LONG_NUMBER else _DIGITS
    return not before.search(text, max(0, start - 5), start) and not after.match(text, end)


NOBODY = PhraseIndex.build((), Cues.of({}))
"""An index without phrases."""


def squeezed(text: str) -> str:
    """Return the folded letters and digits of a text, and its separators."""
    folded = fold(text)
    return folded.translate(_ASCII_NOISE) if text.isascii() else _NOISE.sub("", folded)
