"""Full names in texts that no rule is certain of: which of them count in all other places.

One word of such a name must be nothing but somebody's name, and the others must be given names or
in no vocabulary: "Roche Cobas" is no name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold, squeeze, unspaced
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from adapter.languages.cues import Cues
    from adapter.types import Span

NAMES = frozenset({Label.PATIENT, Label.DOCTOR})
FEWEST_LETTERS = 5
"""Minimum number of letters in a name that counts by itself."""
FEWEST_WORDS = 2
"""Minimum number of words in a full name."""
_MOST_WORDS = 5
"""Maximum number of words in a full name; more are a list or a sentence."""
_BESIDE = 24
"""Characters before a name that are searched for a word that introduces it."""
WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*(?:['\u2019\u02bc-]\p{L}[\p{L}\p{M}]*)*")
_BEHIND = regex.compile(r"[ ,(]{1,3}(?P<word>\p{L}+)")


def _no(word: str) -> bool:
    del word
    return False


@dataclass(frozen=True, slots=True)
class Evidence:
    """What words say of names: folded words that indicate none, and words beside names.

    ``is_given``: whether a word is listed as a given name; ``is_strange``: whether no vocabulary
    has it; ``is_free``: whether it is a name, but no word, maker or eponym.
    """

    ordinary: Container[str] = field(repr=False)
    cues: Cues = field(repr=False)
    is_given: Callable[[str], bool] = field(default=_no, repr=False)
    is_strange: Callable[[str], bool] = field(default=_no, repr=False)
    is_free: Callable[[str], bool] = field(default=_no, repr=False)

    def only_name(self, word: str) -> bool:
        """Whether a word is long enough, capitalised, and nothing but somebody's name."""
        return telling(word, self.ordinary) and (self.is_strange(word) or self.is_free(word))


def telling(word: str, ordinary: Container[str]) -> bool:
    """Whether a word is long enough, capitalised and not ``ordinary``."""
    if unspaced(word):
        return len(word) >= FEWEST_WORDS
    return len(squeeze(word)) >= FEWEST_LETTERS and word[0].isupper() and fold(word) not in ordinary


def is_full_name(text: str, span: Span, evidence: Evidence) -> bool:
    """Whether a mention is a full name, one word of which is nothing but a name.

    A model's mention must also have a word beside it that only people have: "by", "mother", "says".
    """
    if span.label not in NAMES or (span.learned and not _is_introduced(text, span, evidence.cues)):
        return False
    words = [word for word in WORD.findall(text[span.start : span.end]) if word[0].isupper()]
    long = [word for word in words if len(word) > 1]
    if not FEWEST_WORDS <= len(long) <= _MOST_WORDS:
        return False
    rest = [word for word in long if not evidence.only_name(word)]
    return len(rest) < len(long) and all(
        evidence.is_given(word) or evidence.is_strange(word) for word in rest
    )


def _is_introduced(text: str, span: Span, cues: Cues) -> bool:
    """Whether the words beside a mention show that it is a person."""
    if cues.introduced.search(text, max(0, span.start - _BESIDE), span.start):
        return True
    behind = _BEHIND.match(text, span.end)
    return behind is not None and fold(behind["word"]) in cues.actions
