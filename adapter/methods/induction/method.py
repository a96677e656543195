"""ANONYMITEXT as a method: a dictionary induced from seeds, and taggers that use it.

In the paper experts gave frequent seeds; here seeds are the most frequent annotated mentions of
each type, and nothing else of the annotation is used. Contacts and ids are left to patterns, and so
are dates and ages unless they recur. `Induce` tags with the dictionary alone (A), `InduceAgreeing`
where the rules agree (B). Not rebuilt: the public-key cipher, and the paper's general tagger, which
the shipped rules of the language replace.
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
"""Most seeds of a type."""
_LEFT_OUT = frozenset(("CONTACT", "ID", "OTHER"))
_RECURRING = 0.8
"""Greatest share of distinct mentions of a type of numbers for which a dictionary is used."""


class Induce:
    """Learns a dictionary that tags alone."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> Dictionary:
        """Induce from the most frequent mentions of each type.

        Raises:
            RuleError: the texts have no mention of a learned type.
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
            raise RuleError(TERMS, "has a class that is not a type of mentions") from None


class InduceAgreeing:
    """Learns a dictionary that tags where the rules agree."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> Agreeing:
        """Learn like `Induce`."""
        return Agreeing(Induce().learn(texts, resources), resources.language)

    def read(self, files: Mapping[str, bytes], resources: Resources) -> Agreeing:
        """Return the dictionary of a model's files, with the rules of the language."""
        return Agreeing(Induce().read(files, resources), resources.language)


def counted(texts: Iterable[Annotated]) -> dict[str, Counter[str]]:
    """Return, by type, how often each term, as written, is a mention."""
    counts: dict[str, Counter[str]] = {}
    for text in texts:
        for mention in text.mentions:
            term = " ".join(text.text[mention.start : mention.end].split())
            counts.setdefault(mention.type, Counter())[term] += 1
    return counts


def commonest(counts: Mapping[str, Counter[str]], most: int) -> Seeds:
    """Return the most frequent terms of each class as seeds; a term belongs to one class."""
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
    """Map each folded item to its most frequent type."""
    found: dict[str, Counter[str]] = {}
    for name, terms in counts.items():
        for term, count in terms.items():
            found.setdefault(key_of(term), Counter())[name] += count
    return {item: max(sorted(kinds), key=lambda kind: kinds[kind]) for item, kinds in found.items()}


def _first(terms: Mapping[str, int], most: int) -> tuple[str, ...]:
    ranked = sorted(terms.items(), key=lambda item: (-item[1], item[0]))
    return tuple([term for term, _ in ranked if key_of(term)][:most])
