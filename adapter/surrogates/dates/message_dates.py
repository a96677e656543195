"""The dates of one message: which patient each belongs to, and its surrogate."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from adapter.errors import SurrogateError
from adapter.normalize.folding import fold
from adapter.surrogates.dates import births, time_zones
from adapter.surrogates.dates.extent import ZONE, reach
from adapter.surrogates.dates.lookalikes import BESIDE, is_measure, is_word, only_weekdays
from adapter.surrogates.dates.orders import known_days, order_of, votes
from adapter.surrogates.dates.shift import OLDEST, Calendar, born, is_time, parsed, typed
from adapter.surrogates.dates.shift import age as years_between
from adapter.surrogates.dates.written.compact import digits, epoch
from adapter.surrogates.dates.written.text import days_of, rewrite
from adapter.surrogates.dates.written.tokens import RemainingDateError, UnreadableDateError
from adapter.surrogates.names.persons import PATIENT
from adapter.types import FIELD_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.surrogates.dates.orders import Votes
    from adapter.surrogates.dates.written.text import Custom
    from adapter.surrogates.drawing.keys import Key
    from adapter.surrogates.options import SurrogateOptions
    from adapter.types import Extraction, Span, TextSegment

NO_DATE = "[date]"
"""Replacement of a date mention that cannot be read: no date is better than a false one."""
BIRTH = "{birthdate}"
"""Form of a span that is somebody's date of birth."""
_OF_BIRTH = BIRTH.rstrip("}")
_DATE_PARTS = frozenset({"birthdate", "deathdate"})
_YEARS = range(1800, 2200)
_CLOCKS = (4, 6)
"""Numbers of digits of a time of day written without separators."""


