"""Compiles ``rules/values/*.toml`` with the generated tables and a language's lexicons."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import regex

from adapter.errors import RuleError
from adapter.values.ages import compile_ages
from adapter.values.checks import Checks
from adapter.values.grammars import compile_forms, compile_grammar
from adapter.values.labels import Labels
from adapter.values.overrides import compile_overrides
from adapter.values.personal import COMMON_FAMILY, Personal
from adapter.values.places import FhirPlaces, Hl7Places, Listing
from adapter.values.proof.judging import Values
from adapter.values.questions import compile_questions
from adapter.values.systems import compile_systems
from adapter.values.units import compile_units
from adapter.values.vocabulary import Vocabulary, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.values.grammars import Grammar

ARTIFACT = "artifact"
"""Name of the grammar of the ids of FHIR definitions."""
FORMATS = ("grammars", "places", "systems", "units", "personal", "ages", "questions")


class RuleFile(Protocol):
    """A parsed rule file."""

    @property
    def name(self) -> str:
        """The file's name for error messages."""
        ...

    @property
    def table(self) -> Mapping[str, Any]:
        """The file's parsed content."""
        ...

    @property
    def kind(self) -> str:
        """The file's ``format``."""
        ...


def compile_values(
    files: Iterable[RuleFile],
    schema: Mapping[str, Any],
    types: Mapping[str, Mapping[str, tuple[str, ...]]],
    names: tuple[Mapping[str, int], Mapping[str, int]],
    words: tuple[frozenset[str], frozenset[str]],
    *,
    publishers: Iterable[str],
    proper: frozenset[str] = frozenset(),
    definitions: frozenset[str] = frozenset(),
    labels: frozenset[str] = frozenset(),
) -> Values:
    """Compile the files of the seven formats; a site's systems and units add to the product's.

    ``schema`` holds the tables "hl7v2", "hl7v2-tables" and "bindings", ``types`` the types of FHIR.
    ``names`` are given and family names with their strengths; ``words`` are words that are not
    names, of the first language and of all languages. ``publishers`` are hosts whose addresses
    name codes, ``proper`` names of people and towns in all languages, ``definitions`` the resource
    types that define things, ``labels`` the displays of HL7's codes in all languages.

    Raises:
        RuleError: a rule is invalid; the error's place is the last file of that format.
    """
    tables, last = _merged(files)
    kind = FORMATS[0]
    try:
        grammars = _grammars(tables["grammars"])
        kind = "systems"
        systems = compile_systems(tables["systems"].get("systems", {}))
        kind = "units"
        units = compile_units(tables["units"])
        kind = "personal"
        personal = _personal(tables["personal"], names, words[0], publishers)
        kind = "ages"
        ages = compile_ages(tables["ages"])
        kind = "questions"
        questions = compile_questions(tables["questions"])
        kind = "places"
        places = _places(tables["places"], grammars, schema, types)
        overrides = compile_overrides(tables["places"].get("hl7v2", {}).get("overrides", {}))
    except (ValueError, KeyError) as error:
        raise RuleError(last[kind], str(error)) from None
    codes, listed = _codes(schema, types)
    listed |= words_of(tables["personal"]["vocabulary"].split()) | systems.words
    known = words[1].union(personal.words, listed)
    vocabulary, nameless = _vocabularies(
        tables["personal"], listed, known, names=names, words=words[1], proper=proper
    )
    fillers = frozenset(tables["personal"].get("placeholders", "").split())
    named = Labels(labels, systems, nameless)
    checks = Checks(
        systems, named, units, personal, codes, vocabulary, nameless, fillers, grammars[ARTIFACT]
    )
    asked = tuple(tables["places"].get("documents", {}).get("asked", ()))
    return Values(places, checks, ages, overrides, definitions, questions, asked)


