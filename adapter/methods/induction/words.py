"""Texts as columns of words, and what a corpus says of its words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.taggers.document.tokens import tokenize
from adapter.taggers.document.unwrapping import unwrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from adapter.taggers.wordlists import Lexicon

BREAK = "<br>"
"""Form of a line break, and of what is before the first and after the last word."""
LEAST = 2
"""Fewest occurrences of a word in some use for that use to count."""
_ORDINARY, _COMMON = 0.1, 0.3
"""Shares in lower case from which a word is ordinary, and from which it continues no name."""
_LABEL, _ABBREVIATION = 0.3, 0.5
"""Shares before a colon, and before a full stop within a line, to be a label or abbreviation."""
_LONGEST_ABBREVIATION = 4
_FUNCTION_WORDS, _FUNCTION_SHARE = 60, 0.2
"""The most frequent lower-case words are function words, if in so many texts."""
_FREQUENT_SHARE = 0.05
"""Share of texts from which a word is frequent."""


Extent = tuple[int, int, str]
"""Of a candidate: first word, end, kind."""


@dataclass(frozen=True, slots=True)
class TextWords:
    """One text: parallel columns, a `BREAK` for each line break and at both ends.

    ``glued[i]``: no space is before word i.
    """

    forms: list[str] = field(repr=False)
    words: list[str] = field(repr=False)
    glued: list[bool] = field(repr=False)

    def __len__(self) -> int:
        return len(self.forms)


def read_words(text: str) -> TextWords:
    """Return the words of a text."""
    text = unwrapped(text)
    tokens = tokenize(text)
    found = TextWords([BREAK], [BREAK], [False])
    last = 0
    for start, end, word in zip(tokens.starts, tokens.ends, tokens.words, strict=True):
        if "\n" in text[last:start]:
            _add(found, BREAK, BREAK, glued=False)
        _add(found, text[start:end], word, glued=start == last > 0)
        last = end
    _add(found, BREAK, BREAK, glued=False)
    return found


def _add(found: TextWords, form: str, word: str, *, glued: bool) -> None:
    found.forms.append(form)
    found.words.append(word)
    found.glued.append(glued)


@dataclass(frozen=True, slots=True)
class WordCounts:
    """The kinds of words that a corpus shows, all folded.

    ``lowered``: seen in lower case; ``ordinary``: often so; ``common``: so often that no name goes
    on with them; ``labels``: before a colon or the full stop of an abbreviation; ``function``: the
    most frequent of all; ``frequent``: lower-case words of many texts.
    """

    lowered: frozenset[str] = field(repr=False)
    ordinary: frozenset[str] = field(repr=False)
    common: frozenset[str] = field(repr=False)
    labels: frozenset[str] = field(repr=False)
    function: frozenset[str] = field(repr=False)
    frequent: frozenset[str] = field(repr=False)

    @classmethod
    def of(cls, texts: Sequence[TextWords], known: AbstractSet[str]) -> WordCounts:
        """Count; ``known`` are ordinary words whatever the corpus says."""
        lower: Counter[str] = Counter()
        every: Counter[str] = Counter()
        spread: Counter[str] = Counter()
        labels: Counter[str] = Counter()
        stopped: Counter[str] = Counter()
        for text in texts:
            small = [w for f, w in zip(text.forms, text.words, strict=True) if f.islower()]
            lower.update(small)
            every.update(text.words)
            spread.update(set(small))
            labels.update(word for word, mark in _marked(text) if mark == ":")
            stopped.update(word for word, mark in _marked(text) if mark == ".")
        listed = known & every.keys()
        short = Counter(
            {w: n for w, n in stopped.items() if n > LEAST and len(w) <= _LONGEST_ABBREVIATION}
        )
        in_many = _in(spread, _FUNCTION_SHARE * len(texts))
        ranked = sorted(lower.items(), key=lambda item: (-item[1], item[0]))
        return cls(
            frozenset(lower) | listed,
            _often(lower, every, _ORDINARY) | listed,
            _often(lower, every, _COMMON) | listed,
            _often(labels, every, _LABEL) | _often(short, every, _ABBREVIATION),
            in_many & {word for word, _ in ranked[:_FUNCTION_WORDS]},
            _in(spread, _FREQUENT_SHARE * len(texts)),
        )


def _in(spread: Counter[str], texts: float) -> frozenset[str]:
    """Words of so many texts."""
    return frozenset(word for word, count in spread.items() if count >= max(LEAST, texts))


def _marked(text: TextWords) -> Iterator[tuple[str, str]]:
    """Yield the words with a capital before a colon, or before a full stop within a line."""
    for form, word, mark, behind in zip(
        text.forms, text.words, text.forms[1:], text.forms[2:], strict=False
    ):
        if form[0].isupper() and (mark == ":" or (mark == "." and behind != BREAK)):
            yield word, mark


def _often(some: Counter[str], every: Counter[str], share: float) -> frozenset[str]:
    """Words of which a share of all occurrences are of some kind."""
    return frozenset(
        word
        for word, count in some.items()
        if word.isalpha() and count >= max(LEAST, share * every[word])
    )


def ordinary_words(lexicons: Mapping[str, Lexicon], language: str) -> frozenset[str]:
    """Ordinary words of a language that are no name of many, and its abbreviations."""

    def listed(kind: str) -> Mapping[str, int]:
        lexicon = lexicons.get(f"{language}-{kind}")
        return {} if lexicon is None else lexicon.strengths

    names = (listed("given"), listed("family"))
    words = (word for word in listed("ordinary") if all(row.get(word, 0) <= 1 for row in names))
    return frozenset((*words, *listed("abbreviation")))
