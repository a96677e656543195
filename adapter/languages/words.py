"""The tables of all languages together: text in any language is read, and written in its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.languages.ages import Ages
from adapter.languages.articles import Articles
from adapter.languages.calendar import Calendar
from adapter.languages.context import Context
from adapter.languages.cues import Cues
from adapter.languages.field_words import FieldWords
from adapter.languages.numbers import Numbers
from adapter.languages.reading import either
from adapter.languages.titles import Titles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from adapter.languages.calendar import Cycle, Holiday


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The word tables of every language by code, the configured languages first.

    Compared by identity, so that memos of pure functions may be keyed by it.
    """

    calendars: Mapping[str, Calendar] = field(repr=False)
    numbers: Mapping[str, Numbers] = field(repr=False)
    articles: Mapping[str, Articles] = field(repr=False)
    fields: FieldWords = field(repr=False)
    """Words of structured fields, in all languages."""
    ages: Ages = field(repr=False)
    """Words of ages, in all languages."""
    context: Context = field(repr=False)
    """Context words, in all languages."""
    cues: Cues = field(repr=False)
    """Cues, in all languages."""
    holidays: Mapping[str, Holiday] = field(repr=False)
    """Folded name -> (month, day), in all languages."""
    fillers: frozenset[str] = field(repr=False)
    """Words of all languages that may stand in a mention of a date and are kept."""
    sets: frozenset[str] = field(repr=False)
    """Folded sets of weekday initials ("mwf"), as dialysis schedules are written."""
    _orders: Mapping[str, tuple[str, ...]] = field(repr=False)

    @classmethod
    def of(
        cls,
        tables: Mapping[str, Mapping[str, Any]],
        others: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    ) -> Words:
        """Compile the parsed ``rules/languages/<code>.toml`` by code.

        ``others`` are the words of addresses in languages without rules.

        Raises:
            RuleError: a file has an unknown key or a malformed value; its place names the file.
        """
        calendars = {code: Calendar.of(code, table) for code, table in tables.items()}
        numbers = {code: Numbers.of(code, table) for code, table in tables.items()}
        if not any(each.units for each in numbers.values()):
            raise RuleError("languages", "no language has number words")
        titles = Titles.joined(Titles.of(code, table) for code, table in tables.items())
        holidays: dict[str, Holiday] = {}
        for calendar in reversed(calendars.values()):
            holidays |= calendar.holidays
        return cls(
            calendars,
            numbers,
            {code: Articles.of(code, table) for code, table in tables.items()},
            FieldWords.of(titles, {**tables, **others}, _months(calendars.values())),
            Ages.of(tables),
            Context.of_tables(tables),
            Cues.of(tables),
            holidays,
            frozenset().union(*(each.fillers for each in calendars.values())),
            frozenset(form for each in calendars.values() for form in each.sets),
            {code: (code, *(other for other in tables if other != code)) for code in tables},
        )

    @property
    def titles(self) -> Titles:
        """Titles of all languages."""
        return self.fields.titles

    @property
    def calendar_forms(self) -> frozenset[str]:
        """Folded names, abbreviations and other forms of months and weekdays, in all languages."""
        cycles = ((row.months, row.weekdays) for row in self.calendars.values())
        return frozenset(form for pair in cycles for cycle in pair for form in cycle.forms)

    def order(self, first: str) -> tuple[str, ...]:
        """Return the codes of all languages, ``first`` first."""
        return self._orders.get(first) or tuple(self.calendars)

    def said(self, role: str) -> str:
        """Return a pattern of the words of all languages in a role, such as "between"."""
        return either(word for row in self.calendars.values() for word in row.roles[role])

    def is_holiday(self, text: str) -> bool:
        """Whether a folded text is the name of a holiday and not also a name of people."""
        return text in self.holidays and not any(
            text in row.roles["holidays_of_people"] for row in self.calendars.values()
        )

    def own(self, language: str, role: str) -> str:
        """Return a pattern of the words of one language in a role."""
        return either(self.calendars[language].roles[role])

    def patterns(self, key: str) -> tuple[str, ...]:
        """Return the patterns of all languages under a key."""
        return tuple(p for row in self.calendars.values() for p in row.patterns.get(key, ()))

    def in_role(self, role: str) -> frozenset[str]:
        """Return the words of all languages in a role."""
        return frozenset(word for row in self.calendars.values() for word in row.roles[role])

    def index_of(self, form: str, kind: str, language: str) -> int | None:
        """Return the index of a month or weekday form (0: January, Monday), or None if unknown.

        Forms of two letters count only in the text's own language: "so" and "mo" are English words.
        """
        for code, cycle in self._cycles(kind, language):
            if form in cycle.forms and (len(form) > 2 or code == language):  # noqa: PLR2004
                return cycle.forms[form][0]
        return None

    def sibling(
        self, form: str, kind: str, index: int, language: str, *, short: bool = False
    ) -> str:
        """Return another month or weekday in the language and length of a form, as prose writes it.

        ``short``: the form is an abbreviation although it looks like a full name ("May").
        """
        cycle = next(cycle for _, cycle in self._cycles(kind, language) if form in cycle.forms)
        return cycle.written(form, index, kind, short=short)

    def season_of(self, form: str, language: str) -> int | None:
        """Return the quarter of a season (0 is winter), or None if the form is not a season."""
        for code in self.order(language):
            if form in self.calendars[code].season_forms:
                return self.calendars[code].season_forms[form]
        return None

    def season_name(self, form: str, quarter: int, language: str) -> str:
        """Return the season of a quarter in the language and number of a form."""
        each = (self.calendars[code] for code in self.order(language))
        return next(one for one in each if form in one.season_forms).season(form, quarter)

    def holiday_name(self, month: int, day: int, form: str) -> str:
        """Return another well-known holiday, the nearest to a day, in the language of a form.

        A name of several languages belongs to the last of them, because English borrows names.
        """
        each = reversed(tuple(self.calendars.values()))
        own = next(one for one in each if form in one.holidays)
        return own.holiday(month, day, self.holidays[form])

    def set_moved(self, letters: str, form: str, days: int) -> str:
        """Return weekday initials ("MWF") moved by a number of days ("TThSa")."""
        own = next(one for one in self.calendars.values() if form in one.sets)
        return own.set_moved(letters, days) if days % 7 else letters

    def weekday_months(self, language: str) -> Mapping[str, int]:
        """Map month forms that are a weekday before a whole date to the weekday, for a language."""
        calendar = self.calendars.get(language)
        return calendar.weekday_months if calendar else {}

    def counting(self, language: str) -> Numbers:
        """Return the number words of a language, or of the first language that has any."""
        each = (self.numbers[code] for code in self.order(language))
        return next(one for one in each if one.units)

    def spelling(self, suffix: str, language: str) -> Numbers:
        """Return the numbers of the first language with a suffix of ordinals; empty if none has."""
        each = (self.numbers[code] for code in self.order(language))
        return next((one for one in each if suffix in one.suffixes), Numbers())

    def _cycles(self, kind: str, language: str) -> Iterator[tuple[str, Cycle]]:
        for code in self.order(language):
            calendar = self.calendars[code]
            yield code, calendar.months if kind == "month" else calendar.weekdays


def _months(calendars: Iterable[Calendar]) -> Iterator[str]:
    """Yield the folded names, abbreviations and other forms of months."""
    return (form for calendar in calendars for form in calendar.months.forms)
