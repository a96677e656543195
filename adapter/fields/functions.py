"""Names that name nobody and no place ("Night staff", "Radiology", "Room 4"): free text instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.languages.functions import NOWHERE, name_extent
from adapter.languages.generic_places import is_generic_place
from adapter.types import Action, Handling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.types import Message, TextSegment

_SCANNED = Action(Handling.SCAN)
_WHOLE = frozenset({"full", "org"})
"""Parts that are whole names of people and organisations."""


def functions_scanned(
    message: Message, actions: Sequence[Action], words: FieldWords
) -> tuple[Action, ...]:
    """Return the actions, in which functions, departments and rooms instead of names are text."""
    replaced = Handling.SURROGATE  # reading a member of an enum is slow
    return tuple(
        _SCANNED
        if action.handling is replaced
        and action.part in _WHOLE
        and _names_nothing(segment, action, words)
        else action
        for segment, action in zip(message.segments, actions, strict=True)
    )


def _names_nothing(segment: TextSegment, action: Action, words: FieldWords) -> bool:
    if is_generic_place(segment.text, words):
        return True
    is_person = action.part == "full" or segment.datatype == "Reference.display"
    return is_person and name_extent(segment.text, words) == NOWHERE
