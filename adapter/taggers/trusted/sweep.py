"""The search for certain mentions of trusted phrases in texts that would be kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.normalize.folding import contained
from adapter.normalize.numerals import Numerals, readings
from adapter.taggers.document.tokens import tokenize
from adapter.taggers.trusted.index import SEPARATOR, SHORTEST_NUMBER, squeezed
from adapter.taggers.trusted.joining import Known, runs
from adapter.taggers.trusted.mentions import bare, is_street, located, name_span, span_of
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.taggers.document.tokens import Tokens
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.taggers.trusted.joining import Match
    from adapter.types import Span

_NO_NUMERALS = Numerals()
_IN_CODES = frozenset({Label.HOSPITAL, Label.ORGANIZATION, Label.DOCTOR})
"""Labels whose one-word names also occur in codes."""
_NEVER_SWEPT = frozenset({Label.ZIP, Label.STATE, Label.COUNTRY})


def sweep(
    texts: Sequence[str], index: PhraseIndex, numerals: Numerals = _NO_NUMERALS
) -> list[tuple[int, Span]]:
    """Return certain mentions in texts that would be kept, as (index in texts, span).

    Common words, numbers of fewer than five digits, ZIP codes, states and countries do not count,
    because codes and values contain them by chance. Fast if there is nothing to find.
    """
    found = _sweep(texts, index)
    if not readings("\n".join(texts), numerals):
        return found
    forms = [(at, form) for at, text in enumerate(texts) for form in readings(text, numerals)]
    for at, span in _sweep([form.text for _, form in forms], index):
        place, form = forms[at]
        found.append((place, located(span, form)))
    return list(_apart(found))


def _apart(found: Iterable[tuple[int, Span]]) -> Iterator[tuple[int, Span]]:
    """Yield spans in order; overlapping spans become the longest, extended over all of them."""
    last: tuple[int, Span] | None = None
    for place, span in sorted(found, key=lambda item: (item[0], item[1].start, -item[1].end)):
        if last is not None and last[0] == place and span.start < last[1].end:
            longest = max(last[1], span, key=lambda one: one.end - one.start)
            ends = last[1].start, max(last[1].end, span.end)
            if ends != (longest.start, longest.end):
                longest = replace(longest, start=ends[0], end=ends[1], form=None)
            last = place, longest
            continue
        if last is not None:
            yield last
        last = place, span
    if last is not None:
        yield last


def _sweep(texts: Sequence[str], index: PhraseIndex) -> list[tuple[int, Span]]:
    joined = SEPARATOR.join(texts)
    if joined.count(SEPARATOR) >= len(texts):
        texts = [text.replace(SEPARATOR, " ") for text in texts]
        joined = SEPARATOR.join(texts)
    plain_texts = squeezed(joined)
    candidates = contained(index.sure, plain_texts)
    if not candidates:
        return []
    found: list[tuple[int, Span]] = []
    for place, plain in enumerate(plain_texts.split(SEPARATOR)):
        if any(candidate in plain for candidate in candidates):
            found += ((place, span) for span in _swept(texts[place], index))
    return found


def _swept(text: str, index: PhraseIndex) -> Iterator[Span]:
    tokens = bare(tokenize(text), text)
    yield from index.embedded.spans(tokens)
    matches = [match for match in index.occurrences(tokens, text) if _certain(match, tokens, text)]
    names = [match for match in matches if match.entry.kind == "name"]
    for run in runs(names, tokens, text, Known(index.lookup.initials, index.cues)):
        yield name_span(run, tokens, text, index.cues)
    for match in matches:
        if match.entry.kind != "name":
            phrase = match.entry.phrases[0]
            yield span_of(tokens, match.first, match.last, phrase, phrase.form)


def _certain(match: Match, tokens: Tokens, text: str) -> bool:
    key = match.entry
    if not match.strong:
        return key.kind == "text" and is_street(match, tokens, text)
    if key.text.isdigit() and len(key.text) < SHORTEST_NUMBER:
        return False
    if key.kind == "acronym" or (key.kind == "text" and not key.bounds and _occurs_in_codes(match)):
        return False
    return not all(phrase.label in _NEVER_SWEPT for phrase in match.entry.phrases)


def _occurs_in_codes(match: Match) -> bool:
    """Whether a word is only the name of organisations or staff, which codes contain too."""
    return all(phrase.label in _IN_CODES for phrase in match.entry.phrases)
