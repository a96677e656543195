"""What the CRF taggers see of a text: a row of features for each token and line break.

The features of Lee 2017 (section 2.4) and Szarvas 2006 (section 3.1): the word and its neighbours,
shapes, affixes, classes, clusters, commonness, lists, section, attribute, place in line and text,
and what rules and trusted phrases say, here and of the same word elsewhere in the text. Each of
`GROUPS` can be left out. A line break is a token of its own, so that layout is context.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.folding import fold
from adapter.taggers.evidence import evidence
from adapter.taggers.layout import layout
from adapter.taggers.units import BREAK, units

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from adapter.taggers.document import Document
    from adapter.taggers.units import Units
    from adapter.taggers.wordbook import Wordbook
    from adapter.taggers.wordlists import Lexicon
    from adapter.types import Span, Veto

GROUPS = (
    "word", "shape", "class", "affix", "ngram", "cluster", "frequency", "lexicon", "memory",
    "rules", "trusted", "section", "attribute", "line", "place", "quotes",
)  # fmt: skip
"""Groups of features; see `Featurizer`."""
REACH = 3
"""Tokens to either side whose words are seen."""

_CLASSES = (
    ("year", re.compile(r"(?:19|20)\d\d")),
    ("roman", re.compile(r"[IVX]+")),
    ("dd", re.compile(r"\d\d?")),
    ("d5", re.compile(r"\d{5}")),
    ("d6+", re.compile(r"\d{6,}")),
    ("digits", re.compile(r"\d+")),
    ("initial", re.compile(r"[^\W\d_a-z]")),
    ("lower", re.compile(r"[^\W\d_A-Z]{2,}")),
    ("mark", re.compile(r"[\W_]")),
)
_UPPER, _LOWER = re.compile(r"[^\W\d_a-zß-öø-ÿ]"), re.compile(r"[^\W\d_A-Z]")
_DIGIT = re.compile(r"\d")
_REPEATED = re.compile(r"(.)\1+")
_AFFIX = 4
_LONGEST_WORD = 24

Row = list[str]
Kind = tuple[tuple[str, ...], ...]
"""The features that a form gives to the tokens around it, by offset from ``-REACH`` on."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Features of the units of one text.

    ``kinds[i]`` is what the form of unit i gives, by offset, to the units around it; ``extras[i]``
    what unit i has from its place in this text alone.
    """

    units: Units
    kinds: list[Kind] = field(repr=False)
    extras: list[Row] = field(repr=False)

    def strings(self) -> list[Row]:
        """All features of each unit, as CRFsuite learns from them."""
        return [extra + _window(self.kinds, i) for i, extra in enumerate(self.extras)]


class Featurizer:
    """Turns a document and what rules found in it into rows of features; a pure function.

    ``lexicons`` are by the name that features show ("given", "city"), ``groups`` those of `GROUPS`
    that are on. What a form alone gives is kept, so that it is worked out once.
    """

    def __init__(
        self,
        lexicons: Mapping[str, Lexicon],
        wordbook: Wordbook,
        groups: Collection[str] = GROUPS,
    ) -> None:
        """Take what forms are looked up in."""
        self.groups = frozenset(groups)
        self._lexicons = sorted(lexicons.items()) if "lexicon" in self.groups else []
        self._phrases = [(name, lexicon) for name, lexicon in self._lexicons if lexicon.lengths]
        self._wordbook = wordbook
        self._kinds: dict[str, Kind] = {}

    def rows(self, document: Document, found: Iterable[Span | Veto] = ()) -> Rows:
        """Return the features of each unit of document, given what rules ``found`` in it."""
        sequence = units(document)
        kinds = [self._kind(form) for form in sequence.forms]
        extras = layout(document, sequence, self.groups)
        hints = evidence(sequence, found, self.groups)
        hits = self._hits(sequence.words)
        around = _Around(hints, hits)
        grams = _Grams(sequence) if "ngram" in self.groups else None
        for place, extra in enumerate(extras):
            extra.extend(around.at(place))
            if grams is not None:
                extra.extend(grams.at(place))
        return Rows(sequence, kinds, extras)

    def _hits(self, words: Sequence[str]) -> list[list[str]]:
        """The lists whose items of several tokens stand at each place, first or within."""
        hits: list[list[str]] = [[] for _ in words]
        for name, lexicon in self._phrases:
            lengths = lexicon.lengths
            end = 0
            for place, word in enumerate(words):
                if place >= end and word in lengths:
                    length = lexicon.longest(words, place)
                    if length > 1:
                        end = place + length
                        hits[place].append(f"x={name}:B")
                        for inner in range(place + 1, end):
                            hits[inner].append(f"x={name}:I")
        return hits

    def _kind(self, form: str) -> Kind:
        kind = self._kinds.get(form)
        if kind is None:
            if len(self._kinds) > _MOST_KINDS:
                self._kinds.clear()
            kind = self._kinds[form] = self._described(form)
        return kind

    def _described(self, form: str) -> Kind:
        if form in BREAK:
            return tuple((f"w{o}={form}",) for o in range(-REACH, REACH + 1))
        word = fold(form)
        near = self._near(form, word)
        shown = {0: near + self._own(form, word), 1: near, 2: self._far(form)}
        columns = []
        for offset in range(-REACH, REACH + 1):
            atoms = (f"w{offset}={word[:_LONGEST_WORD]}",) if "word" in self.groups else ()
            columns.append(atoms + tuple(f"{offset}{atom}" for atom in shown.get(abs(offset), ())))
        return tuple(columns)

    def _own(self, form: str, word: str) -> list[str]:
        """What only the token itself sees of its form."""
        found = []
        if "shape" in self.groups:
            found.append(f"sl={long_shape(form)}")
        if "affix" in self.groups:
            found += [f"p{n}={word[:n]}" for n in range(1, _AFFIX + 1) if n < len(word)]
            found += [f"s{n}={word[-n:]}" for n in range(1, _AFFIX + 1) if n < len(word) and n != 3]  # noqa: PLR2004
        if "cluster" in self.groups:
            bits = self._wordbook.cluster(form)
            found += [f"k{n}={bits[:n]}" for n in (4, 10) if bits]
        if "frequency" in self.groups:
            found += self._commonness(form)
        return found

    def _near(self, form: str, word: str) -> list[str]:
        """What the token and its neighbours see of its form."""
        found = []
        if "shape" in self.groups:
            found.append(f"s={shape(form)}")
        if "class" in self.groups:
            found += [f"c={name}" for name, pattern in _CLASSES if pattern.fullmatch(form)]
        if "affix" in self.groups:
            found.append(f"s3={word[-3:]}")
        if "cluster" in self.groups:
            bits = self._wordbook.cluster(form)
            found += [f"k={bits}", f"k6={bits[:6]}"] if bits else ["k=?"]
        return found + self._listed(word)

    def _listed(self, word: str) -> list[str]:
        """The lists that have a word, with its strength or its classes."""
        found = []
        for name, lexicon in self._lexicons:
            if word in lexicon.classes:
                found += [f"x={name}.{each}" for each in lexicon.classes[word]]
            elif word in lexicon.strengths:
                found.append(f"x={name}{_strength(lexicon.strengths[word])}")
        return found

    def _cued(self, word: str) -> list[str]:
        return [
            f"x={name}.{each}"
            for name, lexicon in self._lexicons
            for each in lexicon.classes.get(word, ())
        ]

    def _far(self, form: str) -> list[str]:
        """What tokens two away see of its form."""
        found = []
        if "shape" in self.groups:
            found.append(f"s={shape(form)}")
        if "cluster" in self.groups:
            found.append(f"k6={self._wordbook.cluster(form)[:6]}")
        return found + self._cued(fold(form))

    def _commonness(self, form: str) -> list[str]:
        book = self._wordbook
        own, lower = book.band(form), book.band(form.lower())
        capital = book.band(form.capitalize())
        return [f"f={own}", f"fl={lower}", f"fr={max(-4, min(4, capital - lower))}"]


_MOST_KINDS = 50_000
"""Forms whose features are kept."""


def _window(kinds: Sequence[Kind], place: int) -> list[str]:
    found: list[str] = []
    first = max(0, place - REACH)
    for other in range(first, min(len(kinds), place + REACH + 1)):
        found += kinds[other][REACH + other - place]
    return found


class _Around:
    """What lists, rules and phrases say of a unit, as it and its neighbours see it."""

    def __init__(self, hints: Sequence[list[str]], hits: Sequence[list[str]]) -> None:
        self._said = [a + b if b else a for a, b in zip(hints, hits, strict=True)]

    def at(self, place: int) -> list[str]:
        said = self._said
        found = list(said[place])
        if place and said[place - 1]:
            found += [f"-1{atom}" for atom in said[place - 1]]
        if place + 1 < len(said) and said[place + 1]:
            found += [f"+1{atom}" for atom in said[place + 1]]
        return found


class _Grams:
    """Pairs and triples of words and of shapes."""

    def __init__(self, sequence: Units) -> None:
        edge = ["", ""]
        self._words = edge + [word[:_LONGEST_WORD] for word in sequence.words] + edge
        self._shapes = edge + [shape(form) for form in sequence.forms] + edge

    def at(self, place: int) -> list[str]:
        b, a, w, y, z = self._words[place : place + 5]
        q, r, s, t, u = self._shapes[place : place + 5]
        return [
            f"ab={b}|{a}", f"aw={a}|{w}", f"wy={w}|{y}", f"yz={y}|{z}", f"ay={a}|{y}",
            f"rs={r}|{s}", f"st={s}|{t}", f"rst={r}|{s}|{t}", f"qrs={q}|{r}|{s}",
            f"stu={s}|{t}|{u}",
        ]  # fmt: skip


def _strength(strength: int) -> str:
    """A list's strength in three steps."""
    if strength <= 1:
        return ""
    return "+" if strength < 6 else "++"  # noqa: PLR2004


def long_shape(form: str) -> str:
    """A form with its letters as X or x and its digits as 0: "McKay1" -> "XxXxx0"."""
    return _LOWER.sub("x", _UPPER.sub("X", _DIGIT.sub("0", form)))[:12]


def shape(form: str) -> str:
    """The same with repetitions once: "McKay1" -> "XxXx0"."""
    return _REPEATED.sub(r"\1", long_shape(form))
