"""What the CRF taggers see of a text: a row of features for each token and line break.

The features of Lee 2017 (section 2.4) and Szarvas 2006 (section 3.1): the word and its neighbours,
shapes, affixes, classes, clusters, commonness, lists, section, attribute, place in line and text,
and what rules and trusted phrases say, here and of the same word elsewhere in the text. Each of
`GROUPS` can be left out. A line break is a token of its own, so that layout is context.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.evidence import evidence
from adapter.taggers.forms import REACH, Forms
from adapter.taggers.items import Items
from adapter.taggers.layers import Layer, Rows
from adapter.taggers.layout import layout
from adapter.taggers.units import units

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from adapter.taggers.document import Document
    from adapter.taggers.layers import Columns
    from adapter.taggers.wordbook import Wordbook
    from adapter.taggers.wordlists import Lexicon
    from adapter.types import Span, Veto

GROUPS = (
    "word", "shape", "class", "affix", "ngram", "cluster", "frequency", "lexicon", "memory",
    "rules", "trusted", "section", "attribute", "line", "place", "quotes",
)  # fmt: skip
"""Groups of features; see `Featurizer`."""


class Featurizer:
    """Turns a document and what rules found in it into rows of features; a pure function.

    ``lexicons`` are by the name that features show ("given", "city"), ``groups`` those of `GROUPS`
    that are on.
    """

    def __init__(
        self,
        lexicons: Mapping[str, Lexicon],
        wordbook: Wordbook,
        groups: Collection[str] = GROUPS,
    ) -> None:
        """Take what forms are looked up in."""
        self.groups = frozenset(groups)
        self._forms = Forms(lexicons, wordbook, self.groups)
        self._items = Items(lexicons if "lexicon" in self.groups else {})

    def rows(self, document: Document, found: Iterable[Span | Veto] = ()) -> Rows:
        """Return the features of each unit of document, given what rules ``found`` in it."""
        sequence = units(document)
        said = evidence(sequence, found, self.groups)
        self._items.tell(sequence.words, said)
        layers = (
            Layer("form", sequence.forms, self._forms.shown, REACH),
            Layer("said", [tuple(atoms) for atoms in said], _heard, 1),
            *layout(document, sequence, self.groups),
        )
        return Rows(sequence, layers, "ngram" in self.groups)


def _heard(atoms: tuple[str, ...]) -> Columns:
    """What is said of a unit, as it and its neighbours hear it."""
    return tuple(f"-1{atom}" for atom in atoms), atoms, tuple(f"+1{atom}" for atom in atoms)
