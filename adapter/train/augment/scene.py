"""The subject of one synthetic text: people, numbers and places, and their written forms.

The slot ``{kin.first}`` is a form of a person's name, ``{date.dm}`` a date in a layout, ``{mrn}``
a number, ``{##}`` digits; any other name is a phrase from the templates of that kind.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.normalize.folding import squeeze
from adapter.train.augment.dates import laid_out
from adapter.train.augment.names import Renaming, new_name
from adapter.train.augment.places import Places
from adapter.train.augment.templates import SLOT, chosen
from adapter.train.augment.values import Values
from adapter.train.augment.written_forms import FACTS, USUAL, written

if TYPE_CHECKING:
    from random import Random

    from adapter.train.augment.tables import Tables

Piece = tuple[str, str]
"""(text, type); the type is "" for text outside mentions."""

PATIENTS = frozenset({"patient", "kin", "kin2"})
_PLACES = frozenset({"hospital", "organization", "street"})
_SEXED = {
    "He": ("He", "She"), "he": ("he", "she"), "His": ("His", "Her"), "his": ("his", "her"),
    "Mr": ("Mr.", "Ms."),
}  # fmt: skip
_TYPES = {
    "hospital": "HOSPITAL", "org": "ORGANIZATION", "street": "STREET", "city": "CITY",
    "state": "STATE", "st": "STATE", "country": "COUNTRY", "place": "LOCATION-OTHER",
    "job": "PROFESSION", "age": "AGE", "ageyo": "AGE", "dob": "DATE", "dobraw": "DATE",
    "dateraw": "DATE", "email": "EMAIL", "url": "URL", "user": "USERNAME", "typist": "",
} | dict.fromkeys(_SEXED, "")  # fmt: skip
"""Slot -> type, for slots that are not people, dates or `FACTS`."""
_BIRTHS = (date(1924, 1, 1), date(2023, 12, 31))
_VISITS = (date(2005, 1, 1), date(2027, 12, 31))


class Scene:
    """The people and values of one synthetic text; a slot always has the same value."""

    def __init__(self, tables: Tables, rng: Random, *, his: bool | None = None) -> None:
        self._tables, self._rng = tables, rng
        self._calendar = tables.habits.words.calendars[tables.language]
        self._renaming = Renaming(tables, rng)
        self._values = Values(tables, self._renaming, rng)
        self._places = Places(tables, rng)
        self._names: dict[str, tuple[str, str]] = {}
        self._kept: dict[str, Piece] = {}
        drawn = rng.random() < 0.5  # noqa: PLR2004
        self._his = drawn if his is None else his
        self._visit = self._day(_VISITS)

    def of(self, kind: str) -> list[Piece]:
        """Return a random template of a kind as pieces of text.

        Raises:
            RuleError: the language has no template of the kind.
        """
        if kind not in self._tables.templates:
            raise RuleError(f"models/augment/{self._tables.language}-*", f"no [{kind}] templates")
        return self.filled(self._rng.choice(self._tables.templates[kind]))

    def filled(self, template: str) -> list[Piece]:
        """Return the template as pieces of text, with choices made and slots filled."""
        pieces: list[Piece] = []
        place = 0
        text = chosen(template, self._rng)
        for match in SLOT.finditer(text):
            pieces.append((text[place : match.start()], ""))
            pieces += self._slot(match[1])
            place = match.end()
        pieces.append((text[place:], ""))
        return [piece for piece in pieces if piece[0]]

    def _slot(self, name: str) -> list[Piece]:
        who, _, form = name.partition(".")
        if name[0] in "#@":
            return [(self._values.numbered(name), "")]
        if who in USUAL:
            return [(self.person(who, form), "PATIENT" if who in PATIENTS else "DOCTOR")]
        if who in ("date", "date2"):
            return [(self.when(form), "DATE")]
        if name in self._tables.templates and name not in _PLACES:
            return self.of(name)
        return [self.fact(name)]

    def fact(self, name: str) -> Piece:
        """Return a number, place or other value of the scene, with its type."""
        if name not in self._kept:
            base = name.rstrip("2")
            if base in FACTS:
                kind, layouts = FACTS[base]
                self._kept[name] = self._values.numbered(self._rng.choice(layouts)), kind
            else:
                if base not in _TYPES:
                    raise RuleError("augment templates", f"unknown slot {name}")
                self._kept[name] = self._thing(base), _TYPES[base]
        return self._kept[name]

    def _thing(self, name: str) -> str:  # noqa: C901, PLR0911, PLR0912 (one return for each slot)
        match name:
            case "hospital" | "street":
                return self._place(name)
            case "org":
                return self._place("organization")
            case "city":
                return self._places.word("city")
            case "state" | "st":
                return self._state(short=name == "st")
            case "country":
                return self._country()
            case "place":
                return self._area()
            case "job":
                return self._values.occupation()
            case "age" | "ageyo":
                return f"{self._years()}{name[3:]}"
            case "dob":
                layout = self._rng.choice(self._tables.habits.layouts["dmy"][:9])
                return laid_out(layout, date.fromisoformat(self.birth()), self._tables.habits)
            case "dobraw" | "dateraw":
                return (self.birth() if name == "dobraw" else self.visit()).replace("-", "")
            case "email":
                return self._email()
            case "url":
                return self._url()
            case "user":
                return self._user()
            case "typist":
                return "".join(self._rng.choices("abcdefghjklmnprstw", k=2))
        return _SEXED[name][0 if self._his else 1]

    def person(self, who: str, form: str = "") -> str:
        """Return the name of a person of the scene in a form, by default a usual form."""
        given, family = self.named(who)
        form = form or self._rng.choice(USUAL[who])
        return self._alias(given) if form == "alias" else written(given, family, form, self._rng)

    def _alias(self, given: str) -> str:
        """Return another family name of the same person."""
        if "alias" not in self._names:
            self._names["alias"] = (given, new_name("family", self._tables, self._rng))
        return self._names["alias"][1]

    def named(self, who: str) -> tuple[str, str]:
        """Return the given and family name of a person, whether the text names them or not."""
        if who not in self._names:
            given = new_name("given", self._tables, self._rng)
            family = new_name("family", self._tables, self._rng)
            if who == "kin" and self._rng.random() < 0.6:  # noqa: PLR2004 (most share the name)
                family = self.named("patient")[1]
            self._names[who] = (given, family)
        return self._names[who]

    def when(self, form: str = "") -> str:
        """Return a date near the visit in a layout of the language."""
        day = self._visit + timedelta(days=self._rng.randint(-400, 60))
        if form == "wd":
            return self._weekday(day)
        if form == "hol":
            return self._rng.choice(sorted(self._calendar.holidays)).title().replace("'S", "'s")
        if form == "y":
            return self._rng.choice(
                (str(day.year - self._rng.randint(0, 30)), f"'{day.year % 100:02d}")
            )
        if form == "m":
            return self._calendar.months.names[day.month - 1]
        parts = {"num": "dmy", "dm": "dm", "my": "my"}.get(form) or self._rng.choice(
            ("dmy", "dmy", "dm")
        )
        layout = self._rng.choice(self._tables.habits.layouts[parts])
        if form == "num":
            layout = self._rng.choice(self._tables.habits.layouts["dmy"][:5])
        elif form == "dm" and self._rng.random() < 0.5:  # noqa: PLR2004 (as they mostly come)
            layout = self._rng.choice(self._tables.habits.layouts["dm"][:3])
        return laid_out(layout, day, self._tables.habits)

    def _weekday(self, day: date) -> str:
        name = self._calendar.weekdays.names[day.weekday()]
        return self._rng.choice((name, name, name[:3]))

    def _day(self, bounds: tuple[date, date]) -> date:
        return bounds[0] + timedelta(days=self._rng.randrange((bounds[1] - bounds[0]).days))

    def birth(self) -> str:
        """Return the patient's date of birth, YYYY-MM-DD."""
        if "birth" not in self._kept:
            self._kept["birth"] = (self._day(_BIRTHS).isoformat(), "DATE")
        return self._kept["birth"][0]

    def visit(self) -> str:
        """Return the date of the visit, YYYY-MM-DD."""
        return self._visit.isoformat()

    def _years(self) -> int:
        drawn = self._rng.random()
        if drawn < 0.12:  # noqa: PLR2004 (a child)
            return self._rng.randint(1, 17)
        return self._rng.randint(18, 89) if drawn < 0.95 else self._rng.randint(90, 103)  # noqa: PLR2004

    def _email(self) -> str:
        given, family = (squeeze(name) for name in self.named("patient"))
        local = self._rng.choice(
            (f"{given}.{family}", f"{given[0]}{family}", f"{family}{self._rng.randint(1, 99)}")
        )
        return self._values.address(f"{local}@{self._rng.choice(('gmail.com', 'northmail.org'))}")

    def _user(self) -> str:
        given, family = (squeeze(name) for name in self.named("staff"))
        tail = self._rng.choice(("", "", str(self._rng.randint(1, 99))))
        return f"{given[0]}{family[:9]}{tail}"

    def _url(self) -> str:
        word = squeeze(self._places.word("city"))
        lead, tail = self._rng.choice(
            (("www.", "health.org"), ("https://portal.", ".org"), ("", "clinic.com/results"))
        )
        return f"{lead}{word}{tail}"

    def _state(self, *, short: bool) -> str:
        if "state" not in self._names:
            self._names["state"] = self._rng.choice(self._tables.states)
        return self._names["state"][0 if short else 1]

    def _place(self, kind: str) -> str:
        return " ".join(self._places.composed(kind).split())

    def _area(self) -> str:
        name = self._places.word("word" if self._rng.random() < 0.5 else "family")  # noqa: PLR2004
        form = self._rng.choice(
            ("Lake {}", "{} County", "{} Park", "Fort {}", "{} Bridge", "{} Island", "{} Beach",
             "{} Valley", "Camp {}", "{} Heights", "{} Falls", "Mount {}", "{} Square", "{} Bay")
        )  # fmt: skip
        return form.format(name)

    def _country(self) -> str:
        name = self._tables.write(self._tables.pools["country"].draw(self._rng, 0.0), self._rng)
        return name.upper() if len(name) < 4 else name  # noqa: PLR2004 ("usa")

    def sex(self) -> str:
        """Return the patient's sex, "M" or "F"."""
        return "M" if self._his else "F"
