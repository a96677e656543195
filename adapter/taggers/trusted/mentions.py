"""The tagger of a message's trusted phrases: which of their occurrences are mentions.

Case, accents and punctuation are ignored. A common word or a short number is a mention only where
its context says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import regex

from adapter.priorities import PHRASE
from adapter.taggers.document.tokens import Tokens
from adapter.taggers.trusted import context
from adapter.taggers.trusted.births import births_in
from adapter.taggers.trusted.joining import Known, Match, runs
from adapter.taggers.trusted.line_ends import Beside, line_ends
from adapter.types import PHRASE_SOURCE, Label, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from adapter.languages.cues import Cues
    from adapter.normalize.canonical import Canonical
    from adapter.taggers.document.document import Document
    from adapter.taggers.document.resources import Resources
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.taggers.trusted.joining import Run
    from adapter.types import TrustedPhrase

PRIORITY = PHRASE
_MARKS = regex.compile(r"\p{M}+")

Item = TypeVar("Item", bound="Span | Veto")


class PhraseTagger:
    """Finds the message's trusted phrases; common words among them need a suitable context."""

    trusting = True

    def __init__(self, resources: Resources) -> None:
        """Take how days are written, and common words; each phrase records whether it is one."""
        self._written_days = resources.written_days
        self._is_common = resources.is_common

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return one span per mention; neighbouring parts of one name are one mention."""
        tokens = bare(document.tokens, document.text)
        births = births_in(tokens, phrases.lookup.births, self._written_days)
        found = list(spans(tokens, document.text, phrases))
        beside = Beside(phrases.cues, phrases.lookup.names, self._is_common)
        return [*found, *births, *line_ends(found, tokens, document.text, beside)]


def bare(tokens: Tokens, text: str) -> Tokens:
    """Return the tokens with combining marks (decomposed accents) removed from their words."""
    if text.isascii() or not _MARKS.search(text):
        return tokens
    words = [_MARKS.sub("", word) or word for word in tokens.words]
    return Tokens(tokens.starts, tokens.ends, words)


def spans(tokens: Tokens, text: str, index: PhraseIndex) -> Iterator[Span]:
    """Return the mentions of trusted phrases in a tokenised text, unordered."""
    yield from index.embedded.spans(tokens)
    matches = index.occurrences(tokens, text)
    if not matches:
        return
    names = [match for match in matches if match.entry.kind == "name"]
    for run in runs(names, tokens, text, Known(index.lookup.initials, index.cues)):
        if _is_name(run, tokens, text, index.cues):
            yield name_span(run, tokens, text, index.cues)
    others = [match for match in matches if match.entry.kind != "name"]
    strong = {match.first: match for match in others if match.strong}
    for match in others:
        if match.strong or _is_mention(match, strong, tokens, text, index.cues):
            phrase = match.entry.phrases[0]
            yield span_of(tokens, match.first, match.last, phrase, phrase.form)


def _is_name(run: Run, tokens: Tokens, text: str, cues: Cues) -> bool:
    if run.strong:
        return True
    if run.first == run.last and len(tokens.words[run.first]) == 1:
        titled = context.titled(run.first, tokens, cues) != ""
        return titled and text[tokens.starts[run.first]].isupper()
    several = sum(tokens.words[i].isalpha() for i in range(run.first, run.last + 1)) > 1
    if several:
        return context.several_here(run.first, run.last, tokens, text)
    return context.name_here(run.first, run.last, tokens, text, cues)


def name_span(run: Run, tokens: Tokens, text: str, cues: Cues) -> Span:
    """Return the span of a run of names, with the label that its title indicates."""
    label = _label_of(context.titled(run.first, tokens, cues), cues)
    candidates = [phrase for phrase in run.phrases if phrase.entity in run.entities]
    chosen = next((phrase for phrase in candidates if phrase.label is label), candidates[0])
    form = run.form(chosen.entity, tokens, text)
    return span_of(tokens, run.first, run.last, chosen, form)


def _label_of(title: str, cues: Cues) -> Label | None:
    if title in cues.doctors:
        return Label.DOCTOR
    return Label.PATIENT if title in cues.persons else None


def _is_mention(
    match: Match, strong: Mapping[int, Match], tokens: Tokens, text: str, cues: Cues
) -> bool:
    """Whether context makes a short number or an ambiguous place name a mention."""
    key = match.entry
    start, end = tokens.starts[match.first], tokens.ends[match.last]
    if key.kind == "number":
        return context.number_here(start, text, match.entry.phrases[0].form, cues)
    if key.kind == "initials":
        return context.initials_here(start, end, text, cues)
    if key.kind != "text":
        return False
    if is_street(match, tokens, text) or (text[start].isupper() and _beside(match, strong)):
        return True
    if context.is_code(key.phrases[0]):
        return context.code_here(start, end, text, cues)
    return (
        _is_line(match) and context.follows_preposition(start, text, cues)
    ) or context.place_here(start, end, text, cues)


def _is_line(match: Match) -> bool:
    """Whether a match is a street of several words."""
    return bool(match.entry.bounds) and match.entry.phrases[0].label is Label.STREET


def is_street(match: Match, tokens: Tokens, text: str) -> bool:
    """Whether common words are written as a street's name: "Ravine Lane", not "a long way"."""
    if not _is_line(match):
        return False
    words = range(match.first, match.last + 1)
    written = [text[tokens.starts[at] : tokens.ends[at]] for at in words]
    return all(word.istitle() for word in written if word.isalpha())


def _beside(match: Match, strong: Mapping[int, Match]) -> bool:
    """Whether a certain value of the same entity is adjacent: "Hope, AR 71801"."""
    entities = {phrase.entity for phrase in match.entry.phrases}
    for place in (*range(match.last + 1, match.last + 5), *range(match.first - 4, match.first)):
        other = strong.get(place)
        if other is not None:
            return any(phrase.entity in entities for phrase in other.entry.phrases)
    return False


def span_of(tokens: Tokens, first: int, last: int, phrase: TrustedPhrase, form: str) -> Span:
    """Return the span of a phrase from the token ``first`` to the token ``last``."""
    start, end = tokens.starts[first], tokens.ends[last]
    return Span(start, end, phrase.label, PHRASE_SOURCE, 1.0, PRIORITY, phrase.entity, form)


def located(item: Item, form: Canonical) -> Item:
    """Move a span or veto from a canonical text to its offsets in the text as sent."""
    start, end = form.origin(item.start, item.end)
    return replace(item, start=start, end=end)
