"""What a rule file says of a value: that of an attribute, or of a cell under a known head."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import regex

from adapter.errors import RuleError
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Mapping

WORD = regex.compile(r"[^\W_]+(?:'s)?")
"""A word of the name of an attribute or column."""
_LEXICONS = frozenset({"abbreviation", "eponym", "medical", "ordinary"})
"""Kinds of lexicons of a language whose words may be outside an attribute or column."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of an attribute's value: label and shape, or label None for no mention.

    Without a label, what has the shape is never a number of somebody.

    ``vetoes`` is whether a value without a label is never a number, ``outside`` the lexicons whose
    words are no mention if they are no names.
    """

    label: Label | None
    shape: regex.Pattern[str] | None = field(repr=False)
    source: str
    sure: bool = False
    vetoes: bool = True
    outside: tuple[str, ...] = ()


def meaning_of(attribute: Mapping[str, Any], shapes: Mapping[str, str]) -> Meaning:
    """Return the meaning of a parsed attribute or column.

    Raises:
        RuleError: its label, shape or regex is unknown or invalid.
    """
    source = f"attributes.{attribute['names'][0].replace(' ', '-')}"
    try:
        label = Label(attribute["label"]) if "label" in attribute else None
        shaped = label is not None or "shape" in attribute
        shape = regex.compile(shapes[attribute["shape"]], regex.VERBOSE) if shaped else None
    except (KeyError, ValueError, regex.error) as error:
        raise RuleError(source, f"{type(error).__name__}: {error}") from error
    numbered = label is not None and label.category in ("ID", "CONTACT")
    sure, vetoes = attribute.get("sure", numbered), attribute.get("vetoes", True)
    outside = tuple(attribute.get("outside", ()))
    if unknown := set(outside) - _LEXICONS:
        raise RuleError(source, f"outside names {sorted(unknown)}; known are {sorted(_LEXICONS)}")
    return Meaning(label, shape, source, sure, vetoes, outside)
