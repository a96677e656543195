"""Build the derived tables of ``rules/surrogates`` from source lists, and seal every folder.

``python -m adapter.train.lexicons.surrogates SOURCES SCHEMA --lexicons rules/lexicons``

SOURCES holds the public lists named in each ``source.toml``, SCHEMA the FHIR type tables. Tables
of names exclude ordinary and medical words, eponyms, cities and common names, so that a surrogate
is seldom a word of the text or the name of a real person in it. The same input gives the same
bytes. A released table never changes under the same ruleset: every draw is an index into it.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapter.train.command import OutOption, SourcesArgument, command_of, existing_folder
from adapter.train.lexicons.english import seal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_PRONOUNCEABLE = re.compile(
    r"(?=.{4,9}$)(?!.*[^aeiouy]{4})(?!.*[aeiou]{3})(?!.*(.)\1\1)(?!.*(?:[jqvx][^aeiou]|cz|sz))"
    r"(?=.*[aeiouy].*[aeiouy])[a-z]+"
)
_FAMILIES = 8192
_GIVEN = 2048
_INSTEAD = {"babyboy": "bachir", "infantof": "intisar", "notnamed": "norrin"}
"""Placeholders among the births -> the names in their places, so that all others keep theirs."""
_UNISEX = 512
_RANKS = range(15_000, 60_001)
_BIRTHS = range(40, 401)
_KNOWN_BIRTHS = 400
_ONE_SIDED = 10
_PEOPLE = 10_000
_BEARERS = range(60, 3_000)
"""Numbers of bearers in Spain of rare real names."""
_SELDOM = range(2, 5)
"""Strengths of rare real names of German texts."""
_STRONG = 10
_LISTS = {"F": "x_female_wiktionary.txt", "M": "x_male_wiktionary.txt"}


class Sources:
    """The source folders of the builders, and the words excluded as surrogate names."""

    def __init__(self, lists: Path, schema: Path, lexicons: Path) -> None:
        self._lists = lists
        self._schema = schema
        self._lexicons = lexicons
        words = ("en-ordinary", "en-medical", "en-city", "en-state")
        self.taken = {item for name in words for item in self.lexicon(name)}
        self.taken |= {row[0].lower() for row in self.rows("en_eponym_candidates.tsv")}

    def rows(self, name: str) -> list[list[str]]:
        """Return the tab-separated rows of one list."""
        lines = (self._lists / name).read_text("utf-8").splitlines()
        return [line.split("\t") for line in lines if line.strip()]

    def lexicon(self, name: str) -> dict[str, int]:
        """Return the items of a lexicon of the taggers with their strengths."""
        lines = (self._lexicons / name / "items.txt").read_text("utf-8").splitlines()
        return {w: int(s or 0) for w, _, s in (line.partition("\t") for line in lines)}

    def births(self) -> dict[str, dict[str, int]]:
        """Given name -> sex -> births in the best year."""
        found: dict[str, dict[str, int]] = {}
        for name, sex, births, _ in self.rows("en_given_ssa.tsv"):
            found.setdefault(name.lower(), {})[sex] = int(births)
        return found

    def taken_in(self, language: str) -> set[str]:
        """Return the words of a language excluded as surrogate names."""
        names = (f"{language}-{kind}" for kind in ("ordinary", "medical", "city", "state"))
        return {item for name in names for item in self.lexicon(name)}

    def strong(self, name: str) -> set[str]:
        """Return the items of a lexicon that are not rare."""
        return {item for item, strength in self.lexicon(name).items() if strength > _STRONG}

    def spanish(self) -> list[tuple[str, str, int]]:
        """Return (name, sex or "" for both, bearers) of the given names of Spain."""
        rows = ((row[0].lower(), row[1], int(row[2])) for row in self.rows("es_given_ine.tsv"))
        return _by_sex(rows)

    def german(self) -> list[tuple[str, str, int]]:
        """Return (name, sex or "" for both, strength) of German texts; sexes from Wiktionary."""
        lists = {sex: self._listed(file) for sex, file in _LISTS.items()}
        rows = (
            (name, sex, strength)
            for name, strength in self.lexicon("de-given").items()
            for sex, names in lists.items()
            if name in names
        )
        return [(name, sex, count if sex else count // 2) for name, sex, count in _by_sex(rows)]

    def _listed(self, file: str) -> set[str]:
        return {row[0].strip().lower() for row in self.rows(file)}

    def resources(self) -> set[str]:
        """Resource types of all FHIR versions."""
        found: set[str] = set()
        for file in sorted(self._schema.glob("fhir_types_*.json")):
            types = json.loads(file.read_text("utf-8"))
            names = (n for n, e in types.items() if {"meta", "implicitRules"} <= set(e))
            found |= {n for n in names if n.isalpha()}
        return found


def _by_sex(rows: Iterable[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    """Return one row a name: its sex, "" if both sexes bear the name, and the sum."""
    found: dict[str, dict[str, int]] = {}
    for name, sex, count in rows:
        own = found.setdefault(name, {})
        own[sex] = own.get(sex, 0) + count
    return [
        (name, _sided(counts.get("F", 0), counts.get("M", 0)), sum(counts.values()))
        for name, counts in found.items()
    ]


def _sided(female: int, male: int) -> str:
    sided = max(female, male) > _ONE_SIDED * min(female, male)
    return ("F" if female > male else "M") if sided else ""


def family(sources: Sources) -> Iterable[str]:
    """Return family names of middle to low frequency that are no given names."""
    ranks = {name.lower(): int(rank) for name, _, rank in sources.rows("en_surname_census1990.tsv")}
    still = {row[0].lower() for row in sources.rows("en_surname_census2010_race.tsv")}
    avoid = sources.taken | set(sources.lexicon("en-given"))
    names = (n for n, rank in ranks.items() if rank in _RANKS and n in still and n not in avoid)
    return _chosen(names, _FAMILIES)


def given_of(sex: str) -> Callable[[Sources], Iterable[str]]:
    """Return the builder of one sex's table: rare real names, hardly borne by the other sex."""

    def build(sources: Sources) -> Iterable[str]:
        other = "M" if sex == "F" else "F"
        names = (
            name
            for name, births in sources.births().items()
            if births.get(sex, 0) in _BIRTHS and births.get(other, 0) * _ONE_SIDED < births[sex]
        )
        return _chosen(_unused(sources, names), _GIVEN)

    return build


