"""Detection of the language of a message's text: as declared, else by its words.

A message declares its language in MSH-19 (HL7 v2.9 chapter 2.13.9.19) or in ``Resource.language``
and ``Attachment.language`` (FHIR R4). Otherwise the longest free texts are examined.

``rules/languages/<code>.toml`` describes a language::

    codes   = ["es", "spa", "spanish"]   # how messages name it; regions ("es-MX") are left out
    words   = "el los una paciente ..."  # frequent words of two letters and more, accents and all
    endings = "ado ión"                  # the last three letters of many of its longer words
    letters = "ñ¿á"                      # letters that the other languages lack
    dates   = "dmy"                      # 3/4 is the third of April; by default the profile decides
    countries = "es esp mx mex ..."      # codes of ISO 3166 of countries where it is spoken
    abbreviations = "z.n. v.a."          # with points, as no other language has them

Words and abbreviations count two points, endings and letters one; an item of all languages counts
for none. A language other than the first must lead the first by `LEAD` points, so that a few
foreign names change nothing. Where no language leads, words that only one language's word lists
have count too (`adapter.languages.own_words`), and the country of the message (MSH-17, else of the
addresses) is believed on less evidence. A short text whose words are mostly in no word list of the
configured languages is in none of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.languages.own_words import OwnWords, decided
from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.types import TextSegment

LEAD = 5
"""Points by which another language must lead the first (for example two words and an ending)."""
NEAR_LEAD = 1
"""Points by which a language that is spoken in the country of the message must lead, where words
of one language's lists count too."""
SAMPLE = 2048
"""Maximum number of characters in a message's text that are examined."""
LONG_WORD = 6
"""Minimum number of letters in a word whose ending counts."""

UNCONFIGURED = "und"
"""ISO 639-2 code of texts in none of the configured languages."""
FOREIGN_WORDS = 12
"""Minimum number of words in a text that may be found to be in no configured language."""
FOREIGN_KINDS, FOREIGN_SHARE = 5, 0.2
"""Minimum number of distinct function words of another language, and their share of all words."""

STRANGE_WORDS, STRANGE_SHARE = 3, 0.6
"""Minimum number of lower-case words of four and more letters in no word list, and their share of
all such words, for a short text to be in another language."""

STRANGE_POINTS = 3
"""Minimum points of a configured language for a short text to be in that language after all."""

SAID_WORDS, SAID_SHARE = 4, 0.3
"""Minimum number of words in a text declared to be in another language, and maximum share of
frequent words of configured languages."""

_WORD = re.compile(r"\w\w+")
_ABBREVIATION = re.compile(r"(?<![\w.])(?:[^\W\d_]{1,3}\.){2,}(?![\w@])")
_LATIN_1 = "\xff"
_SMALL = re.compile(r"(?<![\w@./'-])[^\W\d_A-Z]{4,}(?![\w@/'-])")
_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")
_REGION = re.compile(r"[-_].*", re.DOTALL)
_COUNTRIES = frozenset({"XAD.6", "AD.6", "Address.country"})
"""Datatypes of the country of an address."""
_KEYS: dict[str, type] = {
    "codes": list,
    "words": str,
    "endings": str,
    "letters": str,
    "dates": str,
    "countries": str,
    "abbreviations": str,
    "grammar": str,
    "unconfigured": bool,
    **dict.fromkeys(("calendar", "numbers", "ages", "articles", "context", "cues"), dict),
    **dict.fromkeys(("titles", "names", "organisations", "addresses"), dict),
    "augment": dict,
}

Points = tuple[int, ...]
"""Points of each language, in the order of the languages."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """The main language of a message, and the languages that its parts declare, by path."""

    main: str
    parts: Mapping[str, str] = field(default_factory=dict, repr=False)
    unconfigured: bool = False
    """Whether the message's texts are in none of the configured languages."""
    alike: bool = False
    """Whether they are read as the main language nevertheless, whose model finds more than none."""

    def at(self, path: str) -> str:
        """Return the language of a place: that of the innermost part that declares one."""
        if not self.parts:
            return self.read
        while path:
            path = path.rpartition("/")[0]
            if path in self.parts:
                return self.parts[path]
        return self.read

    @property
    def read(self) -> str:
        """The language of texts that declare none; `UNCONFIGURED` if it is not configured."""
        return UNCONFIGURED if self.unconfigured and not self.alike else self.main


