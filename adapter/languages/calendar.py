"""Words of the calendar: months, weekdays, seasons, holidays, and words beside dates.

The table ``[calendar]`` of a language's file::

    months = "enero febrero ..."           # twelve, as prose writes them
    month_letters = [3]                    # letters that abbreviations keep, the usual number first
    months_short = "janv févr ..."         # usual abbreviations, if not of a fixed length
    months_also = { sept = [9, 3] }        # other forms: month, letters kept (0 all, -1 a plural)
    short_months = "may"                   # names that are their own abbreviation
    weekdays = "lunes martes ..."          # seven, Monday first; and the same keys for them
    weekdays_before = "lunes martes ..."   # forms that stand before a date and move with it
    short_weekdays_before = "lun mar ..."  # the same, if a dot or comma follows
    weekday_months = { mar = 2 }           # month forms that are a weekday before a whole date
    weekday_initials = "M T W Th F Sa Su"  # weekdays as schedules abbreviate them
    weekday_sets = { mwf = [1, 3, 5] }     # usual sets of weekdays
    seasons = [["invierno", "inviernos"], ...]  # winter first; the usual name, then other forms
    season_plural = "s"                    # plural ending of seasons
    holidays = { 12-25 = "navidad xmas" }  # by month and day; movable ones by their mean date
    holidays_of_people = "pascua reyes"    # holidays that are also names of people
    well_known = ["Navidad"]               # holidays that surrogates may name, as written
    fillers = "de del a"                   # words that may stand in a mention of a date, and stay

    between = "a hasta y"                  # between the dates of a range or list
    listed = "y e o a"                     # between days of one month
    until = "a al hasta"                   # between the first day of a range and its last
    of_month = ["de", "del mes de"]        # between a day and its month
    articles = "el dia"                    # before the number of a day
    on = "el"                              # between a weekday, time of day or holiday and a date
    at = ["a las"]                         # between a date and a time of day
    hours = "h horas"                      # after a time of day
    weeks = "sem semana"                   # before the number of a week
    month_words = "mes"                    # "mes 9": a month that has a number instead of its name
    year_days = "dia"                      # before the number of a day in its year
    of_year = "de del ano"                 # between a day counted so and its year
    number = "numero no"                   # before a number of a week or day
    quarters = "trimestre"                 # quarters of a year
    quarter_letters = "t"                  # letters of quarters: T1

    [calendar.patterns]                    # regular expressions over text in comparable form
    time, decade, week, year_day           # further layouts of times, decades, weeks, days
    day                                    # days of a month in words, beside those of [numbers]
    seasons_before                         # seasons that stand before a date and move with it
    [calendar.written]                     # regular expressions over the text as written
    alone                                  # weekdays and holidays to move that no tagger rule finds
    zones                                  # names of time zones that tell summer from winter
    [calendar.only_behind]                 # words that are dates only behind one of these
    "fall falls" = "in last this"          # (and an article): a fall is an injury
    [calendar.never_before]                # words that are no dates before one of these
    may = "be have"
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

import regex

from adapter.errors import RuleError
from adapter.languages.reading import either, folded, patterns_of, place, table_of, words_of
from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROLES = (
    *("between", "listed", "until", "of_month", "articles", "on", "at", "hours"),
    *("weeks", "month_words", "year_days", "of_year"),
    *("number", "quarters", "quarter_letters", "weekdays_before", "short_weekdays_before"),
    *("short_months", "holidays_of_people", "births"),
)
"""Keys whose words are looked up under the key's name."""
PATTERNS = frozenset({"time", "decade", "week", "year_day", "day", "seasons_before"})
WRITTEN = frozenset({"alone", "zones"})
_KEYS = (
    *ROLES,
    *("months", "month_letters", "months_short", "months_also"),
    *("weekdays", "weekday_letters", "weekdays_short", "weekdays_also"),
    *("weekday_months", "weekday_initials", "weekday_sets", "seasons", "season_plural"),
    *("holidays", "well_known", "fillers", "patterns", "written"),
    *("only_behind", "never_before"),
)
_PLURAL = -1
_YEAR = 2023
"""A year of 365 days, for distances between holidays."""

