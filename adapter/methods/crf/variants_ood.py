"""Rules, then what a letter's header says and its misspellings, then news (Richter-Pechanski 2018).

Four steps, each of which adds mentions to those before it: the patterns and lists of the rules;
the phrases of the header; words within a third of a header's word by edit distance (after Yuwono
2016); names and places that a CRF knows from texts of other domains, without organisations, which
fired on medical abbreviations. Texts of the domain teach it nothing.

The header is the structured fields beside a text where these are trusted. Elsewhere it is what
rules find in the text's first lines. Deviations: the CRF is ours, not Stanford's, and it learns
from what `Resources.elsewhere` has, from words alone and not from layout; the words that are never
misspellings are all common words of the language, not stop words alone.
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
from adapter.taggers.trusted.index import NOBODY, PhraseIndex, PhraseTagger
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
"""Edit distance by the length of the shorter word, below which two words are one."""
SHORTEST = 4
"""Fewest letters of a word with misspellings; a shorter one may have none by `RATIO`."""
LINES = 15
"""Lines with words that are the header of a text without structured fields."""
NEWS = Plan(without=("ORGANIZATION",), groups=chains.OF_WORDS)
"""What is learned from other domains: words alone, because news are laid out otherwise."""
_LINE = regex.compile(r"[^\n]*\w[^\n]*(?:\n|\Z)")
_WORD = regex.compile(r"\p{L}+")
_WORDED = ("NAME", "LOCATION")


class VariantsOod:
    """Learns names and places from texts of other domains."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> Steps:
        """Learn from `Resources.elsewhere`; without such texts there is no last step."""
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
        """Return the steps of a model's files."""
        try:
            learned = json.loads(files[FILE])["news"]
        except (KeyError, ValueError, TypeError):
            raise RuleError(FILE, "does not say its steps") from None
        return Steps(resources.language, chains.read(NEWS, files, resources) if learned else None)


@lru_cache(maxsize=1)
def _of_news(resources: Resources) -> Chains:
    """What texts of other domains teach; a memo, because each part held out asks for the same."""
    return chains.learn(NEWS, resources.elsewhere, resources)


@dataclass(frozen=True, slots=True)
class Steps:
    """A language's rules, chains learned from other domains, and which steps are done."""

    language: Language = field(repr=False)
    news: Chains | None = field(repr=False)
    header: bool = True
    variants: bool = True
    trusting: bool = True

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return what all steps find; vetoes are those of the rules."""
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
        """The chains, if there are any, and whether there are."""
        learned = self.news.files() if self.news else {}
        return {**learned, FILE: json.dumps({"news": self.news is not None}).encode()}

    def _header(self, document: Document, found: Sequence[Span | Veto]) -> PhraseIndex:
        """What rules found in the first lines, as phrases."""
        end = _header_end(document.text)
        spans, _ = resolve([document.text], [found], PLAIN)
        within = [span for span in spans[0] if span.end <= end]
        cues = self.language.words.cues
        phrases = discoveries([(document.text, within)], (), self.language.options.ordinary, cues)
        return PhraseIndex.build(phrases, cues).within([document.text])

    def _words(self, index: PhraseIndex) -> dict[str, Label]:
        """The words of names and places among phrases that are no common words."""
        return {
            word: phrase.label
            for phrase in index.phrases
            if phrase.label.category in _WORDED
            for word in map(fold, _WORD.findall(phrase.text))
            if self._tells(word)
        }

    def _misspelt(self, document: Document, known: Mapping[str, Label]) -> Iterator[Span]:
        """Yield the words that are near a known one."""
        for word, starts in document.index.items() if known else ():
            near = _nearest(word, known) if word.isalpha() and self._tells(word) else None
            if near is not None:
                for start in starts:
                    end = start + len(word)
                    yield Span(start, end, known[near], SOURCE, priority=PRIORITY)

    def _tells(self, word: str) -> bool:
        """Whether a folded word is long enough and no common one."""
        return len(word) >= SHORTEST and word not in self.language.options.ordinary


def _nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word with the least share of letters that differ, if that is below `RATIO`."""
    shares = (
        (Levenshtein.distance(word, other) / min(len(word), len(other)), other) for other in known
    )
    share, nearest = min(shares)
    return nearest if share < RATIO else None


def _header_end(text: str) -> int:
    """Where the first lines end."""
    ends = [match.end() for _, match in zip(range(LINES), _LINE.finditer(text), strict=False)]
    return ends[-1] if ends else 0
