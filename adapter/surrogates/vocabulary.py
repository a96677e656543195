"""Words of the calendar in every language there are rules for: months, weekdays, fillers."""

from __future__ import annotations

from functools import cache

from adapter.folding import fold

MONTHS = {
    "en": "January February March April May June July August September October November December",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre"
    " noviembre diciembre",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
}
"""Language -> names of the months."""
WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
}
_SHORT = {
    "month": {"en": (3, 4), "es": (3,), "de": (3,)},
    "weekday": {"en": (3, 4, 5), "es": (3, 2), "de": (2, 3)},
}
"""Letters that abbreviations keep, the usual number first."""
_MORE = {
    "month": {
        "es": {"set": (8, 3), "setiembre": (8, 0), "mzo": (2, 3), "sept": (8, 3)},
        "de": {"mrz": (2, 3), "maerz": (2, 0), "janner": (0, 0), "jaenner": (0, 0),
               "feber": (1, 0), "marzes": (2, 0), "sept": (8, 3)},
    },
    "weekday": {
        "en": {f"{day.lower()}s": (at, -1) for at, day in enumerate(WEEKDAYS["en"].split())},
        "es": {"sabados": (5, -1), "domingos": (6, -1)},
        "de": {f"{day.lower()}s": (at, -1) for at, day in enumerate(WEEKDAYS["de"].split())}
        | {"sonnabend": (5, 0), "sonnabends": (5, -1)},
    },
}  # fmt: skip
"""Other forms of a language -> (index, letters kept; 0 for the full name, -1 for a plural)."""
_SETS = {"mwf": (0, 2, 4), "tts": (1, 3, 5), "tthsa": (1, 3, 5), "tth": (1, 3), "tuth": (1, 3)}
_LETTERS = ("M", "T", "W", "Th", "F", "Sa", "Su")


def _moved_by(days: int, weekdays: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted((day + days) % 7 for day in weekdays))


_SETS = {
    "".join(_LETTERS[day] for day in moved).lower(): moved
    for days in range(7)
    for moved in (_moved_by(days, weekdays) for weekdays in tuple(_SETS.values()))
} | _SETS
SETS = frozenset(_SETS)
"""Days of a week in letters, as schedules of dialysis are written, and what they move to."""
ROMAN = tuple("i ii iii iv v vi vii viii ix x xi xii".split())
"""Months as they are numbered between day and year ("14.III.2024")."""
FILLERS = frozenset(
    "of the in on at to and or from through thru until till by early mid late end beginning start"
    " middle week weekend since about around circa ca approximately between st nd rd th year month"
    " day days after before eve a d t z h hrs hr hours am pm last next this past fy approx every"
    " est edt cst cdt mst mdt pst pdt utc gmt cet cest mez mesz"
    " de del el la los las y al desde hasta entre dia mes ano anos semana fin fines final finales"
    " principios mediados comienzos inicios inicio sobre hacia pasado pasada proximo proxima ultimo"
    " en por hs horas hora"
    " dem den der des am im vom bis zum zur und ab seit um uhr gegen mitte anfang ende nachsten"
    " nachster letzten letzter vergangenen dieses diesen jahr jahres jahre monat tag fruh".split()
)
"""Words that may stand in a mention of a date and stay."""


@cache
def _forms(kind: str, language: str) -> dict[str, tuple[int, int]]:
    """Folded form -> (index, length kept; 0 for the full name, -1 for a plural)."""
    names = (MONTHS if kind == "month" else WEEKDAYS)[language].split()
    found: dict[str, tuple[int, int]] = {}
    for at, name in enumerate(map(fold, names)):
        for length in _SHORT[kind][language]:
            found.setdefault(name[:length], (at, length))
        found[name] = (at, 0)
    return found | _MORE[kind].get(language, {})


def languages(first: str) -> tuple[str, ...]:
    """The languages of the calendar, the likely one first."""
    return tuple(sorted(MONTHS, key=lambda code: code != first))


@cache
def index_of(form: str, kind: str, language: str) -> int | None:
    """Which month or weekday (0 is January, Monday) a folded form is; None if it is none.

    Two letters are a weekday in German and Spanish only: "so" and "mo" are English words.
    """
    for code in languages(language):
        if form in _forms(kind, code) and (len(form) > 2 or code == language):  # noqa: PLR2004
            return _forms(kind, code)[form][0]
    return None


def sibling(form: str, kind: str, index: int, language: str, *, short: bool = False) -> str:
    """Another month or weekday in the language and length of a form, its capitals those of prose.

    ``short`` says that the form is an abbreviation though it looks like a full name ("May").
    """
    code = next(code for code in languages(language) if form in _forms(kind, code))
    _, length = _forms(kind, code)[form]
    name = (MONTHS if kind == "month" else WEEKDAYS)[code].split()[index]
    if length < 0:
        return name if name.endswith("s") else f"{name}s"
    usual = 2 if length == 2 else _SHORT[kind][code][0] if kind == "month" else 3  # noqa: PLR2004
    return name[:usual] if length or short else name


def moved_set(letters: str, days: int) -> str:
    """Days of a week in letters ("MWF"), moved: "TThSa" or the like; lower case stays lower."""
    if not days % 7:
        return letters
    text = "".join(_LETTERS[day] for day in _moved_by(days, _SETS[fold(letters)]))
    return text.lower() if letters.islower() else text


MONTH_FORMS = {
    form: at + 1 for code in reversed(MONTHS) for form, (at, _) in _forms("month", code).items()
}
"""Folded name or abbreviation of a month in any language -> 1 to 12; English goes first."""
WEEKDAY_FORMS = {
    form: at for code in reversed(MONTHS) for form, (at, _) in _forms("weekday", code).items()
}
"""Folded name, abbreviation or plural of a weekday -> 0 (Monday) to 6."""
