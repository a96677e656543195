"""Build ``models/augment/<language>-{written,town}.txt``: spellings of names, and towns.

``python -m adapter.train.augment.lexicons SOURCES --out models/augment``

SOURCES holds the public lists named in ``models/augment/source.toml``. A line of the first file
is a name as people write it, where that differs from its folded form with capitals. The same
input gives the same bytes.
"""

from __future__ import annotations

import re
from pathlib import Path

from adapter.normalize.folding import fold
from adapter.train.augment.tables import titled
from adapter.train.command import OutOption, SourcesArgument, command_of

_PEOPLE = ("x_surname_wiktionary.txt", "x_female_wiktionary.txt", "x_male_wiktionary.txt")
SOURCES = {
    "en": (*_PEOPLE, "en_us_city_geonames.tsv", "x_city_geonames15000.tsv"),
    "es": (*_PEOPLE, "es_city_geonames.tsv", "es_surname_ine.tsv"),
    "de": (
        *("de_given_koeln.tsv", "de_person_names_germaner.list", "de_city_geonames.tsv"),
        *("de_at_city_geonames.tsv", "de_ch_city_geonames.tsv"),
    ),
    "fr": (*_PEOPLE, "x_city_geonames15000.tsv"),
}
"""Language -> lists with names as people write them, the best first."""
_MARKS = {
    "es": re.compile(r"[^\x00-\x7fáéíóúüñçàèòïÁÉÍÓÚÑ]"),
    "de": re.compile(r"[^\x00-\xff]"),
    "fr": re.compile(r"[^\x00-\x7fàâäçéèêëîïôöùûüÿœæÀÂÇÉÈÊËÎÏÔŒñóíá]"),
}
"""Language -> letters that do not occur in its names."""
TOWNS = {
    "es": ("es_city_geonames.tsv",),
    "de": ("de_city_geonames.tsv", "de_at_city_geonames.tsv", "de_ch_city_geonames.tsv"),
    "fr": ("x_city_geonames15000.tsv",),
}
"""Language -> lists of towns: name, province or country, population."""
_COUNTRIES = {
    "fr": frozenset("FR BE CH LU MC RE MQ GP GF YT NC PF SN CI CM ML BF DZ TN MA".split())
}
"""Language -> countries whose towns to take from its lists; all if left out."""
_PEOPLE_OF_TOWN = 3000
_SHORTEST = 3
_NAME = re.compile(r"(?:[^\W\d_]|['’ .-])+")


def written(folder: Path, language: str) -> list[str]:
    """Return the names of a language whose spelling capitalisation does not give, sorted."""
    found: dict[str, str] = {}
    for file in SOURCES[language]:
        for line in (folder / file).read_text("utf-8").splitlines():
            name = line.split("\t")[0]
            name = name.title() if name.isupper() else name
            foreign = language in _MARKS and _MARKS[language].search(name)
            if not foreign and _differs(name):
                found.setdefault(fold(name), name)
    return sorted(found.values())


def _differs(name: str) -> bool:
    """Whether capitalising the folded name loses accents, small words or inner capitals."""
    plain = " ".join(titled(word) for word in fold(name).split())
    odd = len(name) < _SHORTEST or not name[0].isupper() or not _NAME.fullmatch(name)
    return not odd and name != plain and not re.search(r"['’][a-z]", name)


def towns(folder: Path, language: str) -> list[str]:
    """Return the towns of a language's own countries, sorted."""
    found: set[str] = set()
    countries = _COUNTRIES.get(language)
    for file in TOWNS[language]:
        rows = (line.split("\t") for line in (folder / file).read_text("utf-8").splitlines())
        large = (row for row in rows if int(row[2] or 0) >= _PEOPLE_OF_TOWN)
        found |= {name for name, country, *_ in large if not countries or country in countries}
    return sorted(name for name in found if _NAME.fullmatch(name))


def main(
    sources: SourcesArgument,
    out: OutOption = Path("models/augment"),
) -> None:
    """Build the lists of names and towns that training texts are varied with."""
    for name, build, languages in (("written", written, SOURCES), ("town", towns, TOWNS)):
        for language in languages:
            lines = build(sources, language)
            (out / f"{language}-{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")


app = command_of(main)

if __name__ == "__main__":
    app()
