"""Rules, phrases of a letter's header, their misspellings, and news (Richter-Pechanski 2018).

There are four steps, each of which adds mentions to the steps before: the patterns and lists of the
rules; the phrases of the header; words within a third of a header's word by edit distance (after
Yuwono 2016); names and places that a CRF learned from texts of other domains, without
organisations, which fired on medical abbreviations. Nothing is learned from texts of the domain.

The header is the structured fields beside a text if these are trusted, else the mentions that rules
find in the text's first lines. Deviations: the CRF is ours, not Stanford's, and learns from
`Resources.elsewhere`, from words and not from layout; the words that are never misspellings are all
common words of the language, not only stop words.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import regex
from rapidfuzz.distance import Levenshtein

from adapter.errors import RuleError
from adapter.methods.crf import chains
from adapter.methods.crf.chains import Plan
from adapter.methods.prediction import PLAIN
from adapter.normalize.folding import fold
from adapter.resolve import resolve
from adapter.taggers.trusted.discoveries import discoveries
from adapter.taggers.trusted.full_names import Evidence
from adapter.taggers.trusted.index import NOBODY, PhraseIndex
from adapter.taggers.trusted.mentions import PhraseTagger
from adapter.types import Label, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.evaluate.annotations import Annotated
    from adapter.methods.crf.chains import Chains
    from adapter.methods.protocol import Learned, Resources
    from adapter.pipeline.language import Language
    from adapter.taggers.document.document import Document

FILE = "steps.json"
SOURCE = "variants-ood"
PRIORITY = 55
"""Priority of misspellings: below that of certain rules."""
RATIO = 1 / 3
"""Edit distance over the length of the shorter word, below which two words are the same."""
SHORTEST = 4
"""Fewest letters of a word with misspellings, which follows from `RATIO`."""
LINES = 15
"""Number of non-empty lines of the header of a text without structured fields."""
NEWS = Plan(without=("ORGANIZATION",), groups=chains.OF_WORDS)
"""The plan for other domains: features of words only, because news have another layout."""
_LINE = regex.compile(r"[^\n]*\w[^\n]*(?:\n|\Z)")
_WORD = regex.compile(r"\p{L}+")
_WORDED = ("NAME", "LOCATION")


class VariantsOod:
    """Learns names and places from texts of other domains."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> Steps:
        """Learn from `Resources.elsewhere`; without such texts the last step is missing."""
        del texts
        return Steps(resources.language, _of_news(resources) if resources.elsewhere else None)

    def steps(
        self, texts: Sequence[Annotated], resources: Resources
    ) -> Iterator[tuple[str, Learned]]:
        """Yield the steps in the paper's order."""
        whole = self.learn(texts, resources)
        alone = replace(whole, news=None)
        yield "rules", replace(alone, header=False, variants=False)
        yield "+ header phrases", replace(alone, variants=False)
        yield "+ variants", alone
        if whole.news is not None:
            yield "+ other domains", whole

    def read(self, files: Mapping[str, bytes], resources: Resources) -> Steps:
        """Return the tagger of a model's files."""
        try:
            learned = json.loads(files[FILE])["news"]
        except (KeyError, ValueError, TypeError):
            raise RuleError(FILE, "does not list its steps") from None
        return Steps(resources.language, chains.read(NEWS, files, resources) if learned else None)


@lru_cache(maxsize=1)
def _of_news(resources: Resources) -> Chains:
    """Return chains learned from other domains; memoised, because every fold needs the same."""
    return chains.learn(NEWS, resources.elsewhere, resources)


@dataclass(frozen=True, slots=True)
class Steps:
    """A language's rules, chains from other domains or None, and the steps switched on."""

    language: Language = field(repr=False)
    news: Chains | None = field(repr=False)
    header: bool = True
    variants: bool = True
    trusting: bool = True

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return the mentions of all steps, and the vetoes of the rules."""
        found: list[Span | Veto] = [
            item
            for tagger in self.language.taggers
            if not tagger.trusting
            for item in tagger.tag(document, NOBODY)
        ]
        if self.header:
            index = phrases if phrases.phrases else self._header(document, found)
            for tagger in self.language.taggers:
                if isinstance(tagger, PhraseTagger):
                    found += tagger.tag(document, index)
            if self.variants:
                found += self._misspelt(document, self._words(index))
        return [*found, *(self.news.find(document) if self.news else ())]

    def files(self) -> Mapping[str, bytes]:
        """Return the chains, if any, and a file that says whether there are any."""
        learned = self.news.files() if self.news else {}
        return {**learned, FILE: json.dumps({"news": self.news is not None}).encode()}

    def _header(self, document: Document, found: Sequence[Span | Veto]) -> PhraseIndex:
        """Return the rules' mentions in the first lines as phrases."""
        end = _header_end(document.text)
        spans, _ = resolve([document.text], [found], PLAIN)
        within = [span for span in spans[0] if span.end <= end]
        cues = self.language.words.cues
        evidence = Evidence(self.language.options.ordinary, cues)
        phrases = discoveries([(document.text, within)], (), evidence)
        return PhraseIndex.build(phrases, cues).within([document.text])

    def _words(self, index: PhraseIndex) -> dict[str, Label]:
        """Return word -> label for the words of names and places in phrases; no common words."""
        return {
            word: phrase.label
            for phrase in index.phrases
            if phrase.label.category in _WORDED
            for word in map(fold, _WORD.findall(phrase.text))
            if self._is_distinctive(word)
        }

    def _misspelt(self, document: Document, known: Mapping[str, Label]) -> Iterator[Span]:
        """Yield the words that misspell a known word."""
        for word, starts in document.index.items() if known else ():
            near = _nearest(word, known) if word.isalpha() and self._is_distinctive(word) else None
            if near is not None:
                for start in starts:
                    end = start + len(word)
                    yield Span(start, end, known[near], SOURCE, priority=PRIORITY)

    def _is_distinctive(self, word: str) -> bool:
        """Whether a folded word is long enough and not a common word."""
        return len(word) >= SHORTEST and word not in self.language.options.ordinary


def _nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word with the least relative edit distance if below `RATIO`, else None."""
    shares = (
        (Levenshtein.distance(word, other) / min(len(word), len(other)), other) for other in known
    )
    share, nearest = min(shares)
    return nearest if share < RATIO else None


def _header_end(text: str) -> int:
    """Return the end of the header lines."""
    ends = [match.end() for _, match in zip(range(LINES), _LINE.finditer(text), strict=False)]
    return ends[-1] if ends else 0