@dataclass(frozen=True, slots=True)
class Recognizer:
    """The configured languages; the first is assumed unless a text clearly is in another."""

    languages: tuple[str, ...]
    codes: Mapping[str, str] = field(repr=False)
    words: Mapping[str, Points] = field(repr=False)
    endings: Mapping[str, Points] = field(repr=False)
    letters: Mapping[str, Points] = field(repr=False)
    orders: Mapping[str, str] = field(default_factory=dict)
    """Order of dates by language, "dmy" or "mdy", for languages that give one."""
    foreign: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    """Function words of other languages by code, without words of the configured ones."""
    frequent: frozenset[str] = field(default=frozenset(), repr=False)
    """Frequent words of all configured languages."""
    vocabulary: OwnWords = field(default_factory=OwnWords, repr=False)
    """Word lists of each configured language."""
    countries: Mapping[str, frozenset[int]] = field(default_factory=dict, repr=False)
    """Numbers of the languages spoken in a country, by its folded code."""
    wider: Recognizer | None = field(default=None, repr=False)
    """The same languages and, behind them, those that have rules but are not configured."""

    @classmethod
    def of(
        cls,
        tables: Mapping[str, Mapping[str, Any]],
        others: Mapping[str, Mapping[str, str]] | None = None,
        vocabulary: OwnWords | None = None,
    ) -> Recognizer:
        """Compile the parsed ``rules/languages/<code>.toml`` by code, the default language first.

        ``vocabulary`` are the word lists of each of these languages, used to judge short texts.

        ``others`` are the words of languages without rules: ``rules/languages/others/words.toml``.

        Raises:
            RuleError: a file has an unknown key or a malformed value; its place names the file.
        """
        for code, table in tables.items():
            _refuse_malformed(code, table)
        words = [_listed(table, "words", "abbreviations") for table in tables.values()]
        endings = [_listed(table, "endings") for table in tables.values()]
        return cls(
            tuple(tables),
            {
                fold(name): code
                for code, table in tables.items()
                for name in (code, *table["codes"])
            },
            _points([{*row, *map(fold, row)} for row in words], 2),
            _points([{*row, *map(fold, row)} for row in endings], 1),
            _points([set(table.get("letters", "")) for table in tables.values()], 1),
            {code: table["dates"] for code, table in tables.items() if "dates" in table},
            _foreign(others or {}, tables, {word for row in words for word in row}),
            frozenset(word for row in words for word in row),
            vocabulary or OwnWords(),
            _countries(tables.values()),
        )

    def named(self, name: str) -> str | None:
        """Return the language of a code or name ("es" for "es-MX" and "SPA"), or None."""
        return self.codes.get(_REGION.sub("", fold(name.strip())))

    def heard(self, text: str, near: frozenset[int] = frozenset()) -> str:
        """Return the language of a text: the first unless there is clear evidence of another.

        ``near`` are the numbers of the languages spoken in the country of the message.
        """
        if len(self.languages) == 1:
            return self.languages[0]
        points = self.points(text)
        best = max(range(len(points)), key=points.__getitem__)
        if points[best] >= points[0] + LEAD and points.count(points[best]) == 1:
            return self.languages[best]
        if not self.vocabulary or points[0] >= max(points[1:]) + LEAD:
            return self.languages[0]
        text, lead = text[:SAMPLE], (LEAD, NEAR_LEAD)
        frequent = self._total(self.words.get(word) for word in _words(text.lower()))
        own = self.vocabulary.points(text, self.words)
        return self.languages[decided(points, frequent, own, near, lead)]

    def spoken_in(self, country: str) -> frozenset[int]:
        """Return the numbers of the languages spoken in a country, by its code."""
        return self.countries.get(fold(country.strip()), frozenset())

    def unconfigured(self, text: str, *, said: bool = False) -> bool:
        """Whether a text of enough words is in none of the configured languages.

        Function words of one other language must be many and distinct, and outnumber the frequent
        words of every configured language. A message that declares (``said``) another language is
        believed unless the text's words indicate a configured one.
        """
        words = _WORD.findall(text[:SAMPLE].lower())
        if said and len(words) >= SAID_WORDS:
            known = sum(word in self.frequent for word in words)
            if known <= SAID_SHARE * len(words) and max(self.points(text)) < LEAD:
                return True
        if len(words) < FOREIGN_WORDS * 2 and self._strange(text):
            return True
        if not self.foreign or len(words) < FOREIGN_WORDS:
            return False
        own = max(self.points(text)) // 2
        return any(self._clear(row, words, own) for row in self.foreign.values())

    def beyond(self, text: str) -> bool:
        """Whether a language that has rules, but is not configured, leads all that are."""
        if self.wider is None:
            return False
        points, count = self.wider.points(text), len(self.languages)
        return max(points[count:]) >= max(points[:count]) + LEAD

    def _strange(self, text: str) -> bool:
        """Whether most lower-case words of a short text are in no word list, and points are few.

        With letters beyond Latin-1, which no language here has, a few more points are allowed.
        """
        most = LEAD if _beyond(text) else STRANGE_POINTS
        if not self.vocabulary or max(self.points(text)) >= most:
            return False
        words = {fold(word) for word in _SMALL.findall(text)}
        strange = [word for word in words if word not in self.vocabulary]
        return len(strange) >= STRANGE_WORDS and len(strange) >= STRANGE_SHARE * len(words)

    def _clear(self, row: frozenset[str], words: Sequence[str], own: int) -> bool:
        found = [word for word in words if word in row]
        return (
            len(set(found)) >= FOREIGN_KINDS
            and len(found) >= FOREIGN_SHARE * len(words)
            and len(found) > own
        )

    def points(self, text: str) -> Points:
        """Return each language's points in the first `SAMPLE` characters of a text."""
        text = text[:SAMPLE].lower()
        known, endings, letters = self.words, self.endings, self.letters
        found: list[Points] = []
        for word in _words(text):
            if word in known:
                found.append(known[word])
            elif len(word) >= LONG_WORD and word[-3:] in endings:
                found.append(endings[word[-3:]])
        if not text.isascii():
            found += [letters[letter] for letter in letters.keys() & set(text)]
        return self._total(found)

    def _total(self, found: Iterable[Points | None]) -> Points:
        """Return the sums of points by language."""
        return tuple(map(sum, zip(*filter(None, found), strict=True))) or (0,) * len(self.languages)