class Days:
    """Renders every date of one message, each by the calendar of the patient it belongs to."""

    def __init__(
        self, key: Key, options: SurrogateOptions, extraction: Extraction, custom: Custom
    ) -> None:
        self._key, self._options = key, options
        self._extraction, self._custom = extraction, custom
        self._calendars: dict[str, Calendar] = {}
        self._old: dict[date, frozenset[date]] = {}
        self._done: dict[tuple[str, str, str, str], str] = {}
        self._customs: dict[tuple[str, str], Custom] = {}
        self._votes: dict[str, Votes] = {}
        self._known = known_days(_known(extraction))
        self._patients = {e.id: e.identity for e in extraction.entities if e.role == PATIENT}

    def reach(self, segment: TextSegment, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        """Return a scanned text's spans, with dates extended over the text rewritten with them."""
        if self._options.dates == "keep":
            return spans
        years = self._options.dates != "shift" or not self.about(segment)
        offsets = time_zones.DROP if years else self._options.offsets
        return reach(segment.text, spans, self._custom, years=years, offsets=offsets)

    def about(self, within: TextSegment | None) -> str:
        """Return the identity of the patient that a segment is about; "" if unknown."""
        own = self._extraction.subjects.get(within.path) if within else None
        return own or self._extraction.subject or ""

    def is_readable(self, text: str, span: Span, within: TextSegment | None) -> bool:
        """Whether a mention is surely a date: a holiday, or digits in a known layout."""
        if not any(map(str.isdigit, text)):
            return span.entity is None and self._custom.words.is_holiday(fold(text))
        calendar = self._calendar(span, within)
        if _typed(text.strip(), calendar, "") is not None:
            return True
        try:
            rewrite(calendar, text, self._writes(text, within.text if within else text))
        except UnreadableDateError:
            return False
        return True

    def render(
        self, text: str, span: Span, within: TextSegment | None, run: tuple[int, int] | None
    ) -> str | None:
        """Return a date's surrogate, or None to remove a field that cannot be read.

        An unreadable mention in text becomes "[date]". A measurement ("120/80") stays, and is
        checked for leaks like all kept text.
        """
        datatype = within.datatype if within else ""
        told = within is not None and self._tells_birth(text, span, within)
        form = BIRTH if told else span.form or ""
        place = self._subject(span, within), text, datatype, form
        if place in self._done and span.source != ZONE:
            return self._done[place]
        calendar = self._calendar(span, within)
        if span.source == ZONE:
            return time_zones.zone(text, calendar.offsets)
        if datatype.startswith(("TM", "time")) and is_time(text):
            return time_zones.field(text, calendar.offsets)
        core = text.strip()
        if core.isalpha() and within and self._is_word(core, span, within.text):
            return text
        if self._is_routine(core, span, within):
            return text
        new = self._birth(core, span, calendar) or _typed(core, calendar, datatype)
        if new is None:
            new = self._written(core, span, within, run)
        elif core is text:
            self._done[place] = new
        return new if new is None or core is text else text.replace(core, new, 1)

    def _is_routine(self, core: str, span: Span, within: TextSegment | None) -> bool:
        """Whether weekdays belong to no patient ("open Mon-Fri"): alone they tell no day."""
        if self._options.dates != "shift" or self._subject(span, within):
            return False
        return only_weekdays(fold(core), self._custom.words, self._custom.language)

    def _is_word(self, core: str, span: Span, text: str) -> bool:
        before = text[max(span.start - BESIDE, 0) : span.start]
        return is_word(core, before, text[span.end : span.end + BESIDE], self._custom.words)

    def _birth(self, text: str, span: Span, calendar: Calendar) -> str | None:
        """Return the surrogate of a known date of birth that is written unusually, else None."""
        if span.source == FIELD_SOURCE or not (span.form or "").startswith(_OF_BIRTH):
            return None
        if not births.unusual(text):
            return None
        own = (e.parts for e in self._extraction.entities if e.id == span.entity)
        known = (value for parts in own for part, value in parts if part == "birthdate")
        if new := births.digits_of_birth(calendar, text, known):
            return new
        plain = births.usual(text)
        if plain == text:
            return None
        try:
            return births.like(rewrite(calendar, plain, self._writes(plain, plain)), text)
        except (RemainingDateError, UnreadableDateError):
            return NO_DATE

    def _written(
        self, text: str, span: Span, within: TextSegment | None, run: tuple[int, int] | None
    ) -> str | None:
        """Return the surrogate of a date as people write it."""
        calendar = self._calendar(span, within)
        custom = self._writes(text, within.text if within else text)
        order = "ymd" if span.source == FIELD_SOURCE else custom.order
        if new := digits(calendar, text, order):
            return new
        # Date fields hold no seconds since 1970; a number kept as such might identify somebody.
        kept = span.source == FIELD_SOURCE and self._options.dates == "keep"
        if not kept and (new := epoch(calendar, text)):
            return new
        try:
            if run and within and text == within.text[span.start : span.end]:
                return _in_run(calendar, within.text, span, run, custom)
            return _zoned(rewrite(calendar, text, custom), calendar, custom)
        except RemainingDateError:
            return None if span.source == FIELD_SOURCE else NO_DATE
        except UnreadableDateError:
            return _unread(text, calendar, field=span.source == FIELD_SOURCE)

    def _writes(self, mention: str, text: str) -> Custom:
        """Return the style in which a text writes a mention."""
        if (mention, text) not in self._customs:
            if text not in self._votes:
                self._votes[text] = votes(text, self._known)
            order = order_of(mention, self._votes[text], self._known, self._custom.order)
            custom = replace(self._custom, accents=not text.isascii(), order=order)
            self._customs[mention, text] = custom
        return self._customs[mention, text]

    def _subject(self, span: Span, within: TextSegment | None) -> str:
        """Return the identity of the patient who owns the date, else the one from `about`."""
        if span.entity is not None and span.entity in self._patients:
            return self._patients[span.entity]
        return self.about(within)

    def _calendar(self, span: Span, within: TextSegment | None) -> Calendar:
        calendar = self._calendar_at(self._subject(span, within))
        if within is None or self._options.ages == "keep":
            return calendar
        text = within.text[span.start : span.end]
        own: frozenset[date] = frozenset()
        if span.form == BIRTH:
            own = _over_89((text,), calendar.now())
        elif self._tells_birth(text, span, within):
            days = days_of(calendar, text, self._writes(text, within.text))
            own = _over_89(map(date.isoformat, days), calendar.now())
        return replace(calendar, births=calendar.births | own) if own else calendar

    def _tells_birth(self, text: str, span: Span, within: TextSegment) -> bool:
        """Whether words before a mention in text make it somebody's date of birth."""
        if span.source == FIELD_SOURCE or not any(map(str.isdigit, text)):
            return False
        return births.is_told(within.text, span.start, self._custom.words)

    def _calendar_at(self, subject: str) -> Calendar:
        if subject not in self._calendars:
            self._calendars[subject] = self._calendar_of(subject)
        return self._calendars[subject]

    def _calendar_of(self, subject: str) -> Calendar:
        if not subject and self._options.unknown_subject == "hold":
            raise SurrogateError("no-subject")
        shift = self._options.shift(self._key, subject)
        offsets = time_zones.DROP if shift is None else self._options.offsets
        reference = parsed(self._extraction.reference or "")
        calendar = Calendar(shift, reference, era=self._options.era, offsets=offsets)
        births = self._births(calendar.now()) if self._options.ages != "keep" else frozenset()
        return replace(calendar, births=births)

    def _births(self, now: date) -> frozenset[date]:
        if now not in self._old:
            texts = (t for e in self._extraction.entities for p, t in e.parts if p == "birthdate")
            self._old[now] = _over_89(texts, now)
        return self._old[now]


def _known(extraction: Extraction) -> frozenset[date]:
    """Return the days that fields of the message, or of the patient's earlier ones, give."""
    parts = (pair for entity in extraction.entities for pair in entity.parts)
    told = (text for part, text in parts if part in _DATE_PARTS)
    days = map(parsed, (*told, *extraction.days, extraction.reference or ""))
    return frozenset(filter(None, days))


def _over_89(texts: Iterable[str], now: date) -> frozenset[date]:
    """Return those dates of birth that tell an age over 89 on the day ``now``."""
    births = (born(text) for text in texts)
    return frozenset(b for b in births if b and years_between(b, now) > OLDEST)


def _typed(text: str, calendar: Calendar, datatype: str) -> str | None:
    """Return the surrogate of a date in HL7 or FHIR layout, or None if it has neither."""
    if len(text) in (4, 6) and text.isdigit() and int(text[:4]) not in _YEARS:
        return None
    return typed(calendar, text, datatype)


def _zoned(text: str, calendar: Calendar, custom: Custom) -> str:
    return time_zones.zoned(text, calendar.offsets, custom.words)


def _unread(text: str, calendar: Calendar, *, field: bool) -> str | None:
    """Return the replacement of a mention in no known layout, or None to remove a field.

    In text, times of day and measurements stay; where only years stay, times of day do not. Four
    digits in a field for a day are no time: they may be a day without its year.
    """
    clock = is_time(text) and (":" in text or (not field and len(text) in _CLOCKS))
    if clock and (field or calendar.shift is not None):
        return time_zones.field(text, calendar.offsets)
    if field:
        return None
    return text if is_measure(text) else NO_DATE


def _in_run(calendar: Calendar, text: str, span: Span, run: tuple[int, int], custom: Custom) -> str:
    """Rewrite a mention together with its range or list, or alone if the whole cannot be read.

    Raises:
        UnreadableDateError: the mention is in no known layout.
    """
    first, last = run
    try:
        part = span.start - first, span.end - first
        new = rewrite(calendar, text[first:last], custom, part)
    except UnreadableDateError:
        new = rewrite(calendar, text[span.start : span.end], custom)
    return _zoned(new, calendar, custom)
