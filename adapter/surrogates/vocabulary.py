"""Words of the calendar: months, weekdays, seasons and holidays with their usual short forms."""

from __future__ import annotations

from datetime import date

MONTHS = {
    "en": "january february march april may june july august september october november december",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre"
    " noviembre diciembre",
    "de": "januar februar marz april mai juni juli august september oktober november dezember",
}
"""Language -> folded names of the months."""
WEEKDAYS = {
    "en": "monday tuesday wednesday thursday friday saturday sunday",
    "es": "lunes martes miercoles jueves viernes sabado domingo",
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag",
}
SEASON_NAMES = ("winter", "spring", "summer", "fall")
"""By the quarter of a year that begins in December."""
SEASONS = {name: at for at, name in enumerate(SEASON_NAMES)} | {
    "autumn": 3, "springtime": 1, "summertime": 2, "wintertime": 0,
    "winters": 0, "springs": 1, "summers": 2, "falls": 3, "autumns": 3,
}  # fmt: skip
FILLERS = frozenset(
    "of the in on at to and or from through thru until till by early mid late end beginning start"
    " middle week weekend since about around circa ca approximately between st nd rd th year month"
    " day de del dem den der am im eve a d t z h hrs hr hours am pm last next this past".split()
)
"""Words that may stand in a mention of a date and stay."""
_FIXED = {
    "new year's day": (1, 1), "new years day": (1, 1), "new year's": (1, 1), "new years": (1, 1),
    "new year": (1, 1), "epiphany": (1, 6), "mlk day": (1, 18), "martin luther king day": (1, 18),
    "martin luther king jr day": (1, 18), "lunar new year": (2, 1), "chinese new year": (2, 1),
    "tet": (2, 1), "groundhog day": (2, 2), "super bowl sunday": (2, 8),
    "valentine's day": (2, 14), "valentines day": (2, 14), "valentine's": (2, 14),
    "presidents' day": (2, 18), "presidents day": (2, 18), "president's day": (2, 18),
    "mardi gras": (2, 25), "shrove tuesday": (2, 25), "ash wednesday": (2, 26),
    "st. patrick's day": (3, 17), "st patrick's day": (3, 17), "saint patrick's day": (3, 17),
    "st. patricks day": (3, 17), "st patricks day": (3, 17), "nowruz": (3, 21), "purim": (3, 12),
    "palm sunday": (4, 5), "good friday": (4, 10), "easter sunday": (4, 12),
    "easter monday": (4, 13), "easter": (4, 12), "passover": (4, 15), "earth day": (4, 22),
    "anzac day": (4, 25), "cinco de mayo": (5, 5), "mother's day": (5, 10),
    "mothers day": (5, 10), "victoria day": (5, 20), "memorial day": (5, 28),
    "pentecost": (6, 1), "eid al-adha": (6, 16), "eid al-fitr": (4, 10), "eid": (4, 10),
    "flag day": (6, 14), "juneteenth": (6, 19), "father's day": (6, 18), "fathers day": (6, 18),
    "canada day": (7, 1), "independence day": (7, 4), "fourth of july": (7, 4),
    "4th of july": (7, 4), "july 4th": (7, 4), "july fourth": (7, 4), "bastille day": (7, 14),
    "pioneer day": (7, 24), "labor day": (9, 3), "labour day": (9, 3), "rosh hashanah": (9, 22),
    "yom kippur": (10, 1), "sukkot": (10, 8), "columbus day": (10, 11),
    "indigenous peoples day": (10, 11), "indigenous peoples' day": (10, 11), "diwali": (10, 28),
    "halloween": (10, 31), "all saints day": (11, 1), "all saints' day": (11, 1),
    "dia de los muertos": (11, 2), "day of the dead": (11, 2), "guy fawkes": (11, 5),
    "bonfire night": (11, 5), "election day": (11, 5), "remembrance day": (11, 11),
    "veterans day": (11, 11), "veterans' day": (11, 11), "veteran's day": (11, 11),
    "thanksgiving day": (11, 25), "thanksgiving": (11, 25), "black friday": (11, 26),
    "feast of guadalupe": (12, 12), "hanukkah": (12, 14), "chanukah": (12, 14),
    "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "xmas": (12, 25),
    "boxing day": (12, 26), "kwanzaa": (12, 28), "new year's eve": (12, 31),
    "new years eve": (12, 31), "ramadan": (3, 20), "lent": (3, 10), "songkran": (4, 13),
    "fat tuesday": (2, 25), "midsummer": (6, 24), "holi": (3, 14), "dussehra": (10, 12),
    "navratri": (10, 5), "ramzan": (3, 20), "carnival": (2, 25), "solstice": (6, 21),
}  # fmt: skip
HOLIDAYS: dict[str, tuple[int, int]] = _FIXED
"""Folded name -> (month, day), movable ones about the middle of their days."""
_WELL_KNOWN = (
    (1, 1, "New Year's Day"), (1, 18, "MLK Day"), (2, 14, "Valentine's Day"),
    (3, 17, "St. Patrick's Day"), (4, 12, "Easter"), (5, 10, "Mother's Day"),
    (5, 28, "Memorial Day"), (6, 18, "Father's Day"), (7, 4, "Independence Day"),
    (9, 3, "Labor Day"), (10, 11, "Columbus Day"), (10, 31, "Halloween"), (11, 25, "Thanksgiving"),
    (12, 25, "Christmas"),
)  # fmt: skip


