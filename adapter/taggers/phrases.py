"""Exact matching of a message's trusted phrases, whatever their case, accents and punctuation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import regex

from adapter.folding import fold
from adapter.taggers import context
from adapter.taggers.joining import Match, drop_contained, runs
from adapter.taggers.matching import Entry, Key, key_of, last_token
from adapter.taggers.tokens import Tokens, tokenize
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.taggers.document import Document
    from adapter.taggers.joining import Run
    from adapter.taggers.resources import Resources
    from adapter.types import TrustedPhrase, Veto

    Names = Mapping[str, Sequence[TrustedPhrase]]

PRIORITY = 100
SOURCE = "phrase"
_HEAD = 2
_QUICK_WORD = regex.compile(r"(?:[^\W\d_]['’])?[^\W\d_]{2,}|\d{2,}")
_APOSTROPHES = str.maketrans("", "", "'’")
_SHORTEST_NUMBER = 5
_SURE_NUMBER = 7
_DIGITS_BEFORE = regex.compile(r"\d[-./:,]\Z")
_DIGITS_AFTER = regex.compile(r"[-./:,]\d")
_MARKS = regex.compile(r"\p{M}+")
_NEVER_SWEPT = frozenset({Label.ZIP, Label.STATE, Label.COUNTRY})


@dataclass(frozen=True, slots=True)
class PhraseIndex:
    """A message's trusted phrases by the first letters of what they come down to.

    ``heads`` maps the first one and the first two characters of keys to entries; ``initials`` an
    entity to the initials of its given and middle names, with their forms; ``names`` the single
    names, letters only, to their phrases.
    """

    phrases: tuple[TrustedPhrase, ...] = field(repr=False)
    heads: Mapping[str, list[Entry]] = field(repr=False)
    initials: Mapping[str, Mapping[str, str]] = field(repr=False)
    names: Names = field(repr=False)

    @classmethod
    def build(cls, phrases: Sequence[TrustedPhrase]) -> PhraseIndex:
        """Prepare phrases for matching; of two equal texts of one entity the first form counts."""
        entries: dict[Key, Entry] = {}
        heads: dict[str, list[Entry]] = {}
        initials: dict[str, dict[str, str]] = {}
        names: dict[str, list[TrustedPhrase]] = {}
        for phrase in phrases:
            text, form = phrase.text, phrase.form
            key = key_of(text, phrase.label, form)
            if key.kind == "name" and " " not in form:
                names.setdefault(key.text, []).append(phrase)
                if form[1] in "gm" and ":" not in form:
                    known = initials.setdefault(phrase.entity, {})
                    known.setdefault(key.text[:1], f"{form[:-1]}[0]}}")
            entry = entries.get(key)
            if entry is not None:
                entry.phrases.append(phrase)
                continue
            if len(key.text) >= _HEAD:
                entry = entries[key] = Entry(key, [phrase])
                for head in (key.text[:_HEAD], key.text[0]):
                    if head in heads:
                        heads[head].append(entry)
                    else:
                        heads[head] = [entry]
        return cls(tuple(phrases), heads, initials, names)

    def occurrences(self, tokens: Tokens, text: str) -> list[Match]:
        """Return where phrases occur in a tokenised text, in order, none inside another."""
        heads = self.heads
        found = []
        for place, word in enumerate(tokens.words):
            entries = heads.get(word[:_HEAD])
            if entries is None:
                continue
            for entry in entries:
                if entry.key.text.startswith(word):
                    last = last_token(entry.key, tokens, text, place)
                    if last >= 0 and _at_border(entry.key, tokens, text, place, last):
                        found.append(Match(place, last, entry))
        return drop_contained(found)


def _at_border(key: Key, tokens: Tokens, text: str, first: int, last: int) -> bool:
    """Whether an occurrence is not a part of a longer number, or an acronym in other letters."""
    start, end = tokens.starts[first], tokens.ends[last]
    if key.kind == "acronym":
        return text[start:end].isupper()
    if key.kind != "number" or len(key.text) > _SURE_NUMBER:
        return True
    return not _DIGITS_BEFORE.search(text, max(0, start - 2), start) and not _DIGITS_AFTER.match(
        text, end
    )


class PhraseTagger:
    """Finds the message's trusted phrases; common words among them only where context agrees."""

    def __init__(self, resources: Resources) -> None:
        """Take nothing of the language: phrases say themselves which are its words."""
        del resources

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return one span for every mention; neighbouring parts of one name are one mention."""
        tokens = bare(document.tokens, document.text)
        return list(spans(tokens, document.text, phrases))


def bare(tokens: Tokens, text: str) -> Tokens:
    """Return tokens whose words have no combining marks (accents written apart)."""
    if text.isascii() or not _MARKS.search(text):
        return tokens
    words = [_MARKS.sub("", word) or word for word in tokens.words]
    return Tokens(tokens.starts, tokens.ends, words)


def spans(tokens: Tokens, text: str, index: PhraseIndex) -> Iterator[Span]:
    """Return the mentions of trusted phrases in a tokenised text, in no order."""
    matches = index.occurrences(tokens, text)
    if not matches:
        return
    names = [match for match in matches if match.entry.key.kind == "name"]
    for run in runs(names, tokens, text, index.initials):
        if _is_name(run, tokens, text):
            yield _name_span(run, tokens, text)
    others = [match for match in matches if match.entry.key.kind != "name"]
    strong = {match.first: match for match in others if match.strong}
    for match in others:
        if match.strong or _is_mention(match, strong, tokens, text):
            phrase = match.entry.phrases[0]
            yield _span(tokens, match.first, match.last, phrase, phrase.form)


def _is_name(run: Run, tokens: Tokens, text: str) -> bool:
    if run.strong:
        return True
    several = sum(tokens.words[i].isalpha() for i in range(run.first, run.last + 1)) > 1
    if several:
        return context.several_here(run.first, run.last, tokens, text)
    return context.name_here(run.first, run.last, tokens, text)


def _name_span(run: Run, tokens: Tokens, text: str) -> Span:
    title = context.titled(run.first, tokens)
    label = _TITLED.get(title)
    candidates = [phrase for phrase in run.phrases if phrase.entity in run.entities]
    chosen = next((phrase for phrase in candidates if phrase.label is label), candidates[0])
    form = run.form(chosen.entity, tokens, text)
    return _span(tokens, run.first, run.last, chosen, form)


_TITLED = {
    **dict.fromkeys(context.DOCTOR_TITLES, Label.DOCTOR),
    **dict.fromkeys(context.PERSON_TITLES, Label.PATIENT),
}


def _is_mention(match: Match, strong: Mapping[int, Match], tokens: Tokens, text: str) -> bool:
    """Whether context makes a short number or a common word of a place a mention."""
    key = match.entry.key
    start, end = tokens.starts[match.first], tokens.ends[match.last]
    if key.kind == "number":
        return context.number_here(start, text, match.entry.phrases[0].form)
    if key.kind != "text":
        return False
    if text[start].isupper() and _beside(match, strong):
        return True
    return context.place_here(start, end, text)


def _beside(match: Match, strong: Mapping[int, Match]) -> bool:
    """Whether a certain value of the same entity begins just behind it: "Hope, AR 71801"."""
    entities = {phrase.entity for phrase in match.entry.phrases}
    for place in range(match.last + 1, match.last + 5):
        other = strong.get(place)
        if other is not None:
            return any(phrase.entity in entities for phrase in other.entry.phrases)
    return False


def _span(tokens: Tokens, first: int, last: int, phrase: TrustedPhrase, form: str) -> Span:
    start, end = tokens.starts[first], tokens.ends[last]
    return Span(start, end, phrase.label, SOURCE, 1.0, PRIORITY, phrase.entity, form)


def sweep(texts: Sequence[str], index: PhraseIndex) -> list[tuple[int, Span]]:
    """Return certain mentions in texts that would be kept, as (place in texts, span).

    Only phrases that are no common words count, no number of fewer than five digits, no ZIP,
    state or country, which codes and values have by chance. Fast where there is nothing to find.
    """
    heads = index.heads
    folded = fold("\n".join(texts))
    words = set(_QUICK_WORD.findall(folded))
    if not any(_promises(word, heads) for word in words):
        return []
    found: list[tuple[int, Span]] = []
    for place, text in enumerate(texts):
        if any(_promises(word, heads) for word in _QUICK_WORD.findall(fold(text))):
            found += ((place, span) for span in _swept(text, index))
    return found


def _promises(word: str, heads: Mapping[str, list[Entry]]) -> bool:
    plain = word.translate(_APOSTROPHES)
    return any(
        entry.key.text.startswith(plain) or plain.startswith(entry.key.text)
        for entry in heads.get(plain[:_HEAD], ())
    )


def _swept(text: str, index: PhraseIndex) -> Iterator[Span]:
    tokens = bare(tokenize(text), text)
    matches = [match for match in index.occurrences(tokens, text) if _certain(match)]
    names = [match for match in matches if match.entry.key.kind == "name"]
    for run in runs(names, tokens, text, index.initials):
        yield _name_span(run, tokens, text)
    for match in matches:
        if match.entry.key.kind != "name":
            phrase = match.entry.phrases[0]
            yield _span(tokens, match.first, match.last, phrase, phrase.form)


def _certain(match: Match) -> bool:
    key = match.entry.key
    if not match.strong or (key.text.isdigit() and len(key.text) < _SHORTEST_NUMBER):
        return False
    if key.kind == "acronym":
        return False
    return not all(phrase.label in _NEVER_SWEPT for phrase in match.entry.phrases)
