"""Mentions found in a message's texts, turned into trusted phrases for all its other places.

Only distinctive phrases qualify: numbers of five digits and more, contacts, streets, and names that
are not words of the language. An age, a date, a town or a maker's name is no evidence elsewhere,
because it also occurs in the names of devices and organisms.

Names that a rule is not certain of, or that only a model found, count if they are full names and
one of their words is nothing but somebody's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.normalize.canonical import displayed
from adapter.normalize.folding import fold, squeeze, unspaced
from adapter.priorities import CERTAIN
from adapter.taggers.trusted.full_names import (
    FEWEST_LETTERS,
    FEWEST_WORDS,
    NAMES,
    WORD,
    is_full_name,
    telling,
)
from adapter.types import Label, TrustedPhrase

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from adapter.languages.cues import Cues
    from adapter.taggers.trusted.full_names import Evidence
    from adapter.types import Span

MOST = 2000
"""Maximum number of phrases discovered in one message."""
_NUMBERS = frozenset(label for label in Label if label.category == "ID") | {Label.PHONE, Label.FAX}
_PARTS = {
    **dict.fromkeys(NAMES, "{full}"),
    **dict.fromkeys(_NUMBERS, "{id}"),
    Label.EMAIL: "{email}",
    Label.USERNAME: "{username}",
    Label.STREET: "{street}",
}
_WORDED = NAMES | {Label.STREET, Label.USERNAME}
_CALLED = frozenset({Label.PHONE, Label.FAX})
_GOES_ON = regex.compile(r"[-./]?\d")
_BEGUN = regex.compile(r"\d[-./]?\Z")
"""Text around a part of a longer number: "50580-506" of the drug code 50580-506-02."""
_FEWEST_DIGITS = 5
_FEWEST_SURE_DIGITS = 7
_LONGEST_NUMBER = 48
"""Maximum number of characters in a number; longer text is a row of measurements."""
_BESIDE = 12
"""Characters before a name that are searched for a title."""
_LONGEST = 120
"""Maximum number of characters in any other phrase."""


def discoveries(
    found: Iterable[tuple[str, Sequence[Span]]], known: Container[str], evidence: Evidence
) -> tuple[TrustedPhrase, ...]:
    """Return the phrases of the spans of texts, at most `MOST`.

    ``known`` are the squeezed texts of the message's trusted phrases, which are left out.
    """
    phrases: dict[tuple[str, Label], TrustedPhrase] = {}
    for text, spans in found:
        for span in spans:
            if span.label not in _PARTS:
                continue
            written = displayed(text[span.start : span.end])
            parts = tuple(_parts(text, span, written, evidence))
            if parts and span.label == Label.EMAIL:
                _add_owner(phrases, written, known, evidence.ordinary)
            for part in parts:
                place = squeeze(part), span.label
                if place[0] not in known and len(phrases) < MOST:
                    phrases.setdefault(place, _phrase(part, span))
    return tuple(phrases.values())


def _parts(text: str, span: Span, written: str, evidence: Evidence) -> Iterator[str]:
    """Yield the texts of a mention that count elsewhere; none if nothing supports the mention."""
    ordinary = evidence.ordinary
    if _is_telling(text, span, evidence.cues) or _is_whole_name(text, span, ordinary):
        yield from _distinctive(written, span, ordinary)
    elif is_full_name(text, span, evidence):
        yield written
        yield from filter(evidence.only_name, WORD.findall(written))


def confirmed(text: str, spans: Iterable[Span], evidence: Evidence) -> tuple[Span, ...]:
    """Return the spans in a code's display that count elsewhere: full names and titled names.

    A lone word does not count: makers, reagents and organisms share names with people.
    """
    return tuple(
        span
        for span in spans
        if span.label in NAMES
        and (_is_confirmed(text, span, evidence.cues) or is_full_name(text, span, evidence))
    )


def _is_confirmed(text: str, span: Span, cues: Cues) -> bool:
    """Whether a rule or title supports a name, and it has several words or a title."""
    several = " " in text[span.start : span.end].strip()
    return _is_telling(text, span, cues) and (several or _is_titled(text, span, cues))


def _add_owner(
    phrases: dict[tuple[str, Label], TrustedPhrase],
    address: str,
    known: Container[str],
    ordinary: Container[str],
) -> None:
    """Add the words before the "@" of an e-mail address that may be the owner's name."""
    for word in WORD.findall(address.partition("@")[0]):
        place = squeeze(word), Label.PATIENT
        if telling(word.capitalize(), ordinary) and place[0] not in known and len(phrases) < MOST:
            phrases.setdefault(place, TrustedPhrase(word, Label.PATIENT, "", "{full}"))


