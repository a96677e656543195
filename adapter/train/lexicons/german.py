"""Build the derived German lexicons of ``rules/lexicons``, and seal every German folder.

``python -m adapter.train.lexicons.german SOURCES LOOKUPS --out rules/lexicons``

SOURCES holds the public lists named in each ``source.toml``; LOOKUPS is the data folder of
spacy-lookups-data: the log probability and the Brown cluster of a million German word forms.
German nouns are capitalised as names are, so clusters distinguish the two: a cluster of which a
large share are names of newborns, family names or towns holds names. A folder's
``additions.txt``, compiled by hand, is added to its items. The same input gives the same bytes.
"""

from __future__ import annotations

import gzip
import json
import math
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from adapter.normalize.folding import fold
from adapter.train.command import OutOption, SourcesArgument, command_of, existing_folder
from adapter.train.lexicons.english import Items, Sources, render, seal, spaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_SHORTEST_NAME = 2
_SHORTEST_CITY = 3
_SHORTEST_TERM = 4
_SHARE = {"given": 0.3, "family": 0.75, "city": 0.4}
"""Kind of name -> least share of a cluster's common words on a list of such names."""
_SEEN_OFTEN = -15.5
"""Least natural log probability of the words counted for their cluster."""
_SMALLEST_CLUSTER = 30
_NOUN, _WORD, _FLOOR = -15.3, -15.6, -20
_US_BIRTHS = 300
_COMMON_IN_SPAIN = 5000
_IN_DOUBT = 0.7
"""Greatest excess, in natural log, of the capitalised form of a lower-case word."""
_COMMON = -11.5
"""Natural log probability from which a lower-case word is no name ("der", "ohne")."""
_WELL_USED = 4
"""Strength from which a name is kept even if it is a common lower-case word."""
_TOWN = 13
"""Log2 of people from which a town is kept even if it is a lower-case word too ("Essen")."""


class GermanSources(Sources):
    """The public lists, and probabilities and clusters of a million word forms."""

    def __init__(self, lists: Path, lookups: Path) -> None:
        super().__init__(lists, lists, ())
        self._lookups = lookups

    @cached_property
    def probabilities(self) -> Mapping[str, float]:
        """Word form -> natural log of its probability."""
        return {w: p for w, p in self._table("prob").items() if w.isalpha() and len(w) > 1}

    @cached_property
    def clusters(self) -> Mapping[str, int]:
        """Word form -> its Brown cluster."""
        return self._table("cluster")

    def _table(self, name: str) -> dict[str, Any]:
        with gzip.open(self._lookups / f"de_lexeme_{name}.json.gz") as stream:
            return dict(json.load(stream))

    @cached_property
    def named(self) -> Mapping[str, frozenset[str]]:
        """Kind of name -> word forms in clusters of names of that kind."""
        known = {
            "given": {fold(row[0]) for row in self.rows("de_given_koeln.tsv")},
            "family": {fold(row[0]) for row in self.rows("de_person_names_germaner.list")},
            "city": {fold(row[0]) for file in _HOME_TOWNS for row in self.rows(file)},
        }
        words = [w for w in self.probabilities if is_title(w)]
        chosen = {
            kind: clusters_of(words, names, _SHARE[kind], self.probabilities, self.clusters)
            for kind, names in known.items()
        }
        return {
            kind: frozenset(w for w in words if self.clusters.get(w) in clusters)
            for kind, clusters in chosen.items()
        }

    def used(self, kind: str) -> Items:
        """Return the folded names of a kind in the clusters, with strengths by use."""
        found: Items = {}
        for word in sorted(self.named[kind]):
            for form in spellings(word):
                _keep(found, form, strength(self.probabilities[word]))
        return found


_HOME_TOWNS = ("de_city_geonames.tsv", "de_at_city_geonames.tsv", "de_ch_city_geonames.tsv")


def is_title(word: str) -> bool:
    """Whether a word is a capital and lower-case letters: "Weber", not "USA" or "DocMorris"."""
    return word[0].isupper() and word[1:].islower()


def clusters_of(
    words: Iterable[str],
    known: set[str],
    share: float,
    probabilities: Mapping[str, float],
    clusters: Mapping[str, int],
) -> set[int]:
    """Return the clusters of whose common words at least ``share`` are in ``known``."""
    common = [w for w in words if probabilities[w] > _SEEN_OFTEN and w in clusters]
    sizes = Counter(clusters[w] for w in common)
    hits = Counter(clusters[w] for w in common if fold(w) in known)
    return {c for c, n in sizes.items() if n >= _SMALLEST_CLUSTER and hits[c] >= share * n}


def strength(probability: float) -> int:
    """Return the strength of a natural log probability: 1 (rarest) to about 9."""
    return max(1, round(probability) - _FLOOR)


def spellings(word: str) -> set[str]:
    """Return the folded forms of a word: umlauts bare ("muller"), written out ("mueller")."""
    return {fold(word), fold(word.lower().translate(_LETTERS))}


