"""Rules and two CRFs for psychiatric notes (Lee 2017), with a tagger for each step.

The steps: two chains, for names and for quantities, learned with copies of each feature for texts
of other domains (EasyAdapt) if there are such texts; rules for regular and rare types, which take
precedence over overlapping learned mentions; correction of labels by context and lists; one type
for one string throughout a text, the type in contexts of which rules are certain, else the most
frequent.

Deviations: numbers of the category ID are also learned as quantities, besides being found by
rules. The rules are the shipped ones; rules of a type are used only if their precision on the
training texts is at least `LEAST`, because corpora differ in the extents of mentions. Headings and
attributes that hold no mentions are features and are not excluded from learning. There are no
features of parsers (parts of speech, semantic roles), no random indexing and no vectors.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.methods.crf import chains
from adapter.methods.crf.chains import Plan
from adapter.methods.crf.single import Crf, Found
from adapter.methods.prediction import PLAIN
from adapter.priorities import CERTAIN
from adapter.resolve import resolve
from adapter.taggers.document.document import read
from adapter.taggers.trusted.index import NOBODY
from adapter.train.recipe import ChainPlan
from adapter.types import Label, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.evaluate.annotations import Annotated
    from adapter.methods.crf.chains import Chains
    from adapter.methods.protocol import Learned, Resources
    from adapter.pipeline.language import Language
    from adapter.taggers.document.document import Document
    from adapter.taggers.trusted.index import PhraseIndex

FILE = "rules.json"
NAMES = ("NAME", "LOCATION", "PROFESSION")
"""Categories of the first chain; the second chain has all others."""
LEAST = 0.95
"""Least precision of the rules of a type, by extent and type, on the training texts."""
REGULAR = frozenset(
    label for label in Label if label.category in ("CONTACT", "ID", "DATE", "AGE")
) | {Label.USERNAME, Label.STATE, Label.STREET, Label.ZIP}
"""Types that rules find."""
_TWO = (
    ChainPlan("names", frozenset(str(label) for label in Label if label.category in NAMES)),
    ChainPlan("quantities"),
)


class CrfHybrid:
    """Learns two chains and selects rules."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> Hybrid:
        """Learn from texts, and from texts of other domains if there are any."""
        plan = Plan(_TWO, adapt=bool(resources.elsewhere))
        return self._hybrid(chains.learn(plan, texts, resources), texts, resources)

    def steps(
        self, texts: Sequence[Annotated], resources: Resources
    ) -> Iterator[tuple[str, Learned]]:
        """Yield the steps in the paper's order, with a single chain before all others."""
        yield "one CRF", Crf().learn(texts, resources)
        two = chains.learn(Plan(_TWO), texts, resources)
        yield "two CRFs", Found(two)
        if resources.elsewhere:
            two = chains.learn(Plan(_TWO, adapt=True), texts, resources)
            yield "+ EasyAdapt", Found(two)
        whole = self._hybrid(two, texts, resources)
        yield "+ rules", replace(whole, correct=False, reconcile=False)
        yield "+ correction", replace(whole, reconcile=False)
        yield "+ reconciliation", whole

    def read(self, files: Mapping[str, bytes], resources: Resources) -> Hybrid:
        """Return the tagger of a model's files."""
        try:
            types = frozenset(map(Label, json.loads(files[FILE])))
        except (KeyError, ValueError, TypeError):
            raise RuleError(FILE, "is not a list of types") from None
        return Hybrid(chains.read(Plan(_TWO), files, resources), _with_states(resources), types)

    def _hybrid(self, learned: Chains, texts: Sequence[Annotated], resources: Resources) -> Hybrid:
        types = frozenset(_precise(texts, resources.language))
        return Hybrid(learned, _with_states(resources), types)


def _with_states(resources: Resources) -> Language:
    """Return the language with its lexicon of states, so that no other place becomes a STATE."""
    language = resources.language
    states = resources.lexicons.get(f"{language.code}-state")
    return replace(language, options=replace(language.options, states=states))


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Chains, the types that rules find, and the steps that are switched on."""

    chains: Chains = field(repr=False)
    language: Language = field(repr=False)
    types: frozenset[Label]
    correct: bool = True
    reconcile: bool = True
    trusting: bool = False

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span]:
        """Return resolved mentions."""
        del phrases
        certain = _certain(document, self.language)
        ruled = [span for span in certain if span.label in self.types]
        places = {(span.start, span.end, span.label) for span in certain}
        learned = [
            replace(span, priority=CERTAIN)
            if (span.start, span.end, span.label) in places
            else span
            for span in self.chains.find(document)
            if not _touches(span, ruled)
        ]
        options = replace(self.language.options, correct=self.correct, reconcile=self.reconcile)
        found, _ = resolve([document.text], [[*ruled, *learned]], options)
        return found[0]

    def files(self) -> Mapping[str, bytes]:
        """Return the weights, and the types of rules, by file name."""
        types = json.dumps(sorted(self.types)).encode()
        return {**self.chains.files(), FILE: types}


def _precise(texts: Sequence[Annotated], language: Language) -> Iterator[Label]:
    """Yield the regular types whose rules are precise on annotated texts."""
    right: Counter[Label] = Counter()
    found: Counter[Label] = Counter()
    for text in texts:
        marked = {(mention.start, mention.end, mention.type) for mention in text.mentions}
        for span in _certain(read(text.text, language.code, language.sections), language):
            found[span.label] += 1
            right[span.label] += (span.start, span.end, str(span.label)) in marked
    for label in REGULAR:
        if found[label] and right[label] >= LEAST * found[label]:
            yield label


def _certain(document: Document, language: Language) -> list[Span]:
    """Return the resolved mentions of which the rules are certain."""
    found: list[Span | Veto] = [
        item for tagger in language.taggers for item in tagger.tag(document, NOBODY)
    ]
    sure = [item for item in found if isinstance(item, Veto) or item.priority >= CERTAIN]
    spans, _ = resolve([document.text], [sure], PLAIN)
    return list(spans[0])


def _touches(span: Span, others: Iterable[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)
