"""Build the derived lexicons of ``rules/lexicons`` from source lists, and seal every folder.

``python -m adapter.train.lexicons.english SOURCES CARRIERS DICTIONARY... --out rules/lexicons``

SOURCES holds the public lists named in each ``source.toml``, CARRIERS un-annotated clinical texts
(JSON lines with ``text``); a DICTIONARY has one word a line, common words in lower case. Lists
compiled by hand are only sealed: their digest is updated. The same input gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tomli_w

from adapter.normalize.folding import fold
from adapter.taggers.document.tokens import tokenize
from adapter.train.command import (
    OutOption,
    SourcesArgument,
    command_of,
    existing_file,
    existing_folder,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Items = dict[str, int]
"""Folded item -> strength, 0 if the list gives none."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LATIN = re.compile(r"[a-z]+")
_SHORTEST_NAME = 2
_RARE_BIRTHS = 10
_COMMON_IN_SPAIN = 500
_SHORTEST_TERM = 4
_CITIZENS = 100_000


class Sources:
    """The source files of the builders."""

    def __init__(self, lists: Path, carriers: Path, dictionaries: Iterable[Path]) -> None:
        self._lists = lists
        self._carriers = carriers
        self._dictionaries = tuple(dictionaries)

    def rows(self, name: str) -> Iterator[list[str]]:
        """Yield the tab-separated rows of one list."""
        for line in (self._lists / name).read_text("utf-8").splitlines():
            if line.strip():
                yield line.split("\t")

    def dictionary(self) -> set[str]:
        """Folded words that the dictionaries write in lower case."""
        words = (w for file in self._dictionaries for w in file.read_text("utf-8").splitlines())
        return {fold(w) for w in words if w[:1].islower() and _LATIN.fullmatch(fold(w))}

    def clinical(self) -> Counter[str]:
        """Lower-case words of the carriers and their counts."""
        counts: Counter[str] = Counter()
        for file in sorted(self._carriers.glob("*.jsonl")):
            for line in file.read_text("utf-8").splitlines():
                words = _WORD.findall(json.loads(line)["text"])
                counts.update(w for w in words if _LATIN.fullmatch(w))
        return counts


def spaced(text: str) -> str:
    """Return the folded tokens joined by blanks: "Coeur d'Alene" -> "coeur d ' alene"."""
    return " ".join(tokenize(text).words)


def given(sources: Sources) -> Items:
    """Return given names; strength is log2 of the births in the best year (US), else 1."""
    found: Items = {}
    for name, _, births, _ in sources.rows("en_given_ssa.tsv"):
        if int(births) >= _RARE_BIRTHS:
            _raise(found, fold(name), int(math.log2(int(births))))
    for name, _, percent in sources.rows("en_given_census1990.tsv"):
        _raise(found, fold(name), int(math.log2(float(percent) * 1000 + 1)))
    for name, _, persons, _ in sources.rows("es_given_ine.tsv"):
        if int(persons) >= _COMMON_IN_SPAIN:
            _raise(found, fold(name), 3)
    for file in ("x_female_wiktionary.txt", "x_male_wiktionary.txt"):
        for name, *_rest in sources.rows(file):
            _raise(found, fold(name), 1)
    return _names(found)


def family(sources: Sources) -> Items:
    """Return family names; strength is log2 of bearers per 100,000 (US), 1 in the tail."""
    found: Items = {}
    for name, percent, _ in sources.rows("en_surname_census1990.tsv"):
        _raise(found, fold(name), 1 + int(math.log2(float(percent) * 1000 + 1)))
    for name, *_rest in sources.rows("en_surname_census2010_race.tsv"):
        _raise(found, fold(name), 1)
    for name, *_rest in sources.rows("x_surname_wiktionary.txt"):
        _raise(found, fold(name), 1)
    for name, persons in sources.rows("es_surname_ine.tsv"):
        if int(persons) >= _COMMON_IN_SPAIN:
            _raise(found, fold(name), 2)
    return _names(found)


def ordinary(sources: Sources) -> Items:
    """Return common words; strength is log2 of the count in clinical text, else 0."""
    counts = sources.clinical()
    found = dict.fromkeys(sources.dictionary(), 0)
    for word, count in counts.items():
        if word in found or count >= 5:  # noqa: PLR2004 (rarer ones are misspellings)
            _raise(found, word, int(math.log2(count)) + 1)
    return {w: s for w, s in found.items() if len(w) > 1}


