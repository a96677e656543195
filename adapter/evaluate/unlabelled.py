"""Kinds of mentions a source does not annotate: predicting them is no error.

A corpus lists the kinds in ``meta.unlabelled``: a label or category, "AGE under 90",
"year-only DATE", "everything but PROFESSION", or "NO_MASK mentions ..." where any mention may
be unmarked.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import CATEGORY_OF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from adapter.evaluate.annotations import Annotated, Mention

    Rule = Callable[[str, str], bool]

_YEARS = re.compile(r"(?:[^\w]*(?:19|20)\d\ds?)+[^\w]*")
_NUMBER = re.compile(r"\d+")
_AGE_UNDER = re.compile(r"AGE under (\d+)")
_ALL_BUT = re.compile(r"everything but ([A-Z-]+)")


def is_unlabelled(document: Annotated, mention: Mention) -> bool:
    """Whether the document's source does not annotate mentions of this kind."""
    if not document.unlabelled:
        return False
    text = document.text[mention.start : mention.end]
    return any(rule(mention.type, text) for rule in _rules(document.unlabelled))


def not_understood(documents: Iterable[Annotated]) -> set[str]:
    """Return the entries of ``unlabelled`` that cannot be parsed."""
    return {kind for document in documents for kind in document.unlabelled if not _rule(kind)}


@lru_cache(maxsize=64)
def _rules(kinds: frozenset[str]) -> tuple[Rule, ...]:
    return tuple(rule for rule in map(_rule, sorted(kinds)) if rule)


def _rule(kind: str) -> Rule | None:
    if kind in CATEGORY_OF:
        return lambda label, _: _is(label, kind)
    if kind.startswith("NO_MASK"):
        return lambda _label, _text: True
    if kind == "year-only DATE":
        return lambda label, text: label == "DATE" and bool(_YEARS.fullmatch(text))
    if ages := _AGE_UNDER.fullmatch(kind):
        return lambda label, text: label == "AGE" and _below(text, int(ages[1]))
    if other := _ALL_BUT.fullmatch(kind):
        return lambda label, _: not _is(label, other[1])
    return None


def _is(label: str, kind: str) -> bool:
    return kind in (label, CATEGORY_OF.get(label))


def _below(text: str, limit: int) -> bool:
    """Whether every number in the text is below the limit; true if there is none."""
    return all(int(number) < limit for number in _NUMBER.findall(text))
