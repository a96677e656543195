"""ANONYMITEXT as a method: a dictionary induced from seeds, and what it tags.

The paper's experts gave frequent seeds; here they are the commonest annotated mentions of each
type, and nothing else of the annotation is used. Numbers and addresses of people (contacts, ids)
are left to patterns, and so are dates and ages unless they recur. `Induce` tags by the dictionary
alone (A), `InduceAgreeing` where the rules agree (B). Not rebuilt: the public-key cipher, and the
general tagger of the paper, for which the shipped rules of the language stand here.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.evaluate.annotations import CATEGORY_OF
from adapter.methods.induction.bootstrap import induce
from adapter.methods.induction.dictionary import Agreeing, Dictionary
from adapter.methods.induction.seeds import NUMBER, Seeds, key_of, kind_of
from adapter.methods.induction.tables import TERMS, read_tables
from adapter.methods.induction.words import ordinary_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.evaluate.annotations import Annotated
    from adapter.methods.protocol import Resources

SEEDS = 20
"""Seeds of a type."""
_LEFT_OUT = frozenset(("CONTACT", "ID", "OTHER"))
_RECURRING = 0.8
"""Most distinct mentions, as a share of all, of a type of numbers that a dictionary is for."""


class Induce:
    """Learns a dictionary, and tags by it alone."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> Dictionary:
        """Induce from the commonest mentions of each type.

        Raises:
            RuleError: there is no mention of a type that is learned.
        """
        counts = {name: terms for name, terms in counted(texts).items() if _is_learned(name, terms)}
        seeds = commonest(counts, SEEDS)
        if not seeds.terms:
            raise RuleError("induce", "the texts have no mentions to take seeds from")
        known = ordinary_words(resources.lexicons, resources.language.code)
        found = induce([text.text for text in texts], seeds, known=known)
        return Dictionary.of(found)

    def read(self, files: Mapping[str, bytes], resources: Resources) -> Dictionary:
        """Return the dictionary of a model's files."""
        del resources
        try:
            return Dictionary.of(read_tables(files))
        except ValueError:
            raise RuleError(TERMS, "has a class that is no type of mentions") from None


class InduceAgreeing:
    """Learns a dictionary, and tags by it where the rules agree."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> Agreeing:
        """Induce as `Induce` does."""
        return Agreeing(Induce().learn(texts, resources), resources.language)

    def read(self, files: Mapping[str, bytes], resources: Resources) -> Agreeing:
        """Return the dictionary of a model's files, with the rules of the language."""
        return Agreeing(Induce().read(files, resources), resources.language)


def counted(texts: Iterable[Annotated]) -> dict[str, Counter[str]]:
    """How often each term is a mention of each type, as written."""
    counts: dict[str, Counter[str]] = {}
    for text in texts:
        for mention in text.mentions:
            term = " ".join(text.text[mention.start : mention.end].split())
            counts.setdefault(mention.type, Counter())[term] += 1
    return counts


def commonest(counts: Mapping[str, Counter[str]], most: int) -> Seeds:
    """The commonest terms of each class; a term of two classes is of that with more of it."""
    owners = _owners(counts)
    chosen = {
        name: _first({term: n for term, n in terms.items() if owners[key_of(term)] == name}, most)
        for name, terms in sorted(counts.items())
    }
    return Seeds({name: terms for name, terms in chosen.items() if terms})


def _is_learned(name: str, terms: Counter[str]) -> bool:
    if CATEGORY_OF[name] in _LEFT_OUT:
        return False
    numbers = sum(count for term, count in terms.items() if kind_of(term) == NUMBER)
    return 2 * numbers < terms.total() or len(terms) <= _RECURRING * terms.total()


def _owners(counts: Mapping[str, Counter[str]]) -> dict[str, str]:
    """Folded item -> the type it is most often of."""
    found: dict[str, Counter[str]] = {}
    for name, terms in counts.items():
        for term, count in terms.items():
            found.setdefault(key_of(term), Counter())[name] += count
    return {item: max(sorted(kinds), key=lambda kind: kinds[kind]) for item, kinds in found.items()}


def _first(terms: Mapping[str, int], most: int) -> tuple[str, ...]:
    ranked = sorted(terms.items(), key=lambda item: (-item[1], item[0]))
    return tuple([term for term, _ in ranked if key_of(term)][:most])
