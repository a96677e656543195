"""Who publishes a definition: its site, unless its publisher is known to everybody by name.

A site's own definition has the site's name as publisher and in its copyright; both are names of an
organisation, which all texts are searched for. The definition's address proves nothing: a site may
publish its own copy under the address of the original.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.types import Action, Handling, Label

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from adapter.types import Message, TextSegment

_ORGANISATION = Action(Handling.SURROGATE, Label.ORGANIZATION, "organization", "org", "repetition")
_SCANNED = Action(Handling.SCAN)
_CAPITALISED = regex.compile(
    r"\p{Lu}[\p{L}\p{M}\d.'’&-]*(?: (?:(?:of|the|and|for|und|de|la|del|du|der|&) ){0,2}"
    r"\p{Lu}[\p{L}\p{M}\d.'’&-]*){0,7}"
)
"""A text that is the name of an organisation and nothing else."""
_RIGHTS = frozenset({"copyright", "copyrightLabel"})
_LEAD = regex.compile(r"\A(?:copyright|\(c\)|©|the\b|[\s\d,-])+")
"""What stands before the name in a folded copyright."""
_WORD = regex.compile(r"[\p{L}\p{M}\d]+(?:[.'’][\p{L}\p{M}\d]+)*")


def locally_published(
    message: Message, actions: Sequence[Action], known: Mapping[str, frozenset[str]]
) -> tuple[Action, ...]:
    """Return the actions, in which a publisher that is not ``known`` is an organisation."""
    names = tuple(fold(name) for name in known["organisations"])
    return tuple(
        _of(segment, action, names, known["continuing"])
        for segment, action in zip(message.segments, actions, strict=True)
    )


def _of(
    segment: TextSegment, action: Action, names: Sequence[str], continuing: Container[str]
) -> Action:
    element = segment.element.partition(".")[2]
    if element != "publisher" and element not in _RIGHTS:
        return action
    if action.handling not in {Handling.KEEP, Handling.SCAN}:
        return action
    if _is_known(segment.text, names, continuing):
        return action
    named = element == "publisher" or _CAPITALISED.fullmatch(segment.text.strip())
    return _ORGANISATION if named else _SCANNED


def _is_known(text: str, names: Sequence[str], continuing: Container[str]) -> bool:
    """Whether a publisher has a known name, and beside it only words that name nobody else."""
    rest = _LEAD.sub("", fold(text.strip()))
    found = max((name for name in names if _begins(rest, name)), key=len, default="")
    return bool(found) and all(
        word in continuing or word in names for word in _WORD.findall(rest[len(found) :])
    )


def _begins(text: str, name: str) -> bool:
    return text.startswith(name) and not text[len(name) : len(name) + 1].isalnum()