def _words(text: str) -> list[str]:
    """Return the words of a text, and its abbreviations of several letters with points."""
    return _WORD.findall(text) + _ABBREVIATION.findall(text)


def _listed(table: Mapping[str, Any], *keys: str) -> list[str]:
    return [word for key in keys for word in table.get(key, "").lower().split()]


def _beyond(text: str) -> bool:
    """Whether a text has lower-case letters beyond Latin-1, as in Turkish, Polish or Hungarian."""
    return not text.isascii() and any(_LATIN_1 < letter and letter.islower() for letter in text)


def _refuse_malformed(code: str, table: Mapping[str, Any]) -> None:
    place = f"languages/{code}.toml"
    if unknown := table.keys() - _KEYS:
        raise RuleError(place, f"unknown keys {sorted(unknown)}")
    wrong = [key for key, kind in _KEYS.items() if not isinstance(table.get(key, kind()), kind)]
    if wrong:
        raise RuleError(place, f"{wrong[0]} is not a {_KEYS[wrong[0]].__name__}")
    if table.get("dates", "dmy") not in {"dmy", "mdy"}:
        raise RuleError(place, "dates must be dmy or mdy")
    if not table.get("codes"):
        raise RuleError(place, "has no codes")


def _foreign(
    others: Mapping[str, Mapping[str, str]],
    tables: Mapping[str, Mapping[str, Any]],
    known: set[str],
) -> dict[str, frozenset[str]]:
    """Return the words of languages without rules that no configured language has, by code."""
    return {
        code: frozenset(word for word in table["words"].split() if word not in known)
        for code, table in others.items()
        if code not in tables
    }


