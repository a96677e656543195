"""Proof of kept values: values that do not match their place are scanned or dropped."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.types import Action, Handling
from adapter.values.ages import LONGEST_ANSWER
from adapter.values.checks import DISPLAY
from adapter.values.overrides import Overrides
from adapter.values.places import in_document
from adapter.values.proof.catalogues import CATALOGUED, Entry, catalogued
from adapter.values.proof.days import day_of
from adapter.values.proof.proved import AGE, BIRTH, DROP, KEEP, SCAN, Proved
from adapter.values.proof.repeats import Repeats, days, numbers
from adapter.values.questions import LONGEST, Questions, names_system

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.types import Message, TextSegment
    from adapter.values.ages import Ages
    from adapter.values.checks import Checks
    from adapter.values.places import FhirPlaces, Hl7Places, Place

_READ = frozenset({Handling.KEEP, Handling.SCAN, Handling.SHIFT})
LOCAL = "code"
"""Name of the grammar of local codes that are not about people."""
CODED = frozenset({"code", "system"})
"""Checks of the grammars of codes and of the names of their systems."""
SENTENCE, _POINTS = 3, ".,;:!?()"
"""Minimum number of words in a value of such a place that is free text, and marks beside them."""
SPACES = 7
"""Minimum number of blanks in a display that is free text if not all of its words are known."""
PLACES = 100_000
"""Maximum number of memoised places: many times those of a feed, yet bounded."""


@dataclass(frozen=True)
class Values:
    """The compiled places, the checks of their values, ages, and overrides of the policy."""

    places: Mapping[str, Hl7Places | FhirPlaces] = field(repr=False)
    checks: Checks = field(repr=False)
    ages: Ages = field(repr=False)
    overrides: Overrides = field(default_factory=Overrides, repr=False)
    definitions: frozenset[str] = frozenset()
    """Resource types that define things."""
    questions: Questions = field(default_factory=Questions, repr=False)
    in_documents: Sequence[str] = ()
    """Path endings of the questions that values in CDA documents answer."""
    _memo: dict[tuple[str, str, str], Place] = field(
        default_factory=dict, repr=False, compare=False
    )

    def judge(self, message: Message, actions: Sequence[Action]) -> Proved:
        """Return the actions, in which kept values that are not proved are scanned or dropped.

        Values that a profile keeps although the policy does not (actions with a label) stay.
        """
        if message.format not in self.places:
            return Proved(tuple(actions))
        keep = Handling.KEEP  # looked up once: reading a member of an enum is slow
        kept = [
            (number, segment)
            for number, (segment, action) in enumerate(zip(message.segments, actions, strict=True))
            if action.handling is keep and action.label is None
        ]
        texts = {segment.path: segment.text for segment in message.segments}
        known = days(message, actions), numbers(message, actions)
        listed = self._catalogued(message.format, kept, texts)
        judged = list(actions)
        scanned, prose, dropped = [], [], 0
        for number, segment in kept:
            place = self.place(message.format, segment)
            if number in listed or self._is_proved(place, segment, texts, known):
                if self._is_age(place, segment, texts):
                    judged[number] = AGE
                continue
            # A public date is dropped, because its shifted form would reveal the shift.
            drops = place.grammar.drops or (place.grammar.dated and bool(day_of(segment.text)))
            judged[number] = DROP if drops else SCAN
            if drops:
                dropped += 1
            else:
                scanned.append(segment.path)
                if place.strict or self._is_prose(place, segment.text):
                    prose.append(segment.path)
        self._override(message, actions, texts, judged)
        structural, strict = self._structural(message, kept), self._strict(message, judged)
        paths, free = frozenset(scanned), frozenset(prose)
        return Proved(tuple(judged), paths, dropped, strict, structural, free)

    def _catalogued(
        self,
        form: str,
        kept: Sequence[tuple[int, TextSegment]],
        texts: Mapping[str, str],
    ) -> frozenset[int]:
        """Return the indices of segments whose numbers form a catalogue of local codes."""
        entries = [
            (number, Entry(segment.element, near[0] if near else "", segment.text))
            for number, segment in kept
            if CATALOGUED.fullmatch(segment.text)
            for place in (self.place(form, segment),)
            if place.grammar.name == LOCAL
            for near in (place.near(segment.path, texts),)
        ]
        return catalogued(entries)

    def _is_prose(self, place: Place, text: str) -> bool:
        """Whether a value in a place for a code or a display is free text, to be read as such."""
        if place.grammar.check in CODED:
            return _is_sentence(text)
        return text.count(" ") >= SPACES and not self.checks.vocabulary.listed(text)

    def _override(
        self,
        message: Message,
        actions: Sequence[Action],
        texts: Mapping[str, str],
        judged: list[Action],
    ) -> None:
        """Replace the verdicts on ages, ids of definitions and overridden values in ``judged``."""
        scan = Handling.SCAN
        for number, (segment, action) in enumerate(zip(message.segments, actions, strict=True)):
            if action.handling not in _READ:
                continue
            place = self.place(message.format, segment)
            scanned = judged[number].handling is scan
            if scanned and self._says_age(place, segment, texts):
                judged[number] = AGE
            elif place.asked and self._is_birth(place, segment, texts):
                judged[number] = BIRTH
        published = self._published(message, actions, judged, texts)
        for number in (*self._artifacts(message, actions), *published):
            judged[number] = KEEP
        if message.format == "hl7v2":
            for number, action in self.overrides.of(message, texts):
                judged[number] = action if judged[number].label is None else judged[number]

    def _artifacts(self, message: Message, actions: Sequence[Action]) -> list[int]:
        """Return the indices of segments that are descriptive ids of definitions.

        Ids to which a "#id" reference points are left out: the reference is replaced, so the id of
        the contained resource must be replaced too.
        """
        ids = [
            number
            for number, (segment, action) in enumerate(zip(message.segments, actions, strict=True))
            if action.part == "id" and self._identifies(segment)
        ]
        if not ids:
            return ids
        referred = {
            segment.text
            for segment, action in zip(message.segments, actions, strict=True)
            if action.part == "reference"
        }
        return [n for n in ids if f"#{message.segments[n].text}" not in referred]

    def _published(
        self,
        message: Message,
        actions: Sequence[Action],
        judged: Sequence[Action],
        texts: Mapping[str, str],
    ) -> list[int]:
        """Return the indices of scanned codes and displays of published systems in any element."""
        scan = Handling.SCAN
        placed = (
            (number, segment, self.place(message.format, segment))
            for number, (segment, action) in enumerate(zip(message.segments, judged, strict=True))
            if action.handling is scan and action == SCAN
        )
        return [
            number
            for number, segment, place in placed
            if not place.strict
            and (place.grammar.name == DISPLAY or actions[number].handling is scan)
            and self.checks.is_published(place, segment.text, place.near(segment.path, texts))
        ]

    def _identifies(self, segment: TextSegment) -> bool:
        """Whether a segment is the id of a definition and consists of words that name nobody."""
        kind, _, last = segment.element.partition(".")
        return (
            last == "id" and kind in self.definitions and self.checks.names_artifact(segment.text)
        )

    def _structural(
        self, message: Message, kept: Sequence[tuple[int, TextSegment]]
    ) -> frozenset[str]:
        """Return the paths of codes that determine how the message is read."""
        placed = ((segment, self.place(message.format, segment)) for _, segment in kept)
        return frozenset(
            segment.path
            for segment, place in placed
            if place.structural and segment.text in place.codes
        )

    def _strict(self, message: Message, actions: Sequence[Action]) -> frozenset[str]:
        """Return the paths of scanned texts about another message, such as MSA-3."""
        return frozenset(
            segment.path
            for segment, action in zip(message.segments, actions, strict=True)
            if action.handling is Handling.SCAN and self.place(message.format, segment).strict
        )

    def _is_proved(
        self,
        place: Place,
        segment: TextSegment,
        texts: Mapping[str, str],
        known: tuple[Repeats, Repeats],
    ) -> bool:
        text, (dates, ids) = segment.text, known
        if text in place.codes:
            return True
        near = place.near(segment.path, texts)
        if place.strict and place.grammar.name == DISPLAY:
            return self.checks.labels.has(text, near)
        if not self.checks.proves(place, text, near):
            return False
        if place.grammar.check == "number" and text in ids:
            return False
        return not place.grammar.dated or text not in dates

    def _says_age(self, place: Place, segment: TextSegment, texts: Mapping[str, str]) -> bool:
        if not (place.asked or place.aged) or len(segment.text) > LONGEST_ANSWER:
            return False
        old = self.ages.is_old(segment.text, place.units(segment.path, texts))
        return old and self.expects_age(place, segment.path, texts)

    def _is_age(self, place: Place, segment: TextSegment, texts: Mapping[str, str]) -> bool:
        return (
            bool(place.asked or place.aged)
            and self.ages.is_over(segment.text, place.units(segment.path, texts))
            and self.expects_age(place, segment.path, texts)
        )

    def asked(self, message: Message, actions: Sequence[Action]) -> dict[str, tuple[str, ...]]:
        """Return the questions that short kept and scanned values answer, in words, by path."""
        if message.format not in self.places:
            return {}
        read = (Handling.SCAN, Handling.KEEP)
        answers = self.places[message.format].answers
        placed = [
            (segment, self.place(message.format, segment))
            for segment, action in zip(message.segments, actions, strict=True)
            if answers(segment.element, segment.datatype)
            and action.handling in read
            and len(segment.text) <= LONGEST
        ]
        if not placed:
            return {}
        texts = {segment.path: segment.text for segment in message.segments}
        found = {
            segment.path: self.questions.of(place.questions(segment.path, texts))
            for segment, place in placed
            if place.grammar.check != "system"
            or not names_system(segment.path, segment.text, texts)
        }
        return {path: questions for path, questions in found.items() if questions}

    def expects_age(self, place: Place, path: str, texts: Mapping[str, str]) -> bool:
        """Whether a place holds an age by its definition or by the question that it answers."""
        return place.aged or (bool(place.asked) and self.ages.asks(place.questions(path, texts)))

    def _is_birth(self, place: Place, segment: TextSegment, texts: Mapping[str, str]) -> bool:
        """Whether a value answers a question for somebody's date or year of birth."""
        is_date = self.ages.is_date(segment.text)
        return is_date and self.ages.asks_birth(place.questions(segment.path, texts))

    def place(self, form: str, segment: TextSegment) -> Place:
        """Return the place of a segment of a message of format ``form``."""
        key = (form, segment.element, segment.datatype)
        place = self._memo.get(key)
        if place is None:
            place = self.places[form].place(segment.element, segment.datatype)
            place = in_document(place, segment.element, self.in_documents)
            if len(self._memo) < PLACES:
                self._memo[key] = place
        return place


def _is_sentence(text: str) -> bool:
    """Whether a text is worded as a note is; names of products and tests are capitalised."""
    words = [bare for word in text.split() if (bare := word.strip(_POINTS)).isalpha()]
    small = any(word.islower() for word in words) or all(map(str.isupper, words))
    return len(words) >= SENTENCE and small and "_" not in text