def _is_telling(text: str, span: Span, cues: Cues) -> bool:
    """Whether a rule or title supports a name, and a phone number is not part of a longer one."""
    if span.label in _WORDED:
        return _is_sure(span) or _is_titled(text, span, cues)
    if span.label in _CALLED:
        return not (_GOES_ON.match(text, span.end) or _BEGUN.search(text[: span.start][-2:]))
    return True


def _is_whole_name(text: str, span: Span, ordinary: Container[str]) -> bool:
    """Whether a value is nothing but a name of two words, in either order, and both telling."""
    words = WORD.findall(text) if span.label in NAMES else ()
    whole = text[: span.start] + text[span.end :]
    return (
        len(words) == FEWEST_WORDS
        and not any(map(str.isalnum, whole))
        and all(telling(word, ordinary) for word in words)
    )


def _is_sure(span: Span) -> bool:
    """Whether a rule is certain of a mention; models mistake tests and drugs for names."""
    return span.sure or (span.priority >= CERTAIN and not span.learned)


def _is_titled(text: str, span: Span, cues: Cues) -> bool:
    """Whether a title or degree shows that a name is a person's, whichever tagger found it."""
    before = fold(text[max(span.start - _BESIDE, 0) : span.start])
    titled = cues.titled_before.search(before) or cues.titled.match(
        fold(text[span.start : span.end])
    )
    called = cues.called_a_person.search(before) or cues.degree_behind.match(text, span.end)
    return titled is not None or called is not None


def _phrase(text: str, span: Span) -> TrustedPhrase:
    return TrustedPhrase(text, span.label, span.entity or "", _PARTS[span.label])


def _distinctive(text: str, span: Span, ordinary: Container[str]) -> Iterator[str]:
    """Yield the distinctive texts of a mention: the whole, or the distinctive parts of a name."""
    label = span.label
    if label in _NUMBERS:
        digits = sum(map(str.isdigit, text))
        fewest = _FEWEST_DIGITS if _is_sure(span) else _FEWEST_SURE_DIGITS
        if fewest <= digits and len(text) <= _LONGEST_NUMBER:
            yield text
    elif len(text) > _LONGEST:
        return
    elif label in NAMES:
        yield from _names(text, ordinary)
    elif label in {Label.EMAIL, Label.USERNAME}:
        if len(squeeze(text)) >= FEWEST_LETTERS and fold(text) not in ordinary:
            yield text
    else:
        words = WORD.findall(text)
        named = any(telling(word, ordinary) for word in words)
        if named and len(text.split()) >= FEWEST_WORDS:
            yield text


def _names(text: str, ordinary: Container[str]) -> Iterator[str]:
    """Yield a name of several words, and those of its words that are not also common words.

    Letters beside a digit are no word: "Drumm0ndsey".
    """
    words = [
        word[0]
        for word in WORD.finditer(text)
        if not (text[: word.start()][-1:].isdigit() or text[word.end() :][:1].isdigit())
    ]
    named = [word for word in words if telling(word, ordinary)]
    long = [word for word in words if len(word) > 1 or unspaced(word)]
    if len(long) >= FEWEST_WORDS and named:
        yield text
    yield from named
