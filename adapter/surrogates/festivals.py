"""Seasons and holidays: what they are called, and when they are."""

from __future__ import annotations

from datetime import date

from adapter.surrogates.vocabulary import languages

_NAMES = {
    "en": ("winter", "spring", "summer", "fall"),
    "es": ("invierno", "primavera", "verano", "otoño"),
    "de": ("Winter", "Frühling", "Sommer", "Herbst"),
}
"""By the quarter of a year that begins in December."""
_FORMS = {
    "en": "winter winters wintertime|spring springs springtime|summer summers summertime"
    "|fall falls autumn autumns",
    "es": "invierno inviernos|primavera primaveras|verano veranos|otono otonos",
    "de": "winter winters|fruhling fruhjahr fruehling fruehjahr fruhlings fruhjahrs"
    "|sommer sommers|herbst herbsts",
}
_SEASONS = {
    language: {form: at for at, some in enumerate(forms.split("|")) for form in some.split()}
    for language, forms in _FORMS.items()
}


def season_of(form: str, language: str) -> int | None:
    """The quarter of a folded name of a season, 0 for winter; None if it is none."""
    return next((_SEASONS[c][form] for c in languages(language) if form in _SEASONS[c]), None)


def season_name(form: str, quarter: int, language: str) -> str:
    """The season of a quarter, in the language of a folded form."""
    code = next(code for code in languages(language) if form in _SEASONS[code])
    return _NAMES[code][quarter] + ("s" if code == "en" and form.endswith("s") else "")


_ENGLISH = {
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
    "canada day": (7, 1), "independence day": (7, 4), "bastille day": (7, 14),
    "pioneer day": (7, 24), "labor day": (9, 3), "labour day": (9, 3), "rosh hashanah": (9, 22),
    "yom kippur": (10, 1), "sukkot": (10, 8), "columbus day": (10, 11),
    "indigenous peoples day": (10, 11), "indigenous peoples' day": (10, 11), "diwali": (10, 28),
    "halloween": (10, 31), "all saints day": (11, 1), "all saints' day": (11, 1),
    "all saints": (11, 1), "all souls": (11, 2), "all souls day": (11, 2),
    "all souls' day": (11, 2), "maundy thursday": (4, 9), "holy thursday": (4, 9),
    "holy saturday": (4, 11), "holy week": (4, 8), "pesach": (4, 15), "advent": (12, 1),
    "candlemas": (2, 2), "michaelmas": (9, 29), "whitsun": (6, 1), "may day": (5, 1),
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
_SPANISH = {
    "ano nuevo": (1, 1), "dia de reyes": (1, 6), "reyes magos": (1, 6), "reyes": (1, 6),
    "san valentin": (2, 14), "carnaval": (2, 20), "carnavales": (2, 20),
    "miercoles de ceniza": (2, 26), "dia del padre": (3, 19), "domingo de ramos": (4, 5),
    "semana santa": (4, 9), "jueves santo": (4, 9), "viernes santo": (4, 10), "pascua": (4, 12),
    "domingo de resurreccion": (4, 12), "dia del trabajo": (5, 1), "dia de la madre": (5, 5),
    "pentecostes": (6, 1), "san juan": (6, 24), "sanfermines": (7, 7),
    "asuncion": (8, 15), "dia de la hispanidad": (10, 12), "todos los santos": (11, 1),
    "dia de los muertos": (11, 2),
    "inmaculada": (12, 8), "nochebuena": (12, 24), "navidad": (12, 25), "navidades": (12, 25),
    "nochevieja": (12, 31), "fin de ano": (12, 31),
}  # fmt: skip
_GERMAN = {
    "neujahr": (1, 1), "dreikonigstag": (1, 6), "dreikoenigstag": (1, 6),
    "heilige drei konige": (1, 6),
    "rosenmontag": (2, 20), "fasching": (2, 20), "karneval": (2, 20), "faschingsdienstag": (2, 21),
    "aschermittwoch": (2, 26), "palmsonntag": (4, 5), "grundonnerstag": (4, 9),
    "karfreitag": (4, 10), "ostern": (4, 12), "ostersonntag": (4, 12), "ostermontag": (4, 13),
    "tag der arbeit": (5, 1), "maifeiertag": (5, 1), "muttertag": (5, 10),
    "christi himmelfahrt": (5, 20), "himmelfahrt": (5, 20), "vatertag": (5, 20),
    "pfingsten": (6, 1), "pfingstsonntag": (6, 1), "pfingstmontag": (6, 2),
    "fronleichnam": (6, 11), "maria himmelfahrt": (8, 15), "mariae himmelfahrt": (8, 15),
    "tag der deutschen einheit": (10, 3),
    "reformationstag": (10, 31), "allerheiligen": (11, 1), "volkstrauertag": (11, 15),
    "totensonntag": (11, 22), "nikolaus": (12, 6), "nikolaustag": (12, 6),
    "heiligabend": (12, 24), "heiliger abend": (12, 24), "weihnachten": (12, 25),
    "weihnachtstag": (12, 25), "silvester": (12, 31),
}  # fmt: skip
HOLIDAYS_BY_LANGUAGE = {"de": _GERMAN, "es": _SPANISH, "en": _ENGLISH}
HOLIDAYS: dict[str, tuple[int, int]] = _ENGLISH | _GERMAN | _SPANISH
"""Folded name -> (month, day), movable ones about the middle of their days."""
_WELL_KNOWN = {
    "en": (
        (1, 1, "New Year's Day"), (1, 18, "MLK Day"), (2, 14, "Valentine's Day"),
        (3, 17, "St. Patrick's Day"), (4, 12, "Easter"), (5, 10, "Mother's Day"),
        (5, 28, "Memorial Day"), (6, 18, "Father's Day"), (7, 4, "Independence Day"),
        (9, 3, "Labor Day"), (10, 11, "Columbus Day"), (10, 31, "Halloween"),
        (11, 25, "Thanksgiving"), (12, 25, "Christmas"),
    ),
    "es": (
        (1, 1, "Año Nuevo"), (1, 6, "Reyes"), (2, 20, "Carnaval"), (3, 19, "Día del Padre"),
        (4, 9, "Semana Santa"), (5, 5, "Día de la Madre"), (6, 24, "San Juan"),
        (8, 15, "Asunción"), (10, 12, "Día de la Hispanidad"), (11, 1, "Todos los Santos"),
        (12, 8, "Inmaculada"), (12, 25, "Navidad"),
    ),
    "de": (
        (1, 1, "Neujahr"), (1, 6, "Dreikönigstag"), (2, 20, "Fasching"), (4, 12, "Ostern"),
        (5, 10, "Muttertag"), (6, 1, "Pfingsten"), (8, 15, "Mariä Himmelfahrt"),
        (10, 3, "Tag der Deutschen Einheit"), (11, 1, "Allerheiligen"), (12, 6, "Nikolaus"),
        (12, 25, "Weihnachten"),
    ),
}  # fmt: skip


def holiday_name(month: int, day: int, original: str) -> str:
    """The well-known holiday nearest to a day of the year, in the original's language.

    It is another than the original.
    """
    own = HOLIDAYS[original]
    language = next(code for code, names in HOLIDAYS_BY_LANGUAGE.items() if original in names)
    now = date(2023, month, min(day, 28)).timetuple().tm_yday

    def distance(entry: tuple[int, int, str]) -> int:
        gap = abs(date(2023, entry[0], entry[1]).timetuple().tm_yday - now)
        return min(gap, 365 - gap)

    return min((e for e in _WELL_KNOWN[language] if e[:2] != own), key=distance)[2]
