"""The frozen tables."""

from __future__ import annotations

import hashlib
import tomllib

import pytest

from adapter.errors import RuleError
from adapter.surrogates.drawing.tables import (
    KNOWN,
    NAMED,
    NAMES,
    OCCUPATIONS,
    compile_tables,
    localised,
)
from tests.wording import WORDS

LOCAL = tuple(
    f"{code}{name[2:]}" for code in ("es", "de", "fr") for name in (*NAMED, KNOWN, OCCUPATIONS)
)


@pytest.mark.parametrize("name", NAMES + LOCAL)
def test_tables_are_sealed(repository, name):
    """Each table is sorted, without repetition, and as its source says."""
    folder = repository / "rules" / "surrogates" / name
    raw = (folder / "items.txt").read_bytes()
    card = tomllib.loads((folder / "source.toml").read_text("utf-8"))
    lines = raw.decode("utf-8").splitlines()

    assert f"sha256:{hashlib.sha256(raw).hexdigest()}" == card["digest"]
    assert sorted(set(lines)) == lines
    assert {"name", "what", "origin", "licence", "columns", "date"} <= card.keys()
    assert name == card["name"]


@pytest.mark.parametrize(("name", "lines"), [("us-city", ()), ("en-occupation", ("actor",))])
def test_a_table_that_cannot_serve_is_refused(tables, name, lines):
    """Without one of its tables, or occupations for both articles, it does not start."""
    with pytest.raises(RuleError, match=name):
        compile_tables({**tables, name: lines}, WORDS)


def test_surrogate_names_are_no_common_words(repository, tables):
    """No surrogate name is an ordinary or medical word or a common name."""
    lexicons = repository / "rules" / "lexicons"
    words = set()
    for name in ("en-ordinary", "en-medical"):
        lines = (lexicons / name / "items.txt").read_text("utf-8").splitlines()
        words |= {line.split("\t")[0] for line in lines}
    kinds = ("en-family", "en-given-female", "en-given-male", "en-given-unisex")
    names = {item.lower() for kind in kinds for item in tables[kind]}

    assert len(names & words) <= len(names) // 200
    assert not {"smith", "john", "mary", "garcia"} & names


def test_no_surrogate_zip_lies_in_a_restricted_area(tables):
    """Surrogate cities have unrestricted ZIP areas."""
    areas = {line.split("\t")[2] for line in tables["us-city"]}

    assert not areas & set(tables["us-zip3-restricted"])


@pytest.mark.parametrize("language", ["es", "de", "fr"])
def test_names_are_of_the_language(tables, language):
    """Names are those of the language's tables, other tables stay; without any, nothing changes."""
    own = compile_tables(localised(tables, language), WORDS)

    assert tables[f"{language}-family"] == own.families
    assert tables[f"{language}-given-female"] == own.given["F"]
    assert compile_tables(tables, WORDS).cities == own.cities
    assert tables == localised(tables, "xx")


@pytest.mark.parametrize("language", ["es", "de", "fr"])
def test_local_names_are_no_common_words(repository, tables, language):
    """No surrogate name is an ordinary or medical word of its language, or a very common name."""
    lexicons = repository / "rules" / "lexicons"
    words = set()
    for name in (f"{language}-ordinary", f"{language}-medical"):
        lines = (lexicons / name / "items.txt").read_text("utf-8").splitlines()
        words |= {line.split("\t")[0] for line in lines}
    names = {item.lower() for kind in NAMED for item in tables[f"{language}{kind[2:]}"]}

    assert not names & words
    assert not {"garcia", "antonio", "maria", "muller", "schmidt", "thomas"} & names