def _codes(
    schema: Mapping[str, Any], types: Mapping[str, Mapping[str, tuple[str, ...]]]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the codes of HL7 v2 tables, and the words of these and of FHIR types and elements."""
    tabled = schema["hl7v2-tables"]["codes"].values()
    codes = frozenset(code for listed in tabled for code in listed.split("\n"))
    elements = (name for owner, own in types.items() for name in (owner, *own))
    return codes, words_of((*codes, *elements))


def _vocabularies(
    table: Mapping[str, Any],
    listed: frozenset[str],
    known: frozenset[str],
    *,
    names: tuple[Mapping[str, int], Mapping[str, int]],
    words: frozenset[str],
    proper: frozenset[str],
) -> tuple[Vocabulary, Vocabulary]:
    """Return the vocabulary for all kept places, and a stricter one for places about people.

    ``table`` is the parsed file of format "personal"; ``listed`` are words of codes and systems,
    ``known`` all words that are not names, ``words`` the words of all languages.
    """
    usual = frozenset(name for name, strength in names[1].items() if strength >= COMMON_FAMILY)
    parts, endings, cues = (table.get(key, "").split() for key in ("parts", "endings", "cues"))
    vocabulary = Vocabulary(
        known,
        names[0],
        usual,
        frozenset(parts),
        tuple(endings),
        people=proper,
        cues=frozenset(cues),
    )
    coded = listed | words_of((table["codes"],))
    return vocabulary, replace(vocabulary, words=words - proper | coded, names=proper)


def _merged(files: Iterable[RuleFile]) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Return the entries of all files by format, and the name of each format's last file."""
    tables: dict[str, dict[str, Any]] = {kind: {} for kind in FORMATS}
    last = dict.fromkeys(FORMATS, "values")
    for file in files:
        for key, value in file.table.items():
            if key == "tests":
                continue
            tables[file.kind][key] = _added(tables[file.kind].get(key), value)
        last[file.kind] = file.name
    return tables, last


def _added(known: Any, value: Any) -> Any:
    """Return an entry with a further file's value: tables and texts are joined, others replaced."""
    if isinstance(known, dict):
        return {**known, **value}
    if isinstance(known, str) and known != value:
        return f"{known} {value}"
    return value


def _grammars(table: Mapping[str, Any]) -> dict[str, Grammar]:
    return {name: compile_grammar(name, entry) for name, entry in table.get("grammars", {}).items()}


def _personal(
    table: Mapping[str, Any],
    names: tuple[Mapping[str, int], Mapping[str, int]],
    words: frozenset[str],
    publishers: Iterable[str],
) -> Personal:
    return Personal(
        compile_forms(table["patterns"]),
        table["digits"],
        *names,
        words.union(table["words"].split(), table["codes"].split()),
        frozenset(table["labels"].split()),
        frozenset(table["sources"].split()),
        frozenset(table["unsure"].split()),
        _addresses(publishers),
        compile_forms(table["cued"]),
    )


def _addresses(hosts: Iterable[str]) -> regex.Pattern[str]:
    """Return a pattern of the beginning of addresses at these hosts and their subdomains."""
    listed = "|".join(sorted(map(regex.escape, hosts)))
    return regex.compile(rf"https?://(?:[a-z0-9-]{{1,30}}\.){{0,4}}(?:{listed})(?:[/#]|$)")


def _known_grammars(chosen: Mapping[str, str], grammars: Mapping[str, Grammar]) -> None:
    if unknown := set(chosen.values()) - set(grammars):
        raise ValueError(f"unknown grammar '{min(unknown)}'")


def _places(
    table: Mapping[str, Any],
    grammars: Mapping[str, Grammar],
    schema: Mapping[str, Any],
    types: Mapping[str, Mapping[str, tuple[str, ...]]],
) -> dict[str, Hl7Places | FhirPlaces]:
    listed = {form: Listing.of(table.get(form, {})) for form in ("hl7v2", "fhir")}
    for listing in listed.values():
        for chosen in (listing.elements, listing.components, listing.names, listing.primitives):
            _known_grammars(chosen, grammars)
        _known_grammars({k: v for k, v in listing.people.items() if k in grammars}, grammars)
    components = {
        f"{owner}.{position}": row[1][-1][1]
        for owner, rows in schema["hl7v2"]["datatypes"].items()
        for position, row in rows.items()
    }
    titles = {
        f"{owner}{mark}{position}": row[0]
        for part, mark in (("fields", "-"), ("datatypes", "."))
        for owner, rows in schema["hl7v2"][part].items()
        for position, row in rows.items()
    }
    coded = schema["hl7v2-tables"]
    codes = {
        place: frozenset(
            code for number in numbers for code in coded["codes"].get(number, "").split("\n")
        )
        for place, numbers in coded["places"].items()
    }
    return {
        "hl7v2": Hl7Places(listed["hl7v2"], grammars, components, codes, titles),
        "fhir": FhirPlaces(listed["fhir"], grammars, types, schema["bindings"]),
    }
