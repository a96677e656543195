"""Checks of a value by its place's grammar, the code system beside it, and known words."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.checkdigits import passes_verhoeff
from adapter.normalize.folding import fold
from adapter.values.grammars import Grammar
from adapter.values.proof.days import day_of
from adapter.values.systems import folded
from adapter.values.vocabulary import SHORTEST, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.values.labels import Labels
    from adapter.values.personal import Personal
    from adapter.values.places import Place
    from adapter.values.systems import CodeSystems
    from adapter.values.units import Units

LOCAL_SYSTEM = "99"
"""What a site's own name of a code system begins with (HL7 v2 table 0396): it may be anybody's."""
SHORT = 200
"""Maximum length in characters of a code's display, and of a value checked again after tagging."""
DISPLAY = "display"
"""Name of the grammar of the displays of codes that are not about people."""
MEMO = 65536
"""Maximum number of memoised verdicts: many times those of a feed, yet bounded."""
FIGURES, SURE_FIGURES = 7, 6
"""Maximum number of significant digits in a measured integer, with and without a unit."""
LEAST_SURNAME = 5
"""Minimum number of letters in a name that no address of a standard contains."""
_BETWEEN_WORDS = " _-"
_WORDED = frozenset({"display", "text"})
"""Checks of places where a code is put in words."""
_ADDRESSES = frozenset({"uri", "bases", "position", "series"})

NO_GRAMMAR = Grammar("")

_CAPITALISED = regex.compile(r"\p{Lu}[\p{L}\p{M}'\u2019]+")
_MARKS_ONLY = regex.compile(r"[\W_]{0,60}")
_CODE = regex.compile(r"[^\s@\p{C}]{1,60}")
_CONCEPT = regex.compile(r"[1-9]\d{2,14}[01]0\d")
_INTEGER = regex.compile(r"\D{0,3}0*(\d+?)0*\D{0,3}")
_TITLE = regex.compile(r"([A-Za-z]{2,30}(?:[ _][A-Za-z]{2,30}){0,7})[ _]?(?:\d{0,2}[a-z]?|[A-Z])")
_WORDS = regex.compile(r"[A-Za-z]{1,20}(?:[ _-][A-Za-z]{1,20}){0,3}")


