"""Seeds: a few terms of each class, written by a person as TOML or TSV."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.taggers.document.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

STOP = "stop"
"""The class of terms in no other class: ordinary words, and terms rejected in review."""
CAPITAL, LOWER, NUMBER = "capital", "lower", "number"
"""Kinds of terms, by their first character."""
UPPER = "upper"
"""Kind of acronyms."""
_CLASS = re.compile("[a-z]+(-[a-z]+)*")
_TOML_LINE = re.compile(r"at line ([0-9]+)")


@dataclass(frozen=True, slots=True)
class Seeds:
    """Terms by class, as written."""

    terms: Mapping[str, tuple[str, ...]] = field(repr=False)

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes except `STOP`, in order."""
        return tuple(name for name in self.terms if name != STOP)

    def kind(self, name: str) -> str:
        """Return the most frequent kind of a class's seeds."""
        kinds = [kind_of(term) for term in self.terms[name]]
        return max((CAPITAL, LOWER, NUMBER), key=kinds.count)

    def inner_words(self, kind: str) -> frozenset[str]:
        """Return lower-case words inside the seeds of a kind: "de" of "Hospital de León"."""
        return frozenset(
            word
            for terms in self.terms.values()
            for term in terms
            if kind_of(term) == kind
            for word in term.split()[1:-1]
            if word.isalpha() and word.islower()
        )


def kind_of(term: str) -> str:
    """Return the kind of a term by its first character: a capital, a digit, or another."""
    first = term[:1]
    return CAPITAL if first.isupper() else NUMBER if first.isdigit() else LOWER


def key_of(term: str) -> str:
    """Return a term as an item of a lexicon: folded tokens separated by blanks."""
    return " ".join(tokenize(term).words)


def parse(text: str, name: str) -> Seeds:
    """Parse seeds: TOML ``class = ["term", ...]``, or lines "class TAB term".

    Raises:
        RuleError: the text is neither, a class is not named by lower-case words, or a term is
        in two classes. Names and terms are not quoted, as they may be a patient's name.
    """
    rows = _toml(text, name) if name.lower().endswith(".toml") else _tsv(text, name)
    terms: dict[str, list[str]] = {}
    owner: dict[str, tuple[str, str]] = {}
    for place, kind, term in rows:
        item = key_of(term)
        first, other = owner.setdefault(item, (place, kind))
        if other != kind:
            raise RuleError(place, f"is a term of another class too (at {first})")
        if item:
            terms.setdefault(kind, []).append(" ".join(term.split()))
    if not terms.keys() - {STOP}:
        raise RuleError(name, "has no seeds")
    return Seeds({kind: tuple(dict.fromkeys(found)) for kind, found in sorted(terms.items())})


def _toml(text: str, name: str) -> Iterator[tuple[str, str, str]]:
    """Yield (place for errors, class, term) of each term."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = _TOML_LINE.search(str(error))
        raise RuleError(f"{name}:{line[1]}" if line else name, "is not TOML") from None
    for number, (kind, terms) in enumerate(table.items(), 1):
        place = f"{name}, class {number}"
        if not isinstance(terms, list) or not all(isinstance(term, str) for term in terms):
            raise RuleError(place, "is not a list of terms")
        _named(kind, place)
        for nth, term in enumerate(terms, 1):
            yield f"{place}, term {nth}", kind, term


def _tsv(text: str, name: str) -> Iterator[tuple[str, str, str]]:
    """Yield (place for errors, class, term) of each line."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            place = f"{name}:{number}"
            kind, tab, term = line.partition("\t")
            if not tab or not term.strip():
                raise RuleError(place, "must have the form: class TAB term")
            yield place, _named(kind.strip(), place), term.partition("\t")[0]


def _named(kind: str, place: str) -> str:
    if not _CLASS.fullmatch(kind):
        raise RuleError(
            place, 'a class name must be lower-case words, such as  "city", "drug-name"'
        )
    return kind


def written(seeds: Seeds) -> str:
    """Return lines "class TAB term", of which digests are computed."""
    return "".join(f"{kind}\t{term}\n" for kind in seeds.terms for term in seeds.terms[kind])


def items_of(seeds: Seeds, name: str) -> dict[str, str]:
    """Map the folded items of a class to their kinds."""
    return {key_of(term): kind_of(term) for term in seeds.terms.get(name, ())}