def given_unisex(sources: Sources) -> Iterable[str]:
    """Return given names of low frequency that both sexes bear."""
    names = (
        name
        for name, births in sources.births().items()
        if len(births) == 2  # noqa: PLR2004 (both sexes)
        and min(births.values()) >= _BIRTHS.start // 2
        and max(births.values()) <= min(_BIRTHS.stop, 3 * min(births.values()))
    )
    return _chosen(_unused(sources, names), _UNISEX)


def given_known(sources: Sources) -> Iterable[str]:
    """Return common given names and their sex, to recognize given names in running text."""
    for name, births in sources.births().items():
        female, male = births.get("F", 0), births.get("M", 0)
        if max(female, male) >= _KNOWN_BIRTHS:
            sided = max(female, male) > _ONE_SIDED * min(female, male)
            yield f"{name}\t{('F' if female > male else 'M') if sided else 'U'}"


def city(sources: Sources) -> Iterable[str]:
    """Return US cities of 10,000 people or more, with their state and one of their ZIP3."""
    people = {(n.lower(), s): int(p) for n, s, p in sources.rows("en_us_city_geonames.tsv")}
    restricted = set(zip3_restricted(sources))
    found: dict[tuple[str, str], str] = {}
    for row in sources.rows("en_us_hospitals_cms.tsv"):
        name, state, area = row[2], row[3], row[4][:3]
        if people.get((name.lower(), state), 0) >= _PEOPLE and area not in restricted:
            found[name, state] = min(area, found.get((name, state), area))
    return ("\t".join((*place, area)) for place, area in found.items())


def state(sources: Sources) -> Iterable[str]:
    """Return US states: postal abbreviation and name."""
    return (f"{code}\t{name}" for name, code in sources.rows("en_us_states.tsv"))


def zip3_restricted(sources: Sources) -> Iterable[str]:
    """Return the ZIP3 areas of 20,000 people or fewer: the union of both published lists."""
    lists = ("zip3_restricted_hhs2000.txt", "zip3_restricted_cdc.txt")
    return {row[0] for name in lists for row in sources.rows(name)}


def occupation(sources: Sources) -> Iterable[str]:
    """Return occupations of one or two words, lower case."""
    names = (row[0].lower() for row in sources.rows("en_occupation_mimesis.txt"))
    return (n for n in names if re.fullmatch(r"[a-z]{4,14}(?: [a-z]{4,14})?", n))


def spanish_family(sources: Sources) -> Iterable[str]:
    """Return rare family names of Spain that are no given names."""
    avoid = sources.taken_in("es") | set(sources.strong("es-given"))
    rows = sources.rows("es_surname_ine.tsv")
    return _chosen(
        (row[0].lower() for row in rows if int(row[1]) in _BEARERS and row[0].lower() not in avoid),
        _FAMILIES,
    )


