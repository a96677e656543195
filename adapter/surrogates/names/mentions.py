"""Rewriting of mentions of persons with surrogate names, in the style of the original.

Each word is replaced separately: spacing, punctuation, letter case, titles and degrees stay. The
role of a word follows from the entity's parts, from the form of the matching trusted phrase, or
from its position.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import regex

from adapter.errors import SurrogateError
from adapter.normalize.folding import squeeze
from adapter.surrogates.case import like
from adapter.surrogates.names.person import handle
from adapter.surrogates.names.persons import FAMILY, GIVEN, STAFF, WORD
from adapter.surrogates.numbers.identifiers import plain
from adapter.types import FIELD_SOURCE, VARIANT_SOURCE, Label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from adapter.languages.titles import Titles
    from adapter.surrogates.drawing.keys import Key
    from adapter.surrogates.names.coreference import People
    from adapter.surrogates.names.person import Person
    from adapter.types import Span

_SLOT = regex.compile(r"\{(\w+(?:#\d+)?)(?::(\w+))?(\[0\])?\}")
_POSSESSIVE = regex.compile(r"['’ʼ`´][sS]$")
_BREAK = regex.compile(r"\s*\n\s*")
_MISREAD = regex.compile(r"(?=\w*\p{L})(?=\w*\d)\w+")
_LETTERS = str.maketrans("0158", "olsb")
"""The letters for which optical recognition reads digits."""
_RUN = regex.compile(r"[A-Za-z]+")
_BESIDE = 12
"""Characters beside a name that are searched for a title."""
_MOST_PARTS = 6
"""Greatest number of parts of a name, as in `adapter.taggers.trusted.variants.parts`."""
_INITIALS = 3
"""Most consecutive capitals that are initials rather than a name."""
_SIGNED = 2
"""Number of letters with which staff sign."""
_VOWELS = frozenset("aeiouy")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a mention: ``[start, end)`` without possessive, its squeezed form, its position."""

    start: int
    end: int
    text: str = field(repr=False)
    value: str = field(repr=False)
    leads: bool
    """No name precedes the word."""
    last: bool
    """No name follows the word."""
    before_comma: bool
    """A comma follows, so that the word is a family name ("Smith, John")."""
    after_comma: bool
    ends: bool
    """At most initials follow: a family name ("Smith J"), or a given name ("Ruth S.")."""
    stays: bool
    """The word is a title before, a degree or suffix after, or a particle between names."""


