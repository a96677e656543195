"""Two common words on both sides of a line end that spell a known value by chance stay.

"Discharge is white / Head circumference 34 cm" names no Whitehead: the second line begins with a
capital. In lines of one case, the first must also be shorter than the second, as no line is where a
full one is broken; and no title, verb or other name may be beside the words.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

import regex

from adapter.priorities import PHRASE
from adapter.taggers.trusted.context import titled
from adapter.types import Veto

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from adapter.languages.cues import Cues
    from adapter.taggers.document.tokens import Tokens
    from adapter.types import Span

RULE = "line-end"
"""The rule of vetoes over two words that a line end separates."""
SURE = PHRASE + 1
"""Priority of these vetoes, to which trusted phrases yield."""
_GAP = regex.compile(r"[ \t]*\r?\n[ \t]*")
_MARKS = frozenset(".,")
_REACH = 40


class Beside(NamedTuple):
    """The words beside names, the folded names of the message, and which words are common."""

    cues: Cues
    names: Container[str]
    is_common: Callable[[str], bool]

    def __repr__(self) -> str:
        """Show no text."""
        return "Beside()"


def line_ends(spans: Iterable[Span], tokens: Tokens, text: str, beside: Beside) -> Iterator[Veto]:
    """Yield vetoes over spans of trusted phrases that are two words in lines of their own."""
    for span in spans:
        if "\n" not in text[span.start : span.end]:
            continue
        first = bisect_left(tokens.starts, span.start)
        gap = text[tokens.ends[first] : tokens.starts[first + 1]]
        if tokens.ends[first + 1] != span.end or not _GAP.fullmatch(gap):
            continue
        common = all(map(beside.is_common, tokens.words[first : first + 2]))
        if common and _apart(first, tokens, text, beside):
            yield Veto(span.start, span.end, RULE, frozenset(), SURE)


def _apart(first: int, tokens: Tokens, text: str, beside: Beside) -> bool:
    """Whether the second of two words begins a line of its own, rather than ends a broken name."""
    one, other = (text[tokens.starts[at] : tokens.ends[at]] for at in (first, first + 1))
    if one.islower() and other.istitle():
        return not _is_named(first, tokens, text, beside)
    if not (one.islower() and other.islower()) and not (one.isupper() and other.isupper()):
        return False
    return _is_short(first, tokens, text, beside.cues) and not _is_named(
        first, tokens, text, beside
    )


def _is_named(first: int, tokens: Tokens, text: str, beside: Beside) -> bool:
    """Whether a title, the name of a field or another name is beside two words."""
    start, cues = tokens.starts[first], beside.cues
    if titled(first, tokens, cues) or cues.field_before.search(text, max(0, start - _REACH), start):
        return True
    return any(word in beside.names for word in _neighbours(first, tokens.words))


def _neighbours(first: int, words: list[str]) -> tuple[str, str]:
    """Return the words before and behind two words, over one mark; "" where there is none."""
    before, behind = first - 1, first + 2
    before -= before > 0 and words[before] in _MARKS
    behind += behind < len(words) - 1 and words[behind] in _MARKS
    return words[before] if before >= 0 else "", words[behind] if behind < len(words) else ""


def _is_short(first: int, tokens: Tokens, text: str, cues: Cues) -> bool:
    """Whether a line of several words is shorter than the next, and nobody is said to act."""
    start, end, second = tokens.starts[first], tokens.ends[first], tokens.starts[first + 1]
    begin = text.rfind("\n", 0, start) + 1
    if not text[begin:start].strip() or cues.introduced.search(text, max(0, start - _REACH), start):
        return False
    next_end = text.find("\n", second)
    longest = (next_end if next_end >= 0 else len(text)) - second
    follower = tokens.words[first + 2] if first + 2 < len(tokens) else ""
    return end - begin < longest and follower not in cues.actions
