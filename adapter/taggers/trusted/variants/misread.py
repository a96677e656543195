"""Known names in which optical recognition has put digits for letters: "Drumm0ndsey"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.types import TrustedPhrase

SHORTEST = 6
"""Minimum number of letters in a name that is looked for with digits in it."""
_LETTERS_PER_DIGIT = 2
_DIGITS = "0158"
_MIXED = regex.compile(
    rf"(?<![\p{{L}}\p{{N}}])(?=[\p{{L}}'-]{{0,39}}[{_DIGITS}])"
    rf"(?=[\p{{L}}{_DIGITS}])[\p{{L}}{_DIGITS}'-]{{{SHORTEST},40}}"
    rf"(?<=[\p{{L}}{_DIGITS}])(?![\p{{L}}\p{{N}}])"
)
_LOOK_ALIKE = str.maketrans("oilsb", "01158", "'-")
"""Letters and the digits that are read for them; marks within names are left out."""


def misread_names(
    folded: str, names: Mapping[str, Sequence[TrustedPhrase]]
) -> Iterator[tuple[int, int, TrustedPhrase]]:
    """Yield (start, end, phrase) of words of letters and digits that look like a known name."""
    words = [word for word in _MIXED.finditer(folded) if _is_mixed(word[0])]
    if not words:
        return
    known: dict[str, TrustedPhrase] = {}
    for name, phrases in names.items():
        if len(name) >= SHORTEST:
            known.setdefault(name.translate(_LOOK_ALIKE), phrases[0])
    for word in words:
        written = word[0].removesuffix("'s")
        phrase = known.get(written.translate(_LOOK_ALIKE))
        if phrase is not None:
            yield word.start(), word.start() + len(written), phrase


def _is_mixed(word: str) -> bool:
    """Whether a word has digits, and at least twice as many letters."""
    digits = sum(map(str.isdigit, word))
    return 0 < digits and digits * _LETTERS_PER_DIGIT <= sum(map(str.isalpha, word))