Form = tuple[int, int]
"""(index, letters kept): 0 is January or Monday; 0 letters for the full name, -1 for a plural."""
Holiday = tuple[int, int]
"""(month, day)."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """The months or weekdays of one language, with their other forms."""

    names: tuple[str, ...] = ()
    letters: tuple[int, ...] = ()
    forms: Mapping[str, Form] = field(default_factory=dict)
    short: tuple[str, ...] = ()
    """Usual abbreviations, if they are not a fixed number of letters."""

    @classmethod
    def of(cls, code: str, table: Mapping[str, Any], kind: str, count: int) -> Cycle:
        """Compile the keys of a kind, "month" or "weekday"; without names the cycle is empty.

        Raises:
            RuleError: there are not ``count`` names, or a form's index is out of range.
        """
        names = words_of(code, table.get(f"{kind}s", ""))
        if not names:
            return cls()
        letters = tuple(table.get(f"{kind}_letters", ()))
        short = words_of(code, table.get(f"{kind}s_short", ""))
        also = {fold(form): tuple(value) for form, value in table.get(f"{kind}s_also", {}).items()}
        wrong = any(not 1 <= at <= count for at, _ in also.values())
        if len(names) != count or len(short) not in (0, count) or wrong or not (letters or short):
            raise RuleError(place(code), f"the words of {kind}s must be those of {count} {kind}s")
        forms: dict[str, Form] = {}
        for at, name in enumerate(map(fold, names)):
            for length in letters:
                forms.setdefault(name[:length], (at, length))
        forms |= {fold(name): (at, len(name)) for at, name in enumerate(short)}
        forms |= {fold(name): (at, 0) for at, name in enumerate(names)}
        forms |= {form: (at - 1, length) for form, (at, length) in also.items()}
        return cls(names, letters, forms, short)

    def spelled(self, index: int) -> tuple[str, ...]:
        """Return a name and its usual abbreviation, folded."""
        name = self.names[index]
        short = self.short[index] if self.short else name[: self.letters[0]]
        return tuple(dict.fromkeys((fold(name), fold(short))))

    def written(self, form: str, index: int, kind: str, *, short: bool) -> str:
        """Return the name at ``index`` in the length of a form; ``short``: it is abbreviated."""
        length = self.forms[form][1]
        name = self.names[index]
        if length == _PLURAL:
            return name if name.endswith("s") else f"{name}s"
        if not length and not short:
            return name
        if self.short:
            return self.short[index]
        return name[: 2 if length == 2 else self.letters[0] if kind == "month" else 3]  # noqa: PLR2004


@dataclass(frozen=True, slots=True)
class Calendar:
    """The calendar of one language."""

    months: Cycle
    weekdays: Cycle
    seasons: tuple[str, ...]
    season_forms: Mapping[str, int]
    season_plural: str
    holidays: Mapping[str, Holiday]
    well_known: tuple[tuple[Holiday, str], ...]
    weekday_months: Mapping[str, int]
    initials: tuple[str, ...]
    sets: Mapping[str, tuple[int, ...]]
    fillers: frozenset[str]
    roles: Mapping[str, tuple[str, ...]]
    patterns: Mapping[str, tuple[str, ...]]
    """Patterns over folded text and over text as written, by key."""
    only_behind: Mapping[str, regex.Pattern[str]]
    """Folded words that are dates only behind what the pattern finds at the end of a text."""
    never_before: Mapping[str, regex.Pattern[str]]
    """Folded words that are no dates before what the pattern matches."""

    @classmethod
    def of(cls, code: str, tables: Mapping[str, Any]) -> Calendar:
        """Compile the table ``[calendar]`` of a language.

        Raises:
            RuleError: a key is unknown, or a value is malformed.
        """
        table = table_of(code, tables, "calendar", _KEYS)
        patterns = {
            **table_of(code, table, "patterns", PATTERNS),
            **table_of(code, table, "written", WRITTEN),
        }
        seasons = [words_of(code, row) for row in table.get("seasons", ())]
        holidays = _holidays(code, table.get("holidays", {}))
        initials = words_of(code, table.get("weekday_initials", ""))
        roles = {role: folded(code, table.get(role, "")) for role in ROLES}
        article = rf"(?:{either(roles['articles'])}\s+)?"
        return cls(
            months=Cycle.of(code, table, "month", 12),
            weekdays=Cycle.of(code, table, "weekday", 7),
            seasons=tuple(row[0] for row in seasons),
            season_forms={fold(f): at for at, row in enumerate(seasons) for f in row},
            season_plural=table.get("season_plural", ""),
            holidays=holidays,
            well_known=_well_known(code, table.get("well_known", []), holidays),
            weekday_months={
                fold(form): day - 1 for form, day in table.get("weekday_months", {}).items()
            },
            initials=initials,
            sets=_sets(initials, table.get("weekday_sets", {})),
            fillers=frozenset(folded(code, table.get("fillers", ""))),
            roles=roles,
            patterns={key: patterns_of(code, value) for key, value in patterns.items()},
            only_behind=_beside(code, table, "only_behind", rf"\b{{}}[\s-]+{article}$"),
            never_before=_beside(code, table, "never_before", r"\s+{}\b"),
        )

    def season(self, form: str, quarter: int) -> str:
        """Return the season of a quarter (0 is winter), in the plural if the form is a plural."""
        plural = self.season_plural
        return self.seasons[quarter] + (plural if plural and form.endswith(plural) else "")

    def holiday(self, month: int, day: int, other: Holiday) -> str:
        """Return the well-known holiday nearest to a day, on a day other than ``other``."""
        now = date(_YEAR, month, min(day, 28)).timetuple().tm_yday

        def distance(entry: tuple[Holiday, str]) -> int:
            gap = abs(date(_YEAR, *entry[0]).timetuple().tm_yday - now)
            return min(gap, 365 - gap)

        return min((each for each in self.well_known if each[0] != other), key=distance)[1]

    def set_moved(self, letters: str, days: int) -> str:
        """Return weekday initials moved by a number of days, in the case of ``letters``."""
        moved = _moved(self.sets[fold(letters)], days)
        text = "".join(self.initials[day] for day in moved)
        return text.lower() if letters.islower() else text


def _holidays(code: str, table: Mapping[str, Any]) -> dict[str, Holiday]:
    found: dict[str, Holiday] = {}
    for day, names in table.items():
        try:
            when = date.fromisoformat(f"{_YEAR}-{day}")
        except ValueError:
            raise RuleError(place(code), f"holiday {day} is not MM-DD") from None
        found |= dict.fromkeys(folded(code, names), (when.month, when.day))
    return found


def _well_known(
    code: str, names: Sequence[str], holidays: Mapping[str, Holiday]
) -> tuple[tuple[Holiday, str], ...]:
    known = words_of(code, list(names))
    if strange := [name for name in known if fold(name) not in holidays]:
        raise RuleError(place(code), f"well_known '{strange[0]}' is not one of the holidays")
    if len({holidays[fold(name)] for name in known}) == 1 or (holidays and not known):
        raise RuleError(place(code), "needs at least two well_known holidays")
    return tuple((holidays[fold(name)], name) for name in known)


def _beside(
    code: str, table: Mapping[str, Any], key: str, pattern: str
) -> dict[str, regex.Pattern[str]]:
    """Return for each word of a table the pattern of its words, put into ``pattern``."""
    own = table.get(key, {})
    if not isinstance(own, dict):
        raise RuleError(place(code), f"[calendar] {key} must be a table of words")
    return {
        word: regex.compile(pattern.replace("{}", either(folded(code, words))), regex.IGNORECASE)
        for form, words in own.items()
        for word in folded(code, form)
    }


def _sets(
    initials: Sequence[str], given: Mapping[str, Sequence[int]]
) -> dict[str, tuple[int, ...]]:
    """Return sets of weekdays by their initials: the given sets, and all sets they move to."""
    own = {fold(form): tuple(day - 1 for day in days) for form, days in given.items()}
    moved = {_moved(days, by) for days in own.values() for by in range(7)} if initials else set()
    return {fold("".join(initials[day] for day in days)): days for days in sorted(moved)} | own


def _moved(weekdays: Sequence[int], days: int) -> tuple[int, ...]:
    return tuple(sorted((day + days) % 7 for day in weekdays))
