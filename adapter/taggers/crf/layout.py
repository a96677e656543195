"""Layout features: gap, line, section, attribute, quotes and position of each token."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from adapter.taggers.crf.feature_layers import Layer
from adapter.taggers.crf.tokens import BREAK

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from adapter.taggers.crf.tokens import Columns, SequenceTokens
    from adapter.taggers.document.document import Document

_FIFTHS = 5
_QUOTES = frozenset('"“”«»„')
_BULLETS = frozenset("-*•·+>")
_LENGTHS = (3, 8, 16, 40)

Features = tuple[str, ...]


def layout(document: Document, sequence: SequenceTokens, groups: Collection[str]) -> list[Layer]:
    """Return the layout layers of the groups that are on."""
    gaps, count = sequence.gaps, len(sequence)
    layers = [Layer("gap", list(pairwise((*gaps, ""))), _gap)]
    if "line" in groups:
        lines, places = _lines(sequence.forms)
        layers += Layer("line", lines, _as_they_are), Layer("in line", places, _as_they_are)
    if "section" in groups:
        layers.append(Layer("section", _sections(document, sequence), _section))
    if "attribute" in groups and document.attributes:
        layers.append(Layer("attribute", _attributes(document, sequence), _as_they_are))
    if "place" in groups:
        fifths = [place * _FIFTHS // count for place in range(count)]
        layers.append(Layer("place", fifths, _fifth))
    if "quotes" in groups and not _QUOTES.isdisjoint(sequence.forms):
        layers.append(Layer("quotes", _quotes(sequence.forms), _as_they_are))
    return layers


def _as_they_are(features: Features) -> Columns:
    return (features,)


def _gap(around: tuple[str, str]) -> Columns:
    before, after = around
    return ((f"g={before}", f"g+={after}") if after else (f"g={before}",),)


def _section(name: str) -> Columns:
    return ((f"h={name}",),)


def _fifth(number: int) -> Columns:
    return ((f"d={number}",),)


def _lines(forms: Sequence[str]) -> tuple[list[Features], list[Features]]:
    """Return features of each token's line, and of the token's position in it."""
    lines: list[Features] = []
    places: list[Features] = []
    breaks = [place for place, form in enumerate(forms) if form in BREAK]
    first = 0
    for last in (*breaks, len(forms)):
        length = last - first
        if length:
            lines += [_line(forms[first:last])] * length
            places += _in_line(length)
        if last < len(forms):
            lines.append(())
            places.append(())
        first = last + 1
    return lines, places


def _line(forms: Sequence[str]) -> Features:
    features = [f"ll={bisect_left(_LENGTHS, len(forms))}", f"l0={forms[0].lower()[:12]}"]
    if forms[-1] == ":":
        features.append("colon")
    if forms[0] in _BULLETS or (len(forms) > 1 and forms[0].isdigit() and forms[1] in ".)"):
        features.append("item")
    letters = "".join(form for form in forms if form.isalpha())
    if letters.isupper():
        features.append("shout")
    elif letters.islower():
        features.append("quiet")
    return tuple(features)


@lru_cache(maxsize=256)
def _in_line(length: int) -> tuple[Features, ...]:
    """Return the position features of the tokens of a line."""
    return tuple(
        (f"lp={min(place, 4)}", f"le={min(length - 1 - place, 3)}") for place in range(length)
    )


def _sections(document: Document, sequence: SequenceTokens) -> list[str]:
    starts, count = sequence.starts, len(sequence)
    known = [("", 0), *((one.name, bisect_left(starts, one.start)) for one in document.sections)]
    names: list[str] = []
    for (name, first), (_, last) in pairwise((*known, ("", count))):
        names += [name] * (last - first)
    return names


def _attributes(document: Document, sequence: SequenceTokens) -> list[Features]:
    features: list[Features] = [()] * len(sequence)
    for attribute in document.attributes:
        key = bisect_left(sequence.starts, attribute.key_start)
        first = bisect_left(sequence.starts, attribute.start)
        last = bisect_left(sequence.starts, attribute.end)
        for place in range(key, first):
            features[place] += ("akey",)
        for place in range(first, last):
            features[place] += (f"a={attribute.name}", f"ap={min(place - first, 3)}")
    return features


def _quotes(forms: Sequence[str]) -> list[Features]:
    inside = False
    features: list[Features] = []
    for form in forms:
        if form in _QUOTES:
            inside = not inside
            features.append(())
        else:
            inside = inside and form not in BREAK
            features.append(("quoted",) if inside else ())
    return features