class Names:
    """Renders mentions of the people of one message."""

    def __init__(self, key: Key, people: People, others: frozenset[str] = frozenset()) -> None:
        self._key, self._people, self._others = key, people, others
        self._titles = people.persons.titles

    def render(self, text: str, span: Span, around: str = "") -> str | None:
        """Return a mention with every name in it replaced; None removes an unknown title.

        ``around`` is the segment's text, which may call the person a doctor.

        Raises:
            SurrogateError: a name has no candidate, or the result is a real value of the message.
        """
        part = (span.form or "").strip("{}").partition("#")[0]
        if (titles := self._titles.of_part(part)) is not None:
            return text if all(squeeze(w) in titles for w in WORD.findall(text)) else None
        word = squeeze(text) if text.isalpha() and span.source != FIELD_SOURCE else ""
        person = self._people.named(span.entity, word)
        if person and text.isalpha():
            known = person.words.get(squeeze(text))
            if known:
                whole = len(text) > 1 or (part == FAMILY and person.lettered(squeeze(text)))
                return like(known if whole else known[0], text)
        written = _with_letters(text) if span.source == VARIANT_SOURCE else text
        written = self._mended(written, span) if "\n" in written else written
        if span.source != FIELD_SOURCE:
            written = _rejoined(
                written, lambda name: self._people.bearer(span.label, name) is not None
            )
        new = self._words(written, span, person, around)
        if new != text and squeeze(new) in self._people.persons.real:
            raise SurrogateError("fixed-point")
        return new

    def meet(self, text: str, span: Span, around: str) -> None:
        """Remember the words of a mention that is called a doctor, before any is rendered.

        The same name without its title, earlier in the message, is the same person's.
        """
        if _is_titled(span, around, self._titles):
            words = _read(text, self._titles)
            self._people.doctors.update(w.value for w in words if not w.stays and len(w.value) > 1)

    def _words(self, text: str, span: Span, person: Person | None, around: str) -> str:
        """Rewrite the mention word by word."""
        words = _read(text, self._titles)
        values = tuple(word.value for word in words if not word.stays) or (words[0].value,)
        whole = True
        if person is None:
            person, whole = self._people.whose(span.label, values)
        scope = self._scope(span, values, around)
        mention = _Mention(span, person, values, scope, whole, len(words) == 1)
        expected = _expected(person, span.form, words) if person else {}
        pieces: list[str] = []
        place = 0
        for at, word in enumerate(words):
            new = self._word(word, mention, expected.get(at))
            pieces += text[place : word.start], new
            place = word.end
        return "".join((*pieces, text[place:]))

    def _scope(self, span: Span, values: Sequence[str], around: str) -> str:
        """Return the scope of names that no field has: staff, or the patient's part.

        A word keeps the scope of its first mention in the message, because a lone mention is easily
        mislabelled. A person called a doctor anywhere in the message is always staff.
        """
        people = self._people
        if any(value in people.doctors for value in values):
            return STAFF
        for scope in (STAFF, people.subject):
            met = any((scope, value) in people.seen for value in values if len(value) > 1)
            if met and not _is_titled(span, around, self._titles):
                return scope
        return people.scope(span.label)

    def username(self, text: str, entity: str | None) -> str | None:
        """Rebuild a user name made of a person's name from the surrogate; None for any other."""
        for person in self._people.all(entity):
            if any(len(run) > 2 and handle(person, run.lower()) for run in _RUN.findall(text)):  # noqa: PLR2004
                replaced = _RUN.sub(partial(self._run, person), text)
                return regex.sub(r"\d+", lambda m: plain(self._key, m[0]), replaced)
        return None

    def _run(self, person: Person, found: regex.Match[str]) -> str:
        run = found[0]
        new = handle(person, run.lower()) or plain(self._key, run)
        return like(new, run) if len(run) > 1 else new[:1].upper() if run.isupper() else new[:1]

    def _mended(self, text: str, span: Span) -> str:
        """Remove a line break that cut a name in two."""
        joined = regex.sub(r"-?\s*\n\s*", "", text)
        whole, apart = (
            sum(
                self._people.bearer(span.label, word.value) is not None
                for word in _read(each, self._titles)
            )
            for each in (joined, text)
        )
        return (
            joined if whole > apart or (whole == apart and span.source == VARIANT_SOURCE) else text
        )

    def _word(  # noqa: PLR0911 (one return for each way a word may be known)
        self, word: Word, mention: _Mention, expected: str | None
    ) -> str:
        """Return the replacement of one word."""
        value, person = word.value, mention.person
        if len(value) == 1 and not word.text.isdecimal():
            return self._initial(word, mention, expected)
        own = person.word(value) if person else None
        if not own and value in self._others:
            return like(self._people.persons.name(mention.scope, GIVEN, value), word.text)
        if own or expected is not None:
            return like(own or expected or "", word.text)
        if near := person and mention.whole and not word.stays and person.nearest(value):
            return like(near, word.text)
        if owner := self._people.bearer(mention.label, value):
            return like(owner.words[value], word.text)
        if not mention.single and word.stays:
            return word.text
        if word.text.isdecimal():
            return plain(self._key, word.text)
        if len(value) <= _INITIALS and value.isascii() and (new := self._initials(word, mention)):
            return new
        if near := person and person.nearest(value, wide=mention.wide):
            return like(near, word.text)
        return like(self._unknown(word, mention), word.text)

    def _unknown(self, word: Word, mention: _Mention) -> str:
        """Return the surrogate of a word that no field has, in the scope of its first mention."""
        people, scope = self._people, mention.scope
        place = scope, word.value
        if place not in people.seen:
            alone = mention.single or (word.ends and not word.last)
            alone_given = alone and people.persons.is_given(word.value)
            given = alone_given or word.after_comma or not (word.ends or word.before_comma)
            people.seen[place] = people.persons.name(scope, GIVEN if given else FAMILY, word.value)
        return people.seen[place]

    def _initial(self, word: Word, mention: _Mention, expected: str | None) -> str:
        """Return the first letter of the surrogate of the name that an initial abbreviates."""
        family = mention.person and mention.person.lettered(word.value)
        if family and (
            word.before_comma or (word.last and (expected is None or len(expected) > 1))
        ):
            return like(family, word.text)
        if expected is not None:
            return like(expected[:1], word.text)
        if mention.person:
            for real, new in (*mention.person.given, *mention.person.family):
                if real[:1] == word.value:
                    return like(new[:1], word.text)
        return self._letters(word, mention)

    def _initials(self, word: Word, mention: _Mention) -> str | None:
        """Return the person's surrogate initials, others for unknown capitals, or None for a name.

        Staff sign with two letters, so that "AL" alone is not a doctor called Al.
        """
        if mention.person and (word.text.isupper() or word.text.islower()):
            for real, new in mention.person.initials():
                if real == word.value:
                    return like(new, word.text)
        signed = mention.single and mention.label is Label.DOCTOR and len(word.value) == _SIGNED
        name = (self._people.persons.is_given(word.value) and not signed) or (
            len(word.value) == _INITIALS
            and not mention.single
            and not _VOWELS.isdisjoint(word.value)
        )
        return self._letters(word, mention) if word.text.isupper() and not name else None

    def _letters(self, word: Word, mention: _Mention) -> str:
        """Replace each letter with the surrogate initial of unknown names that begin with it."""
        scope = mention.scope
        new = "".join(self._people.persons.letter(scope, letter) for letter in word.value)
        return new.upper() if word.text.isupper() else new


