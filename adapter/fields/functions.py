"""Whole names that are functions ("Night staff"): free text instead of a name to replace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.languages.functions import NOWHERE, name_extent
from adapter.types import Action, Handling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.types import Message, TextSegment

_SCANNED = Action(Handling.SCAN)


def functions_scanned(
    message: Message, actions: Sequence[Action], words: FieldWords
) -> tuple[Action, ...]:
    """Return the actions, in which whole names that are functions are free text."""
    replaced = Handling.SURROGATE  # reading a member of an enum is slow
    return tuple(
        _SCANNED
        if action.handling is replaced
        and _is_whole_name(segment, action)
        and name_extent(segment.text, words) == NOWHERE
        else action
        for segment, action in zip(message.segments, actions, strict=True)
    )


def _is_whole_name(segment: TextSegment, action: Action) -> bool:
    return action.part == "full" or (
        action.part == "org" and segment.datatype == "Reference.display"
    )