def _countries(tables: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[int]]:
    """Return the numbers of the languages spoken in each country."""
    found: dict[str, frozenset[int]] = {}
    for number, table in enumerate(tables):
        for code in table.get("countries", "").split():
            found[code] = found.get(code, frozenset()) | {number}
    return found


def _points(listed: Sequence[set[str]], each: int) -> dict[str, Points]:
    """Return the points of each item; items that all languages list are left out."""
    items: set[str] = set().union(*listed)
    found = {item: tuple(each * (item in row) for row in listed) for item in items}
    return {item: points for item, points in found.items() if 0 in points}


def spoken(
    segments: Sequence[TextSegment], free: Iterable[TextSegment], recognizer: Recognizer
) -> Spoken:
    """Return the languages of a message; ``free`` are the segments that are free text.

    The language declared for the whole message comes first, then the one that all its parts
    declare, then the one detected in the parts that declare none.
    """
    free = tuple(free)
    parts = _said(segments, recognizer) if len(recognizer.languages) > 1 else {}
    if "" in parts:
        main = parts[""]
    elif len(set(parts.values())) == 1:
        main = next(iter(parts.values()))
    else:
        said = Spoken("", parts)
        sample = _sample({s.text for s in free if not said.at(s.path)})
        main = recognizer.heard(sample, _near(segments, recognizer))
        if recognizer.unconfigured(sample, said=_says_another(segments, recognizer)):
            return Spoken(main, parts, unconfigured=True)
        if recognizer.beyond(sample):
            return Spoken(main, parts, unconfigured=True, alike=True)
    return Spoken(main, {} if set(parts.values()) <= {main} else parts)


def _near(segments: Sequence[TextSegment], recognizer: Recognizer) -> frozenset[int]:
    """Return the languages of the message's country (MSH-17), else of those of its addresses."""
    for segment in segments:
        if segment.element.startswith("MSH-17"):
            return recognizer.spoken_in(segment.text)
    countries = {s.text for s in segments if s.datatype in _COUNTRIES}
    return frozenset().union(*map(recognizer.spoken_in, countries))


def _says_another(segments: Iterable[TextSegment], recognizer: Recognizer) -> bool:
    """Whether a message or a part of it declares a language that is not configured."""
    return any(
        _TAG.fullmatch(segment.text.strip()) is not None and recognizer.named(segment.text) is None
        for segment in segments
        if segment.element.startswith("MSH-19") or _says(segment.element, segment.datatype)
    )


def _said(segments: Iterable[TextSegment], recognizer: Recognizer) -> dict[str, str]:
    """Return the declared languages by path of the part; "" is the whole message."""
    found: dict[str, str] = {}
    for segment in segments:
        element = segment.element
        if element.startswith("MSH-19") or _says(element, segment.datatype):
            language = recognizer.named(segment.text)
            if language is not None:
                found.setdefault(segment.path.rpartition("/")[0], language)
    return found


def _says(element: str, datatype: str) -> bool:
    """Whether a FHIR element declares the language of its own resource or attachment."""
    return element.endswith(".language") and datatype in {"code", "Attachment.language"}


def _sample(texts: Iterable[str]) -> str:
    """Join the longest texts: short ones are often displays of codes in another language."""
    sample: list[str] = []
    room = SAMPLE
    for text in sorted(texts, key=_longest_first):
        sample.append(text)
        room -= len(text) + 1
        if room <= 0:
            break
    return "\n".join(sample)


def _longest_first(text: str) -> tuple[int, str]:
    return -len(text), text
