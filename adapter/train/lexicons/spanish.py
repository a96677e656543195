"""Build the derived Spanish lexicons of ``rules/lexicons``, and seal every Spanish folder.

``python -m adapter.train.lexicons.spanish SOURCES PROBABILITIES CLINICAL... --out rules/lexicons``

SOURCES holds the public lists named in each ``source.toml``; PROBABILITIES is ``es_lexeme_prob``
of spacy-lookups-data (gzipped JSON, word -> natural log of its probability); CLINICAL are corpora
(JSON lines with ``text`` and ``spans``), of which words outside the spans are counted. A folder's
``additions.txt``, compiled by hand, is added to its items. The same input gives the same bytes.
"""

from __future__ import annotations

import gzip
import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from adapter.normalize.folding import fold
from adapter.train.command import OutOption, SourcesArgument, command_of, existing_file
from adapter.train.lexicons.english import Items, Sources, render, seal, spaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[a-z]+(?: [a-z]+)*")
_SHORTEST_NAME = 2
_SHORTEST_CITY = 3
_SHORTEST_TERM = 5
_FEW_BEARERS = 20
_LONGEST_JOB = 6
_ORDINARY = math.exp(-16)
_COMMON = math.exp(-13)
_LEAST = 17
_THRICE = 3
_STEMS = (
    "angio artri artro bronqu cardio cefal colecist colo cranio dermat electroen endoscop enter "
    "eritro gastro hemat hemo hepat hiperg hiperp hipertens hipog hipot histo inmuno laparo leuco "
    "linfo metasta mielo miocard nefro neumo neuro oftalm osteo pancreat prostat quimiot radioter "
    "retin toraco trombo ureter uretr vesic"
).split()
_ENDINGS = (
    "algia algias cilina citosis ectomia emia emias escopia estesia floxacino genesis grafico "
    "itis lisis mab megalia micina nib oma omas osis ostomia otomia parina paresia patia patias "
    "penia plasia plastia plejia prazol rragia sartan scopia statina terapia trofia uria conazol"
).split()
_TERM = re.compile(rf"(?:{'|'.join(_STEMS)})\w{{3,}}|\w{{3,}}(?:{'|'.join(_ENDINGS)})")


class SpanishSources(Sources):
    """The public lists, and word counts of Spanish text."""

    def __init__(self, lists: Path, probabilities: Path, clinical: Iterable[Path]) -> None:
        super().__init__(lists, lists, ())
        self._probabilities = probabilities
        self._clinical = tuple(clinical)

    def frequencies(self) -> Mapping[str, float]:
        """Folded words more frequent in lower case -> the probability of that form."""
        with gzip.open(self._probabilities) as stream:
            return lower_case(json.load(stream))

    def clinical_words(self) -> Counter[str]:
        """Folded lower-case words outside annotated spans, and their counts."""
        counts: Counter[str] = Counter()
        for file in self._clinical:
            for line in file.read_text("utf-8").splitlines():
                counts.update(words_outside(json.loads(line)))
        return counts


def lower_case(probabilities: Mapping[str, float]) -> dict[str, float]:
    """Return the lower-case probability of folded words mostly written in lower case."""
    lower: Counter[str] = Counter()
    other: Counter[str] = Counter()
    for word, probability in probabilities.items():
        if _WORD.fullmatch(word) and _LATIN.fullmatch(folded := fold(word)):
            (lower if word.islower() else other)[folded] += math.exp(probability)  # type: ignore[assignment]
    return {word: value for word, value in lower.items() if value > other[word]}


