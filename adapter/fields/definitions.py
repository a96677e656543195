"""Who publishes a definition: its site, unless its address or its publisher is known to everybody.

A site's own definition has the site's name as publisher and in its copyright; both are names of an
organisation, which all texts are searched for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.types import Action, Handling, Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.types import Message, TextSegment

_ORGANISATION = Action(Handling.SURROGATE, Label.ORGANIZATION, "organization", "org", "repetition")
_SCANNED = Action(Handling.SCAN)
_HOST = regex.compile(r"https?://(?P<host>[^/:?#]+)(?P<account>/[^/?#|]*)?", regex.IGNORECASE)
_CAPITALISED = regex.compile(
    r"\p{Lu}[\p{L}\p{M}\d.'’&-]*(?: (?:(?:of|the|and|for|und|de|la|del|du|der|&) ){0,2}"
    r"\p{Lu}[\p{L}\p{M}\d.'’&-]*){0,7}"
)
"""A text that is the name of an organisation and nothing else."""
_RIGHTS = frozenset({"copyright", "copyrightLabel"})
_ARTICLE = "the "


def locally_published(
    message: Message, actions: Sequence[Action], known: Mapping[str, frozenset[str]]
) -> tuple[Action, ...]:
    """Return the actions, in which a publisher that is not ``known`` is an organisation."""
    local = set(_local(message.segments, known))
    if not local:
        return tuple(actions)
    return tuple(
        _of(segment, action, known["organisations"]) if _place(segment) in local else action
        for segment, action in zip(message.segments, actions, strict=True)
    )


def _of(segment: TextSegment, action: Action, known: Iterable[str]) -> Action:
    if action.handling not in {Handling.KEEP, Handling.SCAN}:
        return action
    element = segment.element.partition(".")[2]
    if element == "publisher":
        return _ORGANISATION
    if element in _RIGHTS and not _is_known(segment.text, known):
        return _ORGANISATION if _CAPITALISED.fullmatch(segment.text.strip()) else _SCANNED
    return action


def _local(
    segments: Iterable[TextSegment], known: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the place of each definition without a known address or publisher."""
    public: dict[tuple[str, str], bool] = {}
    for segment in segments:
        element = segment.element.partition(".")[2]
        if element == "publisher" or element in _RIGHTS:
            public.setdefault(_place(segment), False)
        if element == "publisher":
            public[_place(segment)] |= _is_known(segment.text, known["organisations"])
        elif element == "url":
            found = _HOST.match(segment.text)
            own = found is not None and _is_public(found, known["hosts"])
            public[_place(segment)] = public.get(_place(segment), False) or own
    return (place for place, is_public in public.items() if not is_public)


def _place(segment: TextSegment) -> tuple[str, str]:
    """Return the path of a resource and its type, for one of its own elements."""
    kind, _, element = segment.element.partition(".")
    return segment.path.removesuffix(f"/{element}"), kind


def _is_known(name: str, known: Iterable[str]) -> bool:
    """Whether a publisher's name begins with a known one."""
    folded = fold(name.strip()).removeprefix(_ARTICLE)
    return any(
        folded.startswith(each) and not folded[len(each) : len(each) + 1].isalnum()
        for each in map(fold, known)
    )


def _is_public(address: regex.Match[str], hosts: frozenset[str]) -> bool:
    """Whether an address begins with a known host or its account on one."""
    host, account = address["host"].lower(), (address["account"] or "").lower()
    labels = host.split(".")
    return host + account in hosts or any(
        ".".join(labels[at:]) in hosts for at in range(len(labels))
    )
