"""Coordination: who stands in one list with a person, in the same form, is a person too.

"Lund/Ramnarine", "ADEYEMI, OTTO; LUND, MAVIS" and "Lund -> Ramnarine" each list people. Where one
of them was found, its neighbours are marked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.resolve.reconcile import SPREAD, WORD, telling
from adapter.resolve.unite import NAMES, unite, without_vetoed
from adapter.types import Span

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from adapter.languages.context import Context
    from adapter.types import Veto

_TIGHT = r"[ ]?(?:/|<?[-=]{1,2}>|<>|>|[→↔⇄])[ ]?"
"""A slash or an arrow between members of any form."""
_LOOSE = r"[ ]?[;&+][ ]?|[ ]\p{Ll}{1,3}[ ]"
"""A mark or a short word ("and"), between members "Family, Given" only."""
_INVERTED = r"\p{Lu}[\p{L}'’-]{2,},[ ]?\p{Lu}[\p{L}'’-]*\.?"
_FORMS = (
    (_INVERTED, rf"(?:{_TIGHT}|{_LOOSE})"),
    (r"\p{Lu}\p{Lu}{4,}(?:-\p{Lu}{2,})?", _TIGHT),
    (r"\p{Lu}[\p{L}'’]*\p{Ll}(?:-\p{Lu}[\p{L}'’]*\p{Ll})?", _TIGHT),
)
"""Forms of a member, and what links members of this form."""
_BEFORE, _AFTER = r"(?<![\p{L}\p{N}_-])", r"(?![\p{L}\p{N}_])"
_LISTS = tuple(
    (
        regex.compile(form),
        regex.compile(rf"(?r){_BEFORE}(?P<member>{form}){link}"),
        regex.compile(rf"{link}(?P<member>{form}){_AFTER}"),
    )
    for form, link in _FORMS
)


@dataclass(frozen=True, slots=True)
class Words:
    """Folded words that are no evidence of a name, those of them that are names, abbreviations."""

    ordinary: Container[str] = field(repr=False)
    shared: Container[str] = field(default=frozenset(), repr=False)
    short: Container[str] = field(default=frozenset(), repr=False)


def coordinate(
    text: str,
    spans: list[Span],
    vetoes: Sequence[Veto],
    words: Words,
    context: Context,
) -> list[Span]:
    """Return the spans of a text together with the neighbours of people in lists."""
    people = [span for span in spans if span.label in NAMES]
    seen = {(span.start, span.end) for span in people}
    added: list[Span] = []
    while people:
        for found in _neighbours(text, people.pop(), words):
            extent = found.start, found.end
            if extent not in seen:
                seen.add(extent)
                granted = without_vetoed([found], vetoes, Counter())
                people += granted
                added += granted
    return unite(text, [*spans, *added], context) if added else spans


def _neighbours(text: str, person: Span, words: Words) -> Iterator[Span]:
    """Yield the members of a list before and behind a person, in the person's form."""
    for form, before, behind in _LISTS:
        if form.fullmatch(text, person.start, person.end):
            sides = before.match(text, 0, person.start), behind.match(text, person.end)
            for match in sides:
                if match and _named(match["member"], words):
                    start, end = match.span("member")
                    yield Span(start, end, person.label, "resolve.list", 0.9, SPREAD)
            return


def _named(member: str, words: Words) -> bool:
    """Whether all words of a member's family name are evidence of a name."""
    family = WORD.findall(member.partition(",")[0])
    return all(
        fold(word) not in words.short
        and (telling(word, words.ordinary) or fold(word) in words.shared)
        for word in family
    )