def words_outside(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the folded lower-case words of a text outside its annotated spans."""
    text = document["text"]
    marks = [(span["start"], span["end"]) for span in document["spans"]]
    for match in _WORD.finditer(text):
        word = match.group()
        if word.islower() and not any(a < match.end() and match.start() < b for a, b in marks):
            yield fold(word)


def given(sources: SpanishSources) -> Items:
    """Return given names, also parts of compounds; strength log2 of bearers in Spain, else 1."""
    bearers: Counter[str] = Counter()
    for name, _, persons, _ in sources.rows("es_given_ine.tsv"):
        for part in {*spaced(name).split(" ")}:
            bearers[part] += int(persons)
    found = {n: int(math.log2(c)) for n, c in bearers.items() if c >= _FEW_BEARERS}
    for file in ("x_female_wiktionary.txt", "x_male_wiktionary.txt"):
        for name, *_rest in sources.rows(file):
            found.setdefault(spaced(name), 1)
    for particle in _PARTICLES:
        found.pop(particle, None)
    return _names(found, single=True)


_PARTICLES = frozenset("de del la las los el y i e da do dos das san santa a o al en".split())


def family(sources: SpanishSources) -> Items:
    """Return family names; strength log2 of bearers in Spain by first surname, else 1."""
    found: Items = {}
    for name, persons in sources.rows("es_surname_ine.tsv"):
        key = spaced(name)
        found[key] = max(found.get(key, 0), int(math.log2(int(persons))))
    for name, *_rest in sources.rows("x_surname_wiktionary.txt"):
        found.setdefault(spaced(name), 1)
    for particle in _PARTICLES:
        found.pop(particle, None)
    return _names(found, single=False)


def city(sources: SpanishSources) -> Items:
    """Return towns, Spanish from 500 people, others from 15,000; strength log2 of people."""
    found: Items = {}
    for name, _, people in (
        *sources.rows("es_city_geonames.tsv"),
        *sources.rows("x_city_geonames15000.tsv"),
    ):
        key = spaced(name)
        found[key] = max(found.get(key, 1), int(math.log2(int(people) or 2)))
    for name, *_rest in sources.rows("es_city_geonames_alt.txt"):
        found.setdefault(spaced(name), 1)
    return {n: s for n, s in found.items() if len(n) >= _SHORTEST_CITY and n.isascii()}


def ordinary(sources: SpanishSources) -> Items:
    """Return common words; strength grows with the natural log of their probability."""
    return {
        word: int(math.log(probability)) + _LEAST
        for word, probability in sources.frequencies().items()
        if probability > _ORDINARY and len(word) > 1
    }


def medical(sources: SpanishSources) -> Items:
    """Return words formed like medical terms, and words of clinical text that are not common."""
    frequent = sources.frequencies()
    terms = {w for w in frequent if _TERM.fullmatch(w)}
    counts = sources.clinical_words()
    names = {n for n, strength in family(sources).items() if strength > 1}
    terms |= {w for w, count in counts.items() if count >= _THRICE and w not in names}
    return {
        word: int(math.log2(counts[word])) + 1 if counts[word] else 0
        for word in terms
        if len(word) >= _SHORTEST_TERM and word.isascii() and frequent.get(word, 0.0) < _COMMON
    }


def occupation(sources: SpanishSources) -> Items:
    """Return occupations and activities; strength log2 of the count in annotated cases."""
    rows = [(spaced(row[0]), int(row[1])) for row in sources.rows("es_profession_meddoprof.tsv")]
    return {
        name: int(math.log2(count)) + 1
        for name, count in rows
        if len(name.split(" ")) <= _LONGEST_JOB and name.isascii()
    }


BUILDERS: dict[str, Callable[[SpanishSources], Items]] = {
    "es-given": given,
    "es-family": family,
    "es-city": city,
    "es-ordinary": ordinary,
    "es-medical": medical,
    "es-job": occupation,
}
"""Lexicon -> its builder."""


def build(sources: SpanishSources, out: Path) -> None:
    """Write ``items.txt`` of every derived Spanish lexicon under out, and seal all of them."""
    for name, builder in BUILDERS.items():
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        items = {**_additions(folder), **builder(sources)}
        (folder / "items.txt").write_text(render(items), "utf-8")
    for card in sorted(out.glob("es-*/source.toml")):
        seal(card.parent)


def _additions(folder: Path) -> Items:
    file = folder / "additions.txt"
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return {spaced(line): 1 for line in lines}


def _names(found: Items, *, single: bool) -> Items:
    return {
        name: strength
        for name, strength in found.items()
        if len(name) >= _SHORTEST_NAME and _LATIN.fullmatch(name) and not (single and " " in name)
    }


def main(
    sources: SourcesArgument,
    probabilities: Annotated[
        Path, existing_file("es_lexeme_prob of spacy-lookups-data (gzipped JSON).")
    ],
    clinical: Annotated[list[Path], existing_file("Corpora (JSON lines with text and spans).")],
    out: OutOption = Path("rules/lexicons"),
) -> None:
    """Build the derived Spanish lexicons from source lists, and seal every Spanish folder."""
    build(SpanishSources(sources, probabilities, clinical), out)


app = command_of(main)

if __name__ == "__main__":
    app()
