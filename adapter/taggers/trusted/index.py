"""Exact matching of a message's trusted phrases, ignoring case, accents and punctuation."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import regex

from adapter.languages.cues import Cues
from adapter.normalize.folding import fold, squeeze
from adapter.normalize.notation import DAY_AFTER, DAY_BEFORE
from adapter.priorities import PHRASE
from adapter.taggers.document.tokens import Tokens
from adapter.taggers.trusted import context
from adapter.taggers.trusted.births import births_in
from adapter.taggers.trusted.embedded import Embedded
from adapter.taggers.trusted.joining import Known, Match, drop_contained, runs
from adapter.taggers.trusted.line_ends import Beside, line_ends
from adapter.taggers.trusted.logins import Logins
from adapter.taggers.trusted.matching import Entry, key_of, last_token
from adapter.taggers.trusted.variants.known_names import KnownNames
from adapter.types import PHRASE_SOURCE, Label, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.normalize.canonical import Canonical
    from adapter.taggers.document.document import Document
    from adapter.taggers.document.resources import Resources
    from adapter.taggers.trusted.joining import Run
    from adapter.taggers.trusted.matching import Key
    from adapter.types import TrustedPhrase

    Keyed = Sequence[tuple[Key, TrustedPhrase]]
    Names = Mapping[str, Sequence[TrustedPhrase]]

PRIORITY = PHRASE
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
_MARKS = regex.compile(r"\p{M}+")


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


class PhraseTagger:
    """Finds the message's trusted phrases; common words among them need a suitable context."""

    trusting = True

    def __init__(self, resources: Resources) -> None:
        """Take how days are written, and common words; each phrase records whether it is one."""
        self._written_days = resources.written_days
        self._is_common = resources.is_common

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return one span per mention; neighbouring parts of one name are one mention."""
        tokens = bare(document.tokens, document.text)
        births = births_in(tokens, phrases.lookup.births, self._written_days)
        found = list(spans(tokens, document.text, phrases))
        beside = Beside(phrases.cues, phrases.lookup.names, self._is_common)
        return [*found, *births, *line_ends(found, tokens, document.text, beside)]


def bare(tokens: Tokens, text: str) -> Tokens:
    """Return the tokens with combining marks (decomposed accents) removed from their words."""
    if text.isascii() or not _MARKS.search(text):
        return tokens
    words = [_MARKS.sub("", word) or word for word in tokens.words]
    return Tokens(tokens.starts, tokens.ends, words)


def spans(tokens: Tokens, text: str, index: PhraseIndex) -> Iterator[Span]:
    """Return the mentions of trusted phrases in a tokenised text, unordered."""
    yield from index.embedded.spans(tokens)
    matches = index.occurrences(tokens, text)
    if not matches:
        return
    names = [match for match in matches if match.entry.kind == "name"]
    for run in runs(names, tokens, text, Known(index.lookup.initials, index.cues)):
        if _is_name(run, tokens, text, index.cues):
            yield name_span(run, tokens, text, index.cues)
    others = [match for match in matches if match.entry.kind != "name"]
    strong = {match.first: match for match in others if match.strong}
    for match in others:
        if match.strong or _is_mention(match, strong, tokens, text, index.cues):
            phrase = match.entry.phrases[0]
            yield span_of(tokens, match.first, match.last, phrase, phrase.form)


def _is_name(run: Run, tokens: Tokens, text: str, cues: Cues) -> bool:
    if run.strong:
        return True
    if run.first == run.last and len(tokens.words[run.first]) == 1:
        titled = context.titled(run.first, tokens, cues) != ""
        return titled and text[tokens.starts[run.first]].isupper()
    several = sum(tokens.words[i].isalpha() for i in range(run.first, run.last + 1)) > 1
    if several:
        return context.several_here(run.first, run.last, tokens, text)
    return context.name_here(run.first, run.last, tokens, text, cues)


def name_span(run: Run, tokens: Tokens, text: str, cues: Cues) -> Span:
    """Return the span of a run of names, with the label that its title indicates."""
    label = _label_of(context.titled(run.first, tokens, cues), cues)
    candidates = [phrase for phrase in run.phrases if phrase.entity in run.entities]
    chosen = next((phrase for phrase in candidates if phrase.label is label), candidates[0])
    form = run.form(chosen.entity, tokens, text)
    return span_of(tokens, run.first, run.last, chosen, form)


def _label_of(title: str, cues: Cues) -> Label | None:
    if title in cues.doctors:
        return Label.DOCTOR
    return Label.PATIENT if title in cues.persons else None


def _is_mention(
    match: Match, strong: Mapping[int, Match], tokens: Tokens, text: str, cues: Cues
) -> bool:
    """Whether context makes a short number or an ambiguous place name a mention."""
    key = match.entry
    start, end = tokens.starts[match.first], tokens.ends[match.last]
    if key.kind == "number":
        return context.number_here(start, text, match.entry.phrases[0].form, cues)
    if key.kind == "initials":
        return context.initials_here(start, end, text, cues)
    if key.kind != "text":
        return False
    if is_street(match, tokens, text) or (text[start].isupper() and _beside(match, strong)):
        return True
    if context.is_code(key.phrases[0]):
        return context.code_here(start, end, text, cues)
    return (
        _is_line(match) and context.follows_preposition(start, text, cues)
    ) or context.place_here(start, end, text, cues)


def _is_line(match: Match) -> bool:
    """Whether a match is a street of several words."""
    return bool(match.entry.bounds) and match.entry.phrases[0].label is Label.STREET


def is_street(match: Match, tokens: Tokens, text: str) -> bool:
    """Whether common words are written as a street's name: "Ravine Lane", not "a long way"."""
    if not _is_line(match):
        return False
    words = range(match.first, match.last + 1)
    written = [text[tokens.starts[at] : tokens.ends[at]] for at in words]
    return all(word.istitle() for word in written if word.isalpha())


def _beside(match: Match, strong: Mapping[int, Match]) -> bool:
    """Whether a certain value of the same entity is adjacent: "Hope, AR 71801"."""
    entities = {phrase.entity for phrase in match.entry.phrases}
    for place in (*range(match.last + 1, match.last + 5), *range(match.first - 4, match.first)):
        other = strong.get(place)
        if other is not None:
            return any(phrase.entity in entities for phrase in other.entry.phrases)
    return False


def span_of(tokens: Tokens, first: int, last: int, phrase: TrustedPhrase, form: str) -> Span:
    """Return the span of a phrase from the token ``first`` to the token ``last``."""
    start, end = tokens.starts[first], tokens.ends[last]
    return Span(start, end, phrase.label, PHRASE_SOURCE, 1.0, PRIORITY, phrase.entity, form)


Item = TypeVar("Item", bound="Span | Veto")


def located(item: Item, form: Canonical) -> Item:
    """Move a span or veto from a canonical text to its offsets in the text as sent."""
    start, end = form.origin(item.start, item.end)
    return replace(item, start=start, end=end)


def squeezed(text: str) -> str:
    """Return the folded letters and digits of a text, and its separators."""
    folded = fold(text)
    return folded.translate(_ASCII_NOISE) if text.isascii() else _NOISE.sub("", folded)