@dataclass(frozen=True, slots=True)
class _Mention:
    """A resolved mention: its person, and whether all of its words may be the person's."""

    span: Span
    person: Person | None = field(repr=False)
    values: tuple[str, ...] = field(repr=False)
    """The mention's squeezed words without titles."""
    scope: str = field(repr=False)
    """Scope of the mention's words that no field has."""
    whole: bool
    single: bool
    """Whether the mention is one word."""

    @property
    def label(self) -> Label:
        """The label of the mention."""
        return self.span.label

    @property
    def wide(self) -> bool:
        """Whether the mention is known to misspell a name of the person."""
        return self.span.source == VARIANT_SOURCE


def _is_titled(span: Span, around: str, titles: Titles) -> bool:
    """Whether a mention's words, or those beside it, call the person a doctor."""
    before = around[max(span.start - _BESIDE, 0) : span.start]
    return bool(
        span.label is Label.DOCTOR
        and (
            titles.called.match(around, span.start)
            or titles.called_before.search(before)
            or titles.degree_behind.search(around[span.start : span.end + _BESIDE])
        )
    )


def _with_letters(text: str) -> str:
    """Return a misspelt mention with letters for the digits within its words: "Drumm0ndsey"."""

    def letters(found: regex.Match[str]) -> str:
        new = found[0].translate(_LETTERS)
        return new.upper() if found[0].isupper() else new

    return _MISREAD.sub(letters, text)


def _rejoined(text: str, is_known: Callable[[str], bool]) -> str:
    """Return a mention with the parts of a known name as one word: "Thistle- waite"."""
    found = list(WORD.finditer(text))
    runs = (
        (first, last)
        for last in range(len(found))
        for first in range(max(0, last + 1 - _MOST_PARTS), last)
    )
    for first, last in runs:
        parts = [part[0] for part in found[first : last + 1]]
        whole = "".join(parts)
        if is_known(squeeze(_POSSESSIVE.sub("", whole))) and not any(
            is_known(squeeze(part)) for part in parts
        ):
            rest = _rejoined(text[found[last].end() :], is_known)
            return text[: found[first].start()] + whole + rest
    return text


def _read(text: str, titles: Titles) -> list[Word]:
    """Return the words of a mention with their positions; none of a mention of marks alone."""
    found = [(m.start(), _POSSESSIVE.sub("", m[0])) for m in WORD.finditer(text)]
    if not found:
        return []
    values = [squeeze(word) for _, word in found]
    fields = {
        at
        for at in range(1, len(found))
        if titles.is_field(values[at], text[found[at][0] :].partition(" ")[0], values[at - 1])
    }
    names = [
        at for at, value in enumerate(values) if value not in titles.no_names and at not in fields
    ] or [0]
    comma = text.find(",")
    long = max((at for at in names if len(values[at]) > 1), default=-1)
    listed = comma >= 0 and found[names[0]][0] < comma < found[names[-1]][0]
    words = []
    for at, ((start, word), value) in enumerate(zip(found, values, strict=True)):
        leads, last = at <= names[0], at >= names[-1]
        words.append(
            Word(
                start,
                start + len(word),
                word,
                value,
                leads=leads,
                last=last,
                before_comma=listed and start < comma,
                after_comma=listed and start > comma,
                ends=at >= long,
                stays=at in fields or titles.stays(value, leads=leads, last=last),
            )
        )
    return words


def _expected(person: Person, form: str | None, words: list[Word]) -> dict[int, str]:
    """Map indices of words to surrogates by the phrase's form; {} if form and words differ."""
    refs = list(_refs(person, form)) if form else []
    if not refs:
        return {}
    names = [at for at, word in enumerate(words) if word.value in person.words or not word.stays]
    if len(refs) == len(names):
        return dict(zip(names, refs, strict=True))
    if len(names) == 1 and _SLOT.fullmatch(form or ""):
        return {names[0]: "".join(refs)}
    return {}


def _refs(person: Person, form: str) -> Iterator[str]:
    for slot, view, initial in _SLOT.findall(form):
        names = person.slots.get(slot, [])
        if view == "nickname" or initial:
            names = names[:1]
        elif view.startswith("piece"):
            names = names[int(view[5:]) :][:1]
        yield from (name[0] if initial else name for name in names)


LABELS = frozenset({Label.PATIENT, Label.DOCTOR})
"""Labels whose mentions are names."""
