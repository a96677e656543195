"""The tagger of values in known ``attribute: value`` pairs (Lee 2017, section 2.3)."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import regex

from adapter.taggers.document.columns import tabled
from adapter.taggers.document.heads import HEAD, PLACE, WORDS
from adapter.types import Label, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.taggers.document.columns import Cell
    from adapter.taggers.document.document import Document
    from adapter.taggers.document.meanings import Meaning
    from adapter.taggers.document.resources import Resources, WordSet
    from adapter.taggers.document.sections import Attribute
    from adapter.taggers.trusted.index import PhraseIndex


_SHORT = 2
"""Letters of the name of a test ("K", "Na") that are nobody's initials in its column."""
_DECIMAL = regex.compile(r"[0-9]{1,3}[.,][0-9]{1,2}")
_RUN = regex.compile(r"\S+")
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}'-]*")
_NOBODY = frozenset(
    label for label in Label if label.category in ("NAME", "LOCATION", "PROFESSION")
)
"""Labels of what a cell of words that are a disease, drug or eponym is not."""


_VETOED = frozenset(
    {
        Label.DATE, Label.AGE, Label.PHONE, Label.FAX, Label.ZIP, Label.SSN, Label.IDNUM,
        Label.MEDICALRECORD, Label.ACCOUNT, Label.HEALTHPLAN, Label.LICENSE, Label.DEVICE,
    }
)  # fmt: skip


class AttributeTagger:
    """Labels the values of known attributes, and vetoes values that are never mentions."""

    PRIORITY = 70
    CELL = 80
    """Priority of a veto over a cell that its column shows to name nobody: above what is learned,
    below names of the message."""
    trusting = False

    def __init__(self, resources: Resources) -> None:
        """Take the language's section rules and lexicons; one that it lacks has no words."""
        self._rules = resources.sections
        self._outside = {
            meaning.source: _lexicons(meaning.outside, resources)
            for meaning in chain(
                self._rules.meanings.values(),
                self._rules.heads.meanings(),
                (WORDS,),
            )
            if meaning.outside
        }
        self._names = _lexicons(("given", "family"), resources)

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return a span or veto for each attribute whose value has the shape its rule requires."""
        del phrases
        return self.find(document)

    def find(self, document: Document) -> list[Span | Veto]:
        """Return a span or veto for each attribute of the document with a suitable value."""
        found = (
            self._verdict(self._rules.meanings[attribute.name], attribute, document)
            for attribute in document.attributes
        )
        read = tabled(document.text, self._rules.heads)
        columns = chain.from_iterable(self._in_column(cell, document) for cell in read)
        return [*(item for item in found if item is not None), *columns]

    def _in_column(self, cell: Cell, document: Document) -> Iterator[Span | Veto]:
        """Yield the mention in a cell of a known column, or the veto of one that names nobody.

        A number is what its column says: the vetoes of other labels are for what is learned.
        """
        meaning = cell.meaning
        if meaning is HEAD:
            yield Veto(cell.start, cell.end, meaning.source, _NOBODY, self.CELL, cuts=True)
            return
        if meaning.label is None and meaning.outside:
            text = document.folded[cell.start : cell.end]
            if text and self._is_outside(text, meaning):
                yield Veto(cell.start, cell.end, meaning.source, _NOBODY, self.CELL, cuts=True)
            if meaning.shape is None:
                return
        found = self._verdict(meaning, cell, document)
        if found is None and meaning.label is Label.IDNUM:
            found = self._verdict(PLACE, cell, document)
        if isinstance(found, Veto):
            yield replace(found, labels=_VETOED | _NOBODY, priority=self.CELL, cuts=True)
        elif found is not None and not self._is_decimal(found, cell, document):
            yield found
            if found.label in _VETOED:
                rest = _VETOED - {found.label}
                yield Veto(found.start, found.end, meaning.source, rest, self.CELL, cuts=True)

    def _is_decimal(self, found: Span, cell: Cell, document: Document) -> bool:
        """Whether a number of somebody is written with decimals, as a value is."""
        decimal = _DECIMAL.fullmatch(document.text, cell.start, cell.end) is not None
        return decimal and found.label.category == "ID"

    def _verdict(
        self, meaning: Meaning, attribute: Attribute | Cell, document: Document
    ) -> Span | Veto | None:
        shape = meaning.shape or _RUN
        match = shape.match(document.text, attribute.start, attribute.end)
        if match is None:
            return None
        start, end = match.span("phi" if "phi" in shape.groupindex else 0)
        if start == end:
            return None
        if meaning.label is None:
            if not meaning.vetoes:
                return None
            return Veto(start, end, meaning.source, _VETOED, self.PRIORITY - 5)
        if meaning.outside and self._is_outside(document.folded[start:end], meaning):
            return None
        label, source = meaning.label, meaning.source
        return Span(start, end, label, source, 1.0, self.PRIORITY, sure=meaning.sure)

    def _is_outside(self, folded: str, meaning: Meaning) -> bool:
        """Whether all words of a mention are in the lexicons outside, and none is a name.

        What is no mention by its column, without a label, may be a name elsewhere.
        """
        lexicons = self._outside[meaning.source]
        names = self._names if meaning.label is not None else ()
        short = 0 if meaning.label is not None else _SHORT
        return all(
            len(word) <= short
            or (
                any(word in lexicon for lexicon in lexicons)
                and not any(word in lexicon for lexicon in names)
            )
            for word in _WORD.findall(folded)
        )


def _lexicons(kinds: Iterable[str], resources: Resources) -> tuple[WordSet, ...]:
    names = (f"{resources.language}-{kind}" for kind in kinds)
    return tuple(resources.lexicons[name] for name in names if name in resources.lexicons)