def holiday_name(month: int, day: int, original: str) -> str:
    """The well-known holiday nearest to a day of the year, another than the original."""
    own = HOLIDAYS[original]
    now = date(2023, month, min(day, 28)).timetuple().tm_yday

    def distance(entry: tuple[int, int, str]) -> int:
        gap = abs(date(2023, entry[0], entry[1]).timetuple().tm_yday - now)
        return min(gap, 365 - gap)

    return min((e for e in _WELL_KNOWN if e[:2] != own), key=distance)[2]


def _forms(names: str, short: tuple[int, ...]) -> dict[str, tuple[int, int]]:
    """Form -> (index, length kept; 0 for the full name)."""
    found: dict[str, tuple[int, int]] = {}
    for at, name in enumerate(names.split()):
        for length in short:
            found.setdefault(name[:length], (at, length))
        found[name] = (at, 0)
    return found


def _tables(names: dict[str, str], short: tuple[int, ...]) -> dict[str, tuple[str, int, int]]:
    """Form -> (language, index, length); English first where languages share a form."""
    found: dict[str, tuple[str, int, int]] = {}
    for language, words in names.items():
        for form, (at, length) in _forms(words, short if language == "en" else short[:1]).items():
            found.setdefault(form, (language, at, length))
    return found


_PLURALS = {f"{day}s": (("en", at, -1)) for at, day in enumerate(WEEKDAYS["en"].split())}
_MONTHS = _tables(MONTHS, (3, 4))
_DAYS = _tables(WEEKDAYS, (3, 4, 5)) | _PLURALS
MONTH_FORMS = {form: at + 1 for form, (_, at, _) in _MONTHS.items()}
"""Folded name or abbreviation of a month -> 1 to 12."""
WEEKDAY_FORMS = {form: at for form, (_, at, _) in _DAYS.items()}
"""Folded name, abbreviation or plural of a weekday -> 0 (Monday) to 6."""


def sibling(form: str, kind: str, index: int, short: bool) -> str:  # noqa: FBT001
    """Another month or weekday in the language and length of a form, title case in English.

    ``short`` says that the form is an abbreviation though it looks like a full name ("May").
    """
    language, _, length = (_MONTHS if kind == "month" else _DAYS)[form]
    names = (MONTHS if kind == "month" else WEEKDAYS)[language].split()
    name = names[index] if length <= 0 and not short else names[index][:3]
    if length == -1:
        name += "s"
    if name == "marz":
        name = "märz"
    return name if language == "es" else name.capitalize()