def given(sources: GermanSources) -> Items:
    """Return given names; strength 1 to 9 by births or use, 1 for names of other countries."""
    found = sources.used("given")
    for name, births in sources.rows("de_given_koeln.tsv"):
        for form in spellings(name):
            _keep(found, spaced(form), 1 + int(math.log2(int(births) + 1)) // 2)
    for name, _, births, _ in sources.rows("en_given_ssa.tsv"):
        if int(births) >= _US_BIRTHS:
            _keep(found, fold(name), 1)
    for name, _, persons, _ in sources.rows("es_given_ine.tsv"):
        if int(persons) >= _COMMON_IN_SPAIN and " " not in name:
            _keep(found, fold(name), 1)
    return _without_words(found, sources)


def family(sources: GermanSources) -> Items:
    """Return family names; strength by use, 0 for names only on a list."""
    used = sources.used("family")
    found = dict(used)
    for name, *_rest in sources.rows("de_person_names_germaner.list"):
        for form in spellings(name):
            _keep(found, spaced(form), used.get(form, 0))
    return _without_words(found, sources)


def _without_words(found: Items, sources: GermanSources) -> Items:
    """Return the items without short ones and without weak ones that are common words ("der")."""
    small = lower_case(sources.probabilities)
    return {
        name: strength
        for name, strength in found.items()
        if len(name) >= _SHORTEST_NAME and name.replace(" ", "").isalpha() | ("-" in name)
        and not (small.get(name, _FLOOR) > _COMMON and strength < _WELL_USED)
    }  # fmt: skip


def lower_case(probabilities: Mapping[str, float]) -> dict[str, float]:
    """Return folded words whose lower-case form is not much rarer than the capitalised."""
    lower: dict[str, float] = {}
    capital: dict[str, float] = {}
    for word, probability in probabilities.items():
        table = lower if word.islower() else capital
        folded = fold(word)
        table[folded] = max(probability, table.get(folded, -math.inf))
    return {w: p for w, p in lower.items() if p > capital.get(w, -math.inf) - _IN_DOUBT}


def ordinary(sources: GermanSources) -> Items:
    """Return common words: strength 2 for lower-case words, 1 for nouns in no name cluster."""
    small = lower_case(sources.probabilities)
    found: Items = {w: 2 for w, p in small.items() if p > _WORD}
    names = frozenset().union(*sources.named.values())
    for folded, noun in commonest(filter(is_title, sources.probabilities), sources):
        if sources.probabilities[noun] > _NOUN and noun not in names:
            found.setdefault(folded, 1)
    return found


def commonest(words: Iterable[str], sources: GermanSources) -> Iterable[tuple[str, str]]:
    """Return each folded word with its most probable form: ("muller", "Müller")."""
    best: dict[str, str] = {}
    for word in words:
        folded = fold(word)
        if sources.probabilities[word] > sources.probabilities.get(best.get(folded, ""), -math.inf):
            best[folded] = word
    return best.items()


def city(sources: GermanSources) -> Items:
    """Return towns of DE, AT and CH, and large towns of the world; strength log2 of people."""
    found: Items = {}
    for file in (*_HOME_TOWNS, "x_city_geonames15000.tsv"):
        for name, _, people in sources.rows(file):
            for form in town_forms(name):
                _keep(found, form, int(math.log2(int(people) or 1)))
    for name in sources.used("city"):
        _keep(found, name, 1)
    for name, *_rest in sources.rows("de_city_geonames_alt.txt"):
        if all(w in sources.probabilities for w in name.split()):
            _keep(found, spaced(name), 1)
    small = lower_case(sources.probabilities)
    return {
        n: s for n, s in found.items()
        if len(n) >= _SHORTEST_CITY and n.isascii() and (n not in small or s >= _TOWN)
    }  # fmt: skip


def town_forms(name: str) -> Iterator[str]:
    """Yield the folded, spaced forms of a town: plain, umlauts written out, "Sankt" and "St."."""
    name = name.partition(" (")[0].partition("/")[0]
    plain = name.replace("Sankt ", "St. ")
    for form in {name, plain}:
        for spelling in spellings(form):
            yield spaced(spelling)


def medical(sources: GermanSources) -> Items:
    """Return clinical terms, without single words that are names of people or towns."""
    names = {form for kind in sources.named for form in sources.used(kind)}
    found: Items = {}
    for term, *_rest in sources.rows("de_medical_terms_ratschlab.txt"):
        item = spaced(term)
        if len(item) >= _SHORTEST_TERM and item not in names:
            for form in spellings(term):
                found[spaced(form)] = 0
    return {item: s for item, s in found.items() if any(map(str.isalpha, item))}


BUILDERS: dict[str, Callable[[GermanSources], Items]] = {
    "de-given": given,
    "de-family": family,
    "de-city": city,
    "de-ordinary": ordinary,
    "de-medical": medical,
}
"""Lexicon -> its builder."""


def build(sources: GermanSources, out: Path) -> None:
    """Write ``items.txt`` of every German lexicon under ``out``, with additions; seal all."""
    for folder in sorted(path.parent for path in out.glob("de-*/source.toml")):
        items = BUILDERS[folder.name](sources) if folder.name in BUILDERS else {}
        for item, said in additions(folder).items():
            _keep(items, item, said)
        if items:
            (folder / "items.txt").write_text(render(items), "utf-8")
        seal(folder)


def additions(folder: Path) -> Items:
    """Return the items of ``additions.txt``: one a line, as people write it, and a strength."""
    file = folder / "additions.txt"
    found: Items = {}
    for line in file.read_text("utf-8").splitlines() if file.is_file() else ():
        item, _, strength = line.partition("\t")
        for form in spellings(item):
            _keep(found, spaced(form), int(strength or 0))
    return found


def _keep(found: Items, item: str, strength: int) -> None:
    found[item] = max(strength, found.get(item, 0))


def main(
    sources: SourcesArgument,
    lookups: Annotated[Path, existing_folder("Data folder of spacy-lookups-data.")],
    out: OutOption = Path("rules/lexicons"),
) -> None:
    """Build the derived German lexicons from source lists, and seal every German folder."""
    build(GermanSources(sources, lookups), out)


app = command_of(main)

if __name__ == "__main__":
    app()
