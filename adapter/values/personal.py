"""Detection of numbers, dates, addresses and names that are not words, in short values."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.types import PHRASE_SOURCE, VARIANT_SOURCE, Label
from adapter.values.vocabulary import bare

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adapter.types import Span

SHORTEST = 4
"""Minimum number of letters in a name that is recognised by itself."""
DISTINCTIVE = 6
"""Minimum number of letters in a word that stands for a known place or organisation by itself."""
CAPITALS = 5
"""Maximum length of a word in capitals that counts as an abbreviation, unless a common name."""
COMMON_GIVEN, COMMON_FAMILY, KNOWN_GIVEN = 6, 3, 3
"""Minimum strengths of common given names, common family names and known given names."""

_WORD = regex.compile(r"\p{Lu}?[\p{Ll}\p{M}'\u2019]+|\p{Lu}[\p{Lu}\p{M}'\u2019]*(?!\p{Ll})")
_NEVER = regex.compile(r"(?!)")
_WHOLE = regex.compile(r"[\p{L}\p{M}'\u2019]+")
_JOINED = regex.compile(r"\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}+)+")
_COMPANY = regex.compile(r",? (?:Inc|Corp|Corporation|LLC|Ltd|GmbH|S\.A|plc)\b", regex.IGNORECASE)
_NUMBER = regex.compile(
    r"(?<![\d/.])\d{1,3}\.\d{1,2}(?:/\d{1,3}(?:\.\d{1,2})?){2,8}(?![\d/_-])(*SKIP)(*FAIL)"
    r"|(?<![\d/.-])20\d\d/20\d\d(?![\d/_-])(*SKIP)(*FAIL)"
    r"|\d(?:[ \-/()_]{0,2}\d)*"
)
"""Digits with marks between them; not a row of values that begins with a decimal ("7.31/52/68").

Nor a season of two years ("2024/2025").
"""


@dataclass(frozen=True, slots=True)
class Personal:
    """Compiled patterns, and the names and the words of a language.

    ``given`` and ``family`` map folded names to their strengths, from rare to common; ``words`` are
    folded words that do not count as names even if somebody is called that.
    """

    patterns: tuple[regex.Pattern[str], ...] = field(repr=False)
    digits: int
    given: Mapping[str, int] = field(repr=False)
    family: Mapping[str, int] = field(repr=False)
    words: frozenset[str] = field(repr=False)
    labels: frozenset[str] = field(default=frozenset(), repr=False)
    sources: frozenset[str] = field(default=frozenset(), repr=False)
    unsure: frozenset[str] = field(default=frozenset(), repr=False)
    public: regex.Pattern[str] = field(default=_NEVER, repr=False)
    cued: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)
    """Patterns in a code's display that indicate a person's name or a street address."""

    def accepts(self, text: str, span: Span) -> bool:
        """Whether a span that taggers found in a kept value counts as a mention.

        Codes and their displays have no context: numbers, dates and addresses count, but names only
        if they are cued, trusted, or not words.
        """
        found = text[span.start : span.end]
        if span.label == Label.URL:
            return self.public.match(found) is None
        if span.label in self.labels:
            return span.source not in self.unsure
        if span.source == PHRASE_SOURCE:
            return span.label.category == "NAME" or " " in found or self._is_distinctive(found)
        if span.label.category != "NAME":
            return False
        cued = span.source == VARIANT_SOURCE and self._is_cued(text, span)
        if cued or span.source in self.sources:
            return True
        least = 1 if found == text.strip() else COMMON_FAMILY - 1
        return _COMPANY.match(text, span.end) is None and any(
            self._is_lone_name(word, least) for word in _WHOLE.findall(found)
        )

    def is_given(self, word: str) -> bool:
        """Whether a word is listed as a given name."""
        return bare(word) in self.given

    def is_free(self, word: str) -> bool:
        """Whether a word is listed as a family name, and is not a word, maker or eponym as well."""
        return bare(word) in self.family and bare(word) not in self.words

    def looks(self, text: str) -> bool:
        """Whether a text contains a number, date, address or full name, or is a name."""
        if self.public.match(text):
            return False
        if self.numbers(text) or any(pattern.search(text) for pattern in self.patterns):
            return True
        words = _WORD.findall(_JOINED.sub(self._unless_word, text))
        if not words:
            return False
        if len(words) == 1:
            return self._is_lone_name(words[0]) or self._account(text.strip())
        return self._full_name(words)

    def cues(self, text: str, unknown: Callable[[str], bool]) -> bool:
        """Whether a text names a person with a title or role, or gives a street address.

        ``unknown`` tells whether a word may be a name.
        """
        return any(
            (name := found.groupdict().get("unknown")) is None or unknown(name)
            for form in self.cued
            for found in form.finditer(text)
        )

    def _is_distinctive(self, word: str) -> bool:
        """Whether a word of a place's or organisation's name is long and no known word."""
        return word.isalpha() and len(word) >= DISTINCTIVE and bare(word) not in self.words

    def _is_cued(self, text: str, span: Span) -> bool:
        """Whether a title, a role or a degree beside a mention shows that it is a name."""
        return any(
            found.start() <= span.start < found.end()
            for form in self.cued
            for found in form.finditer(text)
        )

    def _unless_word(self, joined: regex.Match[str]) -> str:
        """Return a blank for a known word in mixed case ("GlaxoSmithKline"), else the text."""
        return " " if fold(joined[0]) in self.words else joined[0]

    def numbers(self, text: str) -> bool:
        """Whether a run of digits, ignoring marks between them, is as long as a person's number."""
        return any(
            sum(map(str.isdigit, run.lstrip("0"))) >= self.digits for run in _NUMBER.findall(text)
        )

    def _is_lone_name(self, word: str, least: int = 1) -> bool:
        """Whether a word is a name and not also a word; ``least``: strength of a family name."""
        name = bare(word)
        if len(name) < SHORTEST or name in self.words:
            return False
        given, family = self.given.get(name, -1), self.family.get(name, -1)
        if word.isupper() and len(name) <= CAPITALS:
            return given >= COMMON_GIVEN or family >= COMMON_FAMILY
        return given >= (0 if least == 1 else KNOWN_GIVEN) or family >= least

    def _account(self, text: str) -> bool:
        """Whether a text is an initial and a family name run together, as account names are."""
        name = fold(text)
        if not name.isalpha() or name in self.words:
            return False
        return any(
            len(part) > CAPITALS and part not in self.words and part in self.family
            for part in (name[1:], name[:-1])
        )

    def _full_name(self, words: list[str]) -> bool:
        names = [bare(word) for word in words]
        return any(self._pair(first, second) for first, second in pairwise(names))

    def _pair(self, first: str, second: str) -> bool:
        """Whether two words are a given and a family name, in either order, and not both words."""
        if first in self.words and second in self.words:
            return False
        return self._given_family(first, second) or self._given_family(second, first)

    def _given_family(self, given: str, family: str) -> bool:
        if min(len(given), len(family)) < SHORTEST - 1:
            return False
        if len(given) < SHORTEST and given in self.words:  # "del", "los"
            return False
        return self.given.get(given, -1) >= KNOWN_GIVEN and (
            self.family.get(family, -1) > 0 and family not in self.words
        )
