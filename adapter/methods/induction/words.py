"""Texts as columns of words, and the kinds of words that a corpus shows."""

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
"""Form of a line break, also before the first word and after the last."""
LEAST = 2
"""Fewest occurrences of a word in a use for that use to count."""
_ORDINARY, _COMMON = 0.1, 0.3
"""Least shares in lower case of an ordinary word, and of a word that continues no name."""
_LABEL, _ABBREVIATION = 0.3, 0.5
"""Least shares before a colon of a label, and before an inner full stop of an abbreviation."""
_LONGEST_ABBREVIATION = 4
_FUNCTION_WORDS, _FUNCTION_SHARE = 60, 0.2
"""Number of most frequent lower-case words that are function words; least share of texts."""
_FREQUENT_SHARE = 0.05
"""Least share of texts that contain a frequent word."""


Extent = tuple[int, int, str]
"""(first word, end, kind) of a candidate."""


@dataclass(frozen=True, slots=True)
class TextWords:
    """The words of one text in parallel columns, with `BREAK` at line breaks and both ends.

    ``forms`` are the words as written, ``words`` folded; ``glued[i]`` says that no space precedes
    word i.
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
    """The kinds of words that a corpus shows, as folded words.

    ``lowered``: words seen in lower case; ``ordinary``: often in lower case; ``common``: so often
    in lower case that they never continue a name; ``labels``: before a colon or the full stop of an
    abbreviation; ``function``: the most frequent of all; ``frequent``: lower-case words of many
    texts.
    """

    lowered: frozenset[str] = field(repr=False)
    ordinary: frozenset[str] = field(repr=False)
    common: frozenset[str] = field(repr=False)
    labels: frozenset[str] = field(repr=False)
    function: frozenset[str] = field(repr=False)
    frequent: frozenset[str] = field(repr=False)

    @classmethod
    def of(cls, texts: Sequence[TextWords], known: AbstractSet[str]) -> WordCounts:
        """Count the words of texts; ``known`` are ordinary words regardless of the corpus."""
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
    """Return the words that occur in at least ``texts`` texts."""
    return frozenset(word for word, count in spread.items() if count >= max(LEAST, texts))


def _marked(text: TextWords) -> Iterator[tuple[str, str]]:
    """Yield (capitalised word, mark) for words before a colon or an inner full stop."""
    for form, word, mark, behind in zip(
        text.forms, text.words, text.forms[1:], text.forms[2:], strict=False
    ):
        if form[0].isupper() and (mark == ":" or (mark == "." and behind != BREAK)):
            yield word, mark


def _often(some: Counter[str], every: Counter[str], share: float) -> frozenset[str]:
    """Return the words of which at least ``share`` of all occurrences are counted in ``some``."""
    return frozenset(
        word
        for word, count in some.items()
        if word.isalpha() and count >= max(LEAST, share * every[word])
    )


def ordinary_words(lexicons: Mapping[str, Lexicon], language: str) -> frozenset[str]:
    """Return a language's ordinary words that are not common names, and its abbreviations."""

    def listed(kind: str) -> Mapping[str, int]:
        lexicon = lexicons.get(f"{language}-{kind}")
        return {} if lexicon is None else lexicon.strengths

    names = (listed("given"), listed("family"))
    words = (word for word in listed("ordinary") if all(row.get(word, 0) <= 1 for row in names))
    return frozenset((*words, *listed("abbreviation")))