def spanish_given(sex: str) -> Callable[[Sources], Iterable[str]]:
    """Return the builder of the table of a sex ("": both): rare given names of Spain."""

    def build(sources: Sources) -> Iterable[str]:
        avoid = sources.taken_in("es") | set(sources.strong("es-family"))
        found = (n for n, s, count in sources.spanish() if s == sex and count in _BEARERS)
        return _chosen((name for name in found if name not in avoid), _GIVEN)

    return build


def spanish_known(sources: Sources) -> Iterable[str]:
    """Return common given names of Spain and their sex."""
    for name, sex, count in sources.spanish():
        if count >= _BEARERS.stop and name.isalpha():
            yield f"{name}\t{sex or 'U'}"


def german_family(sources: Sources) -> Iterable[str]:
    """Return rare family names of German texts that are no given names."""
    avoid = sources.taken_in("de") | set(sources.lexicon("de-given"))
    found = (n for n, s in sources.lexicon("de-family").items() if s in _SELDOM and n not in avoid)
    return _chosen(found, _FAMILIES)


def german_given(sex: str) -> Callable[[Sources], Iterable[str]]:
    """Return the builder of the table of a sex ("": both): rare given names of German texts."""

    def build(sources: Sources) -> Iterable[str]:
        avoid = sources.taken_in("de")
        found = (n for n, s, strength in sources.german() if s == sex and strength in _SELDOM)
        return _chosen((name for name in found if name not in avoid), _GIVEN)

    return build


def german_known(sources: Sources) -> Iterable[str]:
    """Return common given names of German texts and their sex."""
    for name, sex, strength in sources.german():
        if strength >= _SELDOM.stop and name.isalpha():
            yield f"{name}\t{sex or 'U'}"


def street_suffix(sources: Sources) -> Iterable[str]:
    """Return words that end street names, lower case; abbreviations are listed by hand."""
    return (row[0].lower() for row in sources.rows("en_street_suffix.txt"))


def resource(sources: Sources) -> Iterable[str]:
    """Return the FHIR resource types, STU3 to R5."""
    return sources.resources()


BUILDERS: dict[str, Callable[[Sources], Iterable[str]]] = {
    "en-family": family,
    "en-given-female": given_of("F"),
    "en-given-male": given_of("M"),
    "en-given-unisex": given_unisex,
    "en-given-known": given_known,
    "es-family": spanish_family,
    "es-given-female": spanish_given("F"),
    "es-given-male": spanish_given("M"),
    "es-given-unisex": spanish_given(""),
    "es-given-known": spanish_known,
    "de-family": german_family,
    "de-given-female": german_given("F"),
    "de-given-male": german_given("M"),
    "de-given-unisex": german_given(""),
    "de-given-known": german_known,
    "us-city": city,
    "us-state": state,
    "us-zip3-restricted": zip3_restricted,
    "en-occupation": occupation,
    "en-street-suffix": street_suffix,
    "fhir-resource": resource,
}
"""Table -> its builder."""


def build(sources: Sources, out: Path) -> None:
    """Write ``items.txt`` of every derived table under out, and seal all folders there."""
    for name, builder in BUILDERS.items():
        (out / name).mkdir(parents=True, exist_ok=True)
        text = "".join(f"{row}\n" for row in sorted(set(builder(sources))))
        (out / name / "items.txt").write_text(text, "utf-8")
    for folder in sorted(path.parent for path in out.glob("*/source.toml")):
        seal(folder)


def _unused(sources: Sources, names: Iterable[str]) -> Iterable[str]:
    common = {n for n, strength in sources.lexicon("en-family").items() if strength > 1}
    avoid = sources.taken | common
    return (n for n in names if n not in avoid)


def _chosen(names: Iterable[str], count: int) -> list[str]:
    """Return ``count`` pronounceable names, title case, chosen by their digests."""
    fit = {n for n in names if _PRONOUNCEABLE.fullmatch(n)}
    return [_INSTEAD.get(n, n).title() for n in sorted(fit, key=_digest)[:count]]


def _digest(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


def main(
    sources: SourcesArgument,
    schema: Annotated[Path, existing_folder("Folder of the FHIR type tables, fhir_types_*.json.")],
    lexicons: Annotated[
        Path,
        typer.Option(help="Folder of the lexicons of taggers.", exists=True, file_okay=False),
    ] = Path("rules/lexicons"),
    out: OutOption = Path("rules/surrogates"),
) -> None:
    """Build the derived tables of surrogates from source lists, and seal every folder."""
    build(Sources(sources, schema, lexicons), out)


app = command_of(main)

if __name__ == "__main__":
    app()