def medical(sources: Sources) -> Items:
    """Return words of diseases and drugs, without common words and eponyms."""
    common = sources.dictionary()
    eponyms = {fold(row[0]) for row in sources.rows("en_eponym_candidates.tsv")}
    people = given(sources)
    names = {n for n, strength in people.items() if strength >= 5}  # noqa: PLR2004
    names |= {n for n, strength in family(sources).items() if strength >= 3}  # noqa: PLR2004
    names |= city(sources).keys()
    found: Items = {}
    for word, count in sources.rows("en_icd10cm_words.tsv"):
        _raise(found, fold(word), int(math.log2(int(count))) + 1)
    for file in ("en_disease_mesh.txt", "en_drug_names.txt"):
        for term, *_rest in sources.rows(file):
            for word in _terms(term):
                _raise(found, word, 0)
    return {
        word: strength
        for word, strength in found.items()
        if len(word) >= _SHORTEST_TERM
        and _LATIN.fullmatch(word)
        and word not in common
        and word not in eponyms
        and (word not in names or strength > 1)
    }


def city(sources: Sources) -> Items:
    """Return towns, US from 500 people, others from 15,000; strength is log2 of people."""
    found: Items = {}
    for name, _, people in (*sources.rows("en_us_city_geonames.tsv"),):
        _raise(found, spaced(name), int(math.log2(int(people) or 1)))
    for name, _, people in sources.rows("x_city_geonames15000.tsv"):
        _raise(found, spaced(name), int(math.log2(int(people) or 1)))
    for name in [n for n in found if n.endswith(" city") and found[n] >= math.log2(_CITIZENS)]:
        _raise(found, name.removesuffix(" city"), found[name])
    return {n: s for n, s in found.items() if len(n) >= 3 and n.isascii()}  # noqa: PLR2004


def state(sources: Sources) -> Items:
    """Return US states by name (strength 2) and postal abbreviation (strength 1)."""
    found: Items = {}
    for name, code in sources.rows("en_us_states.tsv"):
        found |= {spaced(name): 2, fold(code): 1}
    return found


def hospital(sources: Sources) -> Items:
    """Return US hospitals by full name."""
    names = {spaced(row[0]) for row in sources.rows("en_us_hospitals_cms.tsv")}
    return {n: 0 for n in names if " " in n}


def occupation(sources: Sources) -> Items:
    """Return occupations, singular."""
    return {spaced(row[0]): 0 for row in sources.rows("en_occupation_mimesis.txt")}


BUILDERS: dict[str, Callable[[Sources], Items]] = {
    "en-given": given,
    "en-family": family,
    "en-ordinary": ordinary,
    "en-medical": medical,
    "en-city": city,
    "en-state": state,
    "en-hospital": hospital,
    "en-job": occupation,
}
"""Lexicon -> its builder."""


def build(sources: Sources, out: Path) -> None:
    """Write ``items.txt`` of every derived lexicon under out, and seal all folders there."""
    for name, builder in BUILDERS.items():
        (out / name).mkdir(parents=True, exist_ok=True)
        (out / name / "items.txt").write_text(render(builder(sources)), "utf-8")
    for folder in sorted(path.parent for path in out.glob("*/source.toml")):
        seal(folder)


def seal(folder: Path) -> None:
    """Update the digest of ``items.txt``, the last entry of ``source.toml``."""
    digest = hashlib.sha256((folder / "items.txt").read_bytes()).hexdigest()
    card = folder / "source.toml"
    said = tomllib.loads(card.read_text("utf-8"))
    said.pop("digest", None)
    card.write_text(tomli_w.dumps({**said, "digest": f"sha256:{digest}"}), "utf-8")


def _raise(found: Items, name: str, strength: int) -> None:
    found[name] = max(strength, found.get(name, 0))


def _names(found: Items) -> Items:
    return {n: s for n, s in found.items() if len(n) >= _SHORTEST_NAME and _LATIN.fullmatch(n)}


def _terms(phrase: str) -> Iterator[str]:
    for word in _WORD.findall(fold(phrase)):
        yield from word.split("-")


def render(items: Items) -> str:
    """Return the text of ``items.txt``: sorted, without strengths of 0."""
    rows = (f"{n}\t{s}" if s else n for n, s in sorted(items.items()))
    return "".join(f"{row}\n" for row in rows)


def main(
    sources: SourcesArgument,
    carriers: Annotated[
        Path, existing_folder("Folder of un-annotated clinical texts (JSON lines with text).")
    ],
    dictionaries: Annotated[
        list[Path], existing_file("Files with one word a line, common words in lower case.")
    ],
    out: OutOption = Path("rules/lexicons"),
) -> None:
    """Build the derived English lexicons from source lists, and seal every folder."""
    build(Sources(sources, carriers, dictionaries), out)


app = command_of(main)

if __name__ == "__main__":
    app()
