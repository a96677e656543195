"""Words that only one of the configured languages has: evidence in texts of few frequent words.

A list of findings ("alte Fraktur, dicke Wand") has no frequent words of any language, but its words
are in the word lists of one language only. A word with a capital may be a name, so it counts less;
names of towns do not count, because the word lists of some languages have them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

SMALL, CAPITAL = 2, 1
"""Points of a word in lower case, and of one that begins with a capital."""

FREQUENT = 4
"""Points by frequent words that show a language without its words in lower case: two words, since
one may be a particle of a name ("de")."""
TIMES = 2
"""How many times the points of every other language a language must have in a mixed text."""

_WORD = re.compile(r"(?<![\w@./'-])[^\W\d_]{4,}(?![\w@/'-])")


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The word lists of each configured language, folded, in the order of the languages."""

    lists: tuple[tuple[Container[str], ...], ...] = field(default=(), repr=False)
    towns: tuple[Container[str], ...] = field(default=(), repr=False)
    """Lists of names of towns, folded."""

    def __bool__(self) -> bool:
        """Whether any language has word lists."""
        return any(self.lists)

    def __contains__(self, word: str) -> bool:
        """Whether a folded word is in a list of any language."""
        return any(word in row for rows in self.lists for row in rows)

    def points(
        self, text: str, counted: Container[str] = ()
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return each language's points by its words in lower case, and by those with a capital.

        Words that are ``counted`` already give none.
        """
        small, capital = ([0] * len(self.lists) for _ in range(2))
        for word in sorted(set(_WORD.findall(text))):
            owner = None if word.lower() in counted else self._owner(fold(word))
            if owner is None:
                continue
            if word.islower():
                small[owner] += SMALL
            else:
                capital[owner] += CAPITAL
        return tuple(small), tuple(capital)

    def _owner(self, word: str) -> int | None:
        """Return the number of the only language whose lists have a folded word, or None."""
        owners = [
            number for number, rows in enumerate(self.lists) if any(word in row for row in rows)
        ]
        if len(owners) != 1 or any(word in row for row in self.towns):
            return None
        return owners[0]


def decided(
    points: Sequence[int],
    frequent: Sequence[int],
    own: tuple[Sequence[int], Sequence[int]],
    near: Container[int],
    lead: tuple[int, int],
) -> int:
    """Return the number of a text's language where its frequent words and endings decide nothing.

    ``points`` are each language's, those by ``frequent`` words, and those by its ``own`` words. A
    language other than the first needs a lead over every other one, and frequent words or one
    that is not written like a name. The second ``lead`` is enough for the languages ``near``, which
    are spoken in the country of the message; their words may be written like names.
    """
    small, capital = own
    totals = [sum(each) for each in zip(points, small, capital, strict=True)]
    best = max(range(len(totals)), key=totals.__getitem__)
    others = max(total for number, total in enumerate(totals) if number != best)
    if best in near:
        return best if totals[best] >= others + lead[1] else 0
    sure = small[best] > 0 or frequent[best] >= FREQUENT
    clear = totals[best] >= max(others + lead[0], others * TIMES)
    return best if sure and clear else 0