@dataclass(frozen=True)
class Checks:
    """Checks a value by its place and the texts beside it; verdicts are memoised."""

    systems: CodeSystems = field(repr=False)
    labels: Labels = field(repr=False)
    units: Units = field(repr=False)
    personal: Personal = field(repr=False)
    codes: frozenset[str] = field(default=frozenset(), repr=False)
    """Codes of all HL7 v2 tables."""
    vocabulary: Vocabulary = field(default_factory=Vocabulary, repr=False)
    nameless: Vocabulary = field(default_factory=Vocabulary, repr=False)
    """The vocabulary without names of people and towns, except words that codes contain."""
    placeholders: frozenset[str] = frozenset()
    """Words with which test messages fill any place."""
    artifact: Grammar = field(default=NO_GRAMMAR, repr=False)
    """Grammar of the ids of FHIR definitions."""
    proves: Callable[[Place, str, tuple[str, ...]], bool] = field(init=False, repr=False)
    """Whether a text is a valid value of a place, given the texts beside it; memoised."""
    _checks: dict[str, Callable[[str, Sequence[str]], bool]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        checks = {
            "code": self._is_code,
            "published": self._is_listed_system,
            "system": self._is_system,
            "display": self._is_display,
            "unit": self._is_unit,
            "version": self._is_version,
        }
        object.__setattr__(self, "_checks", checks)
        object.__setattr__(self, "proves", lru_cache(maxsize=MEMO)(self._proves))

    def _proves(self, place: Place, text: str, near: tuple[str, ...]) -> bool:
        text = text.strip(" ")
        if self._is_public(place, text, near):
            return True
        if place.grammar.excepts(text) and not self._has(near, text.strip()):
            return False
        return self._fits(place, text, near)

    def _is_public(self, place: Place, text: str, near: Sequence[str]) -> bool:
        """Whether a text is marks, the name of its place, or a usual display, of any grammar."""
        if _MARKS_ONLY.fullmatch(text) or self._is_title(place, text):
            return True
        return place.grammar.check in _WORDED and self.labels.has(text, near)

    def _fits(self, place: Place, text: str, near: tuple[str, ...]) -> bool:
        """Whether a text has the form of its place, or proves itself, and names nobody."""
        fits, check = place.grammar.fits(text), place.grammar.check
        if not fits and place.grammar.codes(text):
            fits = len(near) > 1 and self._has(near, near[1].strip())
        if check == "code" and self.labels.begins(text, near):
            return True
        if check == "number":
            return fits and self._is_measured(text, near)
        if (place.grammar.closed and fits) or (place.grammar.worded and self._is_worded(text)):
            return True
        if not (fits or (check in self._checks and self._checks[check](text, near))):
            return False
        return check == "unit" or not self._unknown(place, text, near)

    def _is_worded(self, text: str) -> bool:
        """Whether a text is a known word, or several, that are nobody's name."""
        return self.nameless.knows(text) or self.nameless.knows_phrase(text)

    def _is_title(self, place: Place, text: str) -> bool:
        """Whether a text is the standard's name of its place, as test messages have: "Source 2"."""
        found = _TITLE.fullmatch(text)
        if found is None:
            return False
        title = found[1].replace(" ", "").replace("_", "").lower()
        if title in self.placeholders:
            return True
        return title in place.titles and not self.nameless.calls(title)

    @property
    def surnames(self) -> frozenset[str]:
        """Folded family names of at least `LEAST_SURNAME` letters that are not also words."""
        names = frozenset(self.personal.family) - self.personal.words - self.vocabulary.words
        return frozenset(name for name in names if len(name) >= LEAST_SURNAME)

    def is_public(self, name: str) -> bool:
        """Whether a text names a published code system, or is an address of a publisher."""
        return bool(self.systems.named(name)) or self.personal.public.match(name) is not None

    def is_published(self, place: Place, text: str, near: tuple[str, ...]) -> bool:
        """Whether a code or display of the published system beside it proves itself.

        A name or long number is no code because a system is named beside it: a code must pass the
        system's check digit, or not look personal. All words of a display must be known.
        """
        if place.grammar.check == "code":
            return self._proves_itself(text, near)
        named = place.grammar.name == DISPLAY and self.is_term(text)
        return named and self.proves(place, text, near)

    def _proves_itself(self, code: str, near: Sequence[str]) -> bool:
        systems = self.systems.named(near[0]) if near else ()
        fitting = [system for system in systems if system.has(code)]
        if any(system.check for system in fitting):
            return not day_of(code)  # one of ten days passes a check digit
        plain = not code.isalpha() and (not self.personal.looks(code) or _is_concept(code))
        return plain and any(not system.word for system in fitting)

    def names_artifact(self, text: str) -> bool:
        """Whether an id consists of words that describe a definition and name nobody."""
        return (
            self.artifact.fits(text)
            and self.vocabulary.describes_thing(text, self.nameless)
            and self.nameless.recognises(text)
        )

    def is_term(self, text: str) -> bool:
        """Whether all words of a display are known, and those that are names stand as in a term."""
        return self.vocabulary.listed(text) and not any(
            not (self.nameless.listed(word[0]) or self.vocabulary.plain(word[0]))
            and self.placed_as_name(text[: word.start()], text[word.end() :])
            for word in _CAPITALISED.finditer(text)
        )

    def placed_as_name(self, before: str, after: str) -> bool:
        """Whether a capitalised word between these texts of a display stands where a name does.

        That is behind a mark or a word like "by", before a mark, or at the end.
        """
        if (before and not before.endswith(" ")) or not after.startswith((" ", "-")):
            return True
        lead = before.split()[-1:]
        return bool(lead) and (not lead[0][-1].isalnum() or fold(lead[0]) in self.vocabulary.cues)

    def stray(self, text: str) -> bool:
        """Whether a text consists of words in no vocabulary, which no code system would contain."""
        return text.replace(" ", "").isalpha() and self.vocabulary.strange(text)

    def looks(self, place: Place, text: str, near: tuple[str, ...]) -> bool:
        """Whether the text that is left of a value after tagging looks personal."""
        cued = place.grammar.check == "display" and self._cued(text)
        return cued or self.personal.looks(text) or self._unknown(place, text, near)

    def _unknown(self, place: Place, text: str, near: tuple[str, ...]) -> bool:
        """Whether a value contains unknown words, which may be a name."""
        check, words = place.grammar.check, self.vocabulary
        named = check == "display" and self._is_named(text, near)
        if named or self.personal.public.match(text) or place.grammar.name in _ADDRESSES:
            return False
        if not words.describes(text):
            return True
        code = near[1].strip() if check == "display" and near else text.strip()
        if self._has(near, code) and not (self._worded(near) and _mixed(text, code)):
            return check == "display" and (words.surnames(text) or not words.labels(text))
        if place.grammar.closed or place.grammar.listed:
            return not self._listed(text, closed=place.grammar.closed)
        if check in ("code", "system", "unit"):
            return self._is_unknown_code(place, text, near)
        return check in ("display", "text") and not words.labels(text)

    def _is_unknown_code(self, place: Place, text: str, near: Sequence[str]) -> bool:
        """Whether a code, or the name of a code system or unit, contains what may be a name."""
        check, words = place.grammar.check, self.vocabulary
        if check == "system" and text.startswith(LOCAL_SYSTEM) and not words.listed(text):
            return True
        foreign = check == "code" and " " not in text and self._is_foreign(near)
        if foreign and not self._listed(text, closed=True):
            return True  # a system's own code would have its form: "en-GB-x-Grace"
        several = any(mark in text for mark in _BETWEEN_WORDS)
        plain = words.names_nobody(text) and not (several and not words.labels(text))
        return not (self.systems.named(text) or plain)

    def _listed(self, text: str, *, closed: bool) -> bool:
        if closed:
            return self.nameless.listed(text, capitals=SHORTEST)
        return self.vocabulary.listed(text)

    def _is_system(self, text: str, near: Sequence[str]) -> bool:
        del near
        return bool(self.systems.named(text)) or self._is_code(text, ())

    def _is_listed_system(self, text: str, near: Sequence[str]) -> bool:
        """Whether a text is the whole name of a published code system, and nobody's ("ADA")."""
        del near
        return folded(text) in self.systems.names and not self.nameless.calls(folded(text))

    def _is_unit(self, text: str, near: Sequence[str]) -> bool:
        return self.units.has(text) or self._has(near, text)

    def _is_version(self, text: str, near: Sequence[str]) -> bool:
        del near
        if text.isalpha():
            return self._is_code(text, ())
        return _WORDS.fullmatch(text) is not None and self.vocabulary.plain(text)

    def _is_code(self, text: str, near: Sequence[str]) -> bool:
        text = text.strip()
        if self._has(near, text):
            return True
        if _CODE.fullmatch(text) is None:
            return False
        return not self.personal.looks(text) or _is_concept(text)

    def _has(self, near: Sequence[str], code: str) -> bool:
        """Whether a code has the form of a code of the system that ``near[0]`` names."""
        return bool(near) and any(
            (system.units and self.units.has(code))
            or (system.has(code) and not (system.word and self._is_name(code)))
            for system in self.systems.named(near[0])
        )

    def _worded(self, near: Sequence[str]) -> bool:
        """Whether the codes of the system that ``near[0]`` names are ordinary words."""
        return all(system.word for system in self.systems.named(near[0]))

    def _is_foreign(self, near: Sequence[str]) -> bool:
        """Whether ``near[0]`` names a code system whose codes are no words.

        It is asked of codes that do not have the form of one.
        """
        systems = self.systems.named(near[0]) if near else ()
        return bool(systems) and not any(system.word for system in systems)

    def _is_name(self, code: str) -> bool:
        return code not in self.codes and self.personal.looks(code)

    def _is_display(self, text: str, near: Sequence[str]) -> bool:
        """Whether a text is beside a code of a known system and does not look personal."""
        if len(text) > SHORT or not near:
            return False
        code = near[1].strip()
        begins = bool(text) and text.isdigit() and code.startswith(text)
        if not self._has(near, code) or self._cued(text):
            return False
        return begins or self._is_named(text, near) or not self.personal.looks(text)

    def _is_named(self, text: str, near: Sequence[str]) -> bool:
        """Whether a text has the form in which the system named beside it names the code there."""
        return (
            len(near) > 1
            and any(
                system.term is not None and system.term.fullmatch(text)
                for system in self.systems.named(near[0])
            )
            and self._has(near, near[1].strip())
        )

    def _cued(self, text: str) -> bool:
        """Whether a text names a person or a street address, whatever code is beside it."""
        return self.personal.cues(text, self.vocabulary.unknown)

    def _is_measured(self, text: str, near: Sequence[str]) -> bool:
        """Whether a number has no more digits (in an integer: significant) than a measurement."""
        integer = _INTEGER.fullmatch(text.strip())
        if integer is None:
            return not self.personal.numbers(text.partition(".")[0])
        unit = any(self.units.has(other) for other in near)
        return len(integer[1]) <= (FIGURES if unit else SURE_FIGURES)


def _is_concept(text: str) -> bool:
    """Whether a number is a SNOMED CT concept id: partition 00 or 10, and a valid check digit.

    One of ten times has the digits of a concept too, so a number that begins with a day is none.
    """
    concept = _CONCEPT.fullmatch(text) is not None and passes_verhoeff(text)
    return concept and not day_of(text)


def _mixed(text: str, code: str) -> bool:
    """Whether a text is in mixed case, or is several words and not the code itself.

    Codes that are words are all in lower case or all in capitals.
    """
    return not (text.islower() or text.isupper()) or (text.strip() != code and " " in text.strip())
