"""Which kept values are what their place says, and which are left to the taggers or dropped."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.types import Action, Handling, Label
from adapter.values.overrides import Overrides
from adapter.values.systems import verhoeff
from adapter.values.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from adapter.types import Message, Span, TextSegment
    from adapter.values.ages import Ages
    from adapter.values.personal import Personal
    from adapter.values.places import FhirPlaces, Hl7Places, Place
    from adapter.values.systems import CodeSystems
    from adapter.values.units import Units

AGE = Action(Handling.SURROGATE, Label.AGE, part="age")
SCAN = Action(Handling.SCAN)
DROP = Action(Handling.DROP)
SHORT = 200
"""Characters up to which what taggers leave of a value is looked at once more."""
MEMO, PLACES = 65536, 100_000
"""Verdicts and places remembered: many times those of a feed, yet bounded."""
LONGEST_CODE = 60
_ADDRESSES = frozenset({"uri", "bases", "position", "series"})
FIGURES, SURE_FIGURES = 7, 6
"""Significant digits of a measured integer, with and without a unit."""

_MARKS_ONLY = regex.compile(r"[\W_]{0,60}")
_CODE = regex.compile(r"[^\s@\p{C}]{1,60}")
_CONCEPT = regex.compile(r"[1-9]\d{2,14}[01]0\d")
_INTEGER = regex.compile(r"\D{0,3}0*(\d+?)0*\D{0,3}")


@dataclass(frozen=True, slots=True)
class Proved:
    """Actions after proof, and the paths of values that were not proved."""

    actions: tuple[Action, ...] = field(repr=False)
    scanned: frozenset[str] = field(default=frozenset(), repr=False)
    dropped: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """How many values were scanned, and how many dropped, of those that proved nothing."""
        found = {"scanned": len(self.scanned), "dropped": self.dropped}
        return {done: n for done, n in found.items() if n}


@dataclass(frozen=True)
class Values:
    """The compiled grammars; verdicts are remembered by place and text."""

    places: Mapping[str, Hl7Places | FhirPlaces] = field(repr=False)
    systems: CodeSystems = field(repr=False)
    units: Units = field(repr=False)
    personal: Personal = field(repr=False)
    ages: Ages = field(repr=False)
    codes: frozenset[str] = field(default=frozenset(), repr=False)
    """Codes of all tables of HL7."""
    vocabulary: Vocabulary = field(default_factory=Vocabulary, repr=False)
    overrides: Overrides = field(default_factory=Overrides, repr=False)
    _memo: dict[tuple[str, str, str], Place] = field(
        default_factory=dict, repr=False, compare=False
    )
    proves: Callable[[Place, str, tuple[str, ...]], bool] = field(init=False, repr=False)
    """Whether a value is one of its place, given what stands beside it."""
    _checks: dict[str, Callable[[str, Sequence[str]], bool]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        checks = {
            "code": self._is_code,
            "system": self._is_system,
            "display": self._is_display,
            "unit": self._is_unit,
            "version": self._is_version,
        }
        object.__setattr__(self, "_checks", checks)
        object.__setattr__(self, "proves", lru_cache(maxsize=MEMO)(self._proves))

    def judge(self, message: Message, actions: Sequence[Action]) -> Proved:
        """Return the actions with each kept value that does not prove itself scanned or dropped.

        What a profile keeps although the policy does not (an action with a label) stays.
        """
        if message.format not in self.places:
            return Proved(tuple(actions))
        keep = Handling.KEEP  # looked up once: an enum's members are no plain attributes
        kept = [
            (number, segment)
            for number, (segment, action) in enumerate(zip(message.segments, actions, strict=True))
            if action.handling is keep and action.label is None
        ]
        texts = {segment.path: segment.text for segment in message.segments}
        judged = list(actions)
        scanned, dropped = [], 0
        for number, segment in kept:
            place = self.place(message.format, segment)
            text = segment.text
            if text in place.codes or self.proves(place, text, place.near(segment.path, texts)):
                if place.asked and self._is_age(place, segment, texts):
                    judged[number] = AGE
                continue
            judged[number] = DROP if place.grammar.drops else SCAN
            if place.grammar.drops:
                dropped += 1
            else:
                scanned.append(segment.path)
        if message.format == "hl7v2":
            for number, action in self.overrides.of(message, texts):
                judged[number] = action if judged[number].label is None else judged[number]
        return Proved(tuple(judged), frozenset(scanned), dropped)

    def _is_age(self, place: Place, segment: TextSegment, texts: Mapping[str, str]) -> bool:
        near = place.near(segment.path, texts)
        return place.grammar.check == "number" and self.ages.tells(
            segment.text, place.questions(segment.path, texts), near
        )

    def settle(
        self, message: Message, proved: Proved, spans: Mapping[str, tuple[Span, ...]]
    ) -> Proved:
        """Return the actions with values dropped in which taggers left something personal."""
        if not proved.scanned:
            return proved
        judged = list(proved.actions)
        dropped = proved.dropped
        texts: dict[str, str] = {}
        for number, segment in enumerate(message.segments):
            if segment.path in proved.scanned and len(segment.text) <= SHORT:
                left = _left(segment.text, spans.get(segment.path, ()))
                place = self.place(message.format, segment)
                texts = texts or {other.path: other.text for other in message.segments}
                if self._looks(place, left, place.near(segment.path, texts)):
                    judged[number] = DROP
                    dropped += 1
        return replace(proved, actions=tuple(judged), dropped=dropped)

    def place(self, form: str, segment: TextSegment) -> Place:
        """Return the place of a segment of a message of format ``form``."""
        key = (form, segment.element, segment.datatype)
        place = self._memo.get(key)
        if place is None:
            place = self.places[form].place(segment.element, segment.datatype)
            if len(self._memo) < PLACES:
                self._memo[key] = place
        return place

    def _proves(self, place: Place, text: str, near: tuple[str, ...]) -> bool:
        if _MARKS_ONLY.fullmatch(text):
            return True
        if place.grammar.excepts(text) and not self._has(near, text.strip()):
            return False
        fits, check = place.grammar.fits(text), place.grammar.check
        if check == "number":
            return fits and self._is_measured(text, near)
        if not (fits or (check in self._checks and self._checks[check](text, near))):
            return False
        return check == "unit" or not self._unknown(place, text, near)

    def _looks(self, place: Place, text: str, near: tuple[str, ...]) -> bool:
        """Whether what taggers left of a value looks personal."""
        return self.personal.looks(text) or self._unknown(place, text, near)

    def _unknown(self, place: Place, text: str, near: tuple[str, ...]) -> bool:
        """Whether a value has words that are none, so that they may be a name."""
        check, words = place.grammar.check, self.vocabulary
        if self.personal.public.match(text) or place.grammar.name in _ADDRESSES:
            return False
        if not words.describes(text):
            return True
        code = near[1].strip() if check == "display" and near else text.strip()
        if self._has(near, code) and not (self._worded(near) and _mixed(text)):
            return False
        if place.grammar.listed:
            return not words.listed(text)
        if check in ("code", "system", "unit"):
            return not (self.systems.named(text) or words.names_nobody(text))
        return check in ("display", "text") and not words.labels(text)

    def _is_system(self, text: str, near: Sequence[str]) -> bool:
        del near
        return bool(self.systems.named(text)) or self._is_code(text, ())

    def _is_unit(self, text: str, near: Sequence[str]) -> bool:
        return self.units.has(text) or self._has(near, text)

    def _is_version(self, text: str, near: Sequence[str]) -> bool:
        del near
        return text.isalpha() and self._is_code(text, ())

    def _is_code(self, text: str, near: Sequence[str]) -> bool:
        text = text.strip()
        if self._has(near, text):
            return True
        if _CODE.fullmatch(text) is None:
            return False
        return not self.personal.looks(text) or _is_concept(text)

    def _has(self, near: Sequence[str], code: str) -> bool:
        """Whether the system that is named first of what stands near has such a code."""
        return bool(near) and any(
            (system.units and self.units.has(code))
            or (system.has(code) and not (system.word and self._is_name(code)))
            for system in self.systems.named(near[0])
        )

    def _worded(self, near: Sequence[str]) -> bool:
        """Whether codes of the system that stands near are words, as any word is."""
        return all(system.word for system in self.systems.named(near[0]))

    def _is_name(self, code: str) -> bool:
        return code not in self.codes and self.personal.looks(code)

    def _is_display(self, text: str, near: Sequence[str]) -> bool:
        """Whether a text is what a known system calls a code of it, and no full name."""
        if len(text) > SHORT or not near:
            return False
        return self._has(near, near[1].strip()) and not self.personal.looks(text)

    def _is_measured(self, text: str, near: Sequence[str]) -> bool:
        """Whether an integer has no more significant digits than a measurement."""
        integer = _INTEGER.fullmatch(text.strip())
        if integer is None:
            return not self.personal.numbers(text.partition(".")[0])
        unit = any(self.units.has(other) for other in near)
        return len(integer[1]) <= (FIGURES if unit else SURE_FIGURES)


def _is_concept(text: str) -> bool:
    """Whether a number is a concept of SNOMED CT: partition 00 or 10, and its check digit."""
    return _CONCEPT.fullmatch(text) is not None and verhoeff(text)


def _mixed(text: str) -> bool:
    """Whether a text is in small and capital letters: codes that are words are in either."""
    return not (text.islower() or text.isupper())


def _left(text: str, spans: Sequence[Span]) -> str:
    """What spans leave of a text, a blank for each of them."""
    parts, at = [], 0
    for span in sorted(spans, key=lambda span: span.start):
        parts.append(text[at : span.start])
        at = max(at, span.end)
    parts.append(text[at:])
    return " ".join(parts)
