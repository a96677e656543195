r"""What the matches of a regex may begin with, so that it is tried only where the text does.

``(?:Ann[ ]Arbor|Paris'?s?)\b`` begins with "ann" or "par". Literal text, alternatives, small sets
and repetitions are followed; at anything else the beginning ends, and it is shorter than it might
be. A regex whose matches may begin in too many ways has no beginnings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.normalize.folding import fold
from adapter.taggers.document.document import BEGINNINGS

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

MOST = 400
"""Maximum number of beginnings of one regex."""
_MOST_PAIRS = 10_000
_LONGEST, _SHORTEST = max(BEGINNINGS), min(BEGINNINGS)
_TOKEN = re.compile(
    r"""
    (?P<blank>\s|\#[^\n]*)
    |(?P<around>\(\?<?[=!])
    |(?P<group>\((?:\?(?:P?<\w+>|[a-z]*:|>)|(?!\?)))
    |(?P<close>\))
    |(?P<or>\|)
    |(?P<times>(?:(?P<often>[*+?])|\{(?P<least>[0-9]*)(?:,[0-9]*)?\})[+?]?)
    |\[(?P<set>\^?\]?(?:\\.|[^\]\\])*)\]
    |(?P<edge>\\[bBAZmM]|[\^$])
    |\\(?P<mark>[^\w\s])
    |(?P<other>\\[pP]\{[^}]*\}|\\.|\.)
    |(?P<word>[^\W_]{2,}(?![*+?{]))
    |(?P<char>[^(])
    """,
    re.VERBOSE | re.DOTALL,
)
_SMALL = re.compile(r"(?:[^\\^\[\]&-]|\\[^\w\s])+")
"""A set that lists its characters."""


@dataclass(frozen=True, slots=True)
class _Beginnings:
    """Strings with which text begins; what follows in the regex goes on with those in ``open``."""

    known: frozenset[str] = field(repr=False)
    open: frozenset[str] = field(repr=False)

    def then(self, other: _Beginnings) -> _Beginnings:
        """Return the beginnings of these and, directly behind them, others."""
        if not self.open:
            return self
        if len(self.open) * (len(other.known) + len(other.open)) > _MOST_PAIRS:
            return _Beginnings(self.known | self.open, frozenset())
        ended = {(own + more)[:_LONGEST] for own in self.open for more in other.known}
        joined = {(own + more)[:_LONGEST] for own in self.open for more in other.open}
        full = {text for text in joined if len(text) == _LONGEST}
        return _Beginnings(self.known | ended | full, frozenset(joined - full))

    def or_else(self, other: _Beginnings) -> _Beginnings:
        """Return the beginnings of either."""
        return _Beginnings(self.known | other.known, self.open | other.open)


_ANYTHING = _Beginnings(frozenset({""}), frozenset())
_NOTHING = _Beginnings(frozenset(), frozenset({""}))
_NEVER = _Beginnings(frozenset(), frozenset())


@lru_cache(maxsize=1024)
def beginnings(source: str) -> frozenset[str] | None:
    """Return the folded first characters of all matches of a verbose regex, or None.

    They are as many as possible of the lengths `BEGINNINGS`, and none begins with another.
    """
    tokens = list(_tokens(source))
    if None in tokens:
        return None
    found = _alternatives(token for token in tokens if token is not None)
    texts = found.known | found.open
    if len(texts) > MOST or any(len(text) < _SHORTEST for text in texts):
        return None
    return frozenset(text for text in texts if not _is_begun(text, texts))


def _is_begun(text: str, texts: Container[str]) -> bool:
    """Whether one of the texts is a part of a text, from its first character on."""
    return any(text[:length] in texts for length in range(_SHORTEST, len(text)))


def _tokens(source: str) -> Iterator[re.Match[str] | None]:
    """Yield the tokens of a regex; None for one that is not understood."""
    place = 0
    while place < len(source):
        token = _TOKEN.match(source, place)
        place = token.end() if token else len(source)
        if token is None or not token["blank"]:
            yield token


def _alternatives(tokens: Iterator[re.Match[str]]) -> _Beginnings:
    """Return the beginnings of a regex or a group, up to where it is closed."""
    found, run, last = _NEVER, _NOTHING, _NOTHING
    for token in tokens:
        if token["close"]:
            break
        if token["times"]:
            last = _repeated(last, token)
            continue
        run, last = run.then(last), _NOTHING
        if token["or"]:
            found, run = found.or_else(run), _NOTHING
        elif token["around"]:
            _alternatives(tokens)
        elif not token["edge"]:
            last = _alternatives(tokens) if token["group"] else _one(token)
    return found.or_else(run.then(last))


def _one(token: re.Match[str]) -> _Beginnings:
    """Return the beginnings of a word, a character or a set."""
    if token["word"]:
        return _Beginnings(frozenset(), frozenset({fold(token["word"])}))
    chars = token["set"]
    if chars is not None:
        small = _SMALL.fullmatch(chars)
        listed = chars.replace("\\", "") if small else ""
    else:
        listed = token["char"] or token["mark"] or ""
    return _Beginnings(frozenset(), frozenset(map(fold, listed))) if listed else _ANYTHING


def _repeated(item: _Beginnings, token: re.Match[str]) -> _Beginnings:
    """Return the beginnings of an item that a quantifier repeats."""
    often, least = token["often"], token["least"]
    if often == "?":
        return item.or_else(_NOTHING)
    more = item.then(_ANYTHING)
    return more.or_else(_NOTHING) if often == "*" or least in {"", "0"} else more
