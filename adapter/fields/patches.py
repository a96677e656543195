"""FHIRPath Patch (R4, 3.1.0.14): a parameter's value is the value of the element that it changes.

An operation is a parameter whose parts are called "path", "name" (of an element to add)
and "value"; a value made of elements has parts called like them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.types import Handling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.fields.policy import FieldPolicy
    from adapter.types import Action, Message, TextSegment

_PARTS = "Parameters.parameter.part"
_PART = regex.compile(
    r"(?P<operation>.*?/parameter/\d+)(?P<part>/part/\d+)(?P<inner>(?:/part/\d+)*)/(?P<leaf>[^/]+).*"
)
_STEP = regex.compile(r"/part/\d+")
_CALL = regex.compile(r"\.?[A-Za-z]+\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]")
_TYPED = regex.compile(rf"{regex.escape(_PARTS)}(?:\.part)*\.value(?P<type>[A-Z]\w*)(?P<below>.*)")
_REPLACED = frozenset({Handling.SURROGATE, Handling.SHIFT})


def patched(
    message: Message, actions: tuple[Action, ...], policy: FieldPolicy
) -> tuple[Action, ...]:
    """Return the actions, in which the values of patches are replaced as those of their elements.

    A value of an element that is kept, scanned or unknown is handled as in any other parameter.
    """
    if not any(segment.element == f"{_PARTS}.name" for segment in message.segments):
        return actions
    texts = {segment.path: segment.text for segment in message.segments}
    paths = dict(_paths(message.segments, texts))
    return tuple(
        _of(segment, action, paths, texts, policy) if paths else action
        for segment, action in zip(message.segments, actions, strict=True)
    )


def _paths(segments: Sequence[TextSegment], texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the path of each operation in the message, and the element that it changes."""
    added: dict[str, str] = {}
    found: dict[str, str] = {}
    for segment in segments:
        if segment.element == f"{_PARTS}.valueString" and (place := _PART.fullmatch(segment.path)):
            called = texts.get(f"{place['operation']}{place['part']}/name")
            if called == "path":
                found[place["operation"]] = _element(segment.text)
            elif called == "name":
                added[place["operation"]] = segment.text
    for operation, element in found.items():
        yield operation, ".".join(filter(None, (element, added.get(operation))))


def _element(path: str) -> str:
    """Return the element that a FHIRPath selects; one without a resource's type is a patient's."""
    element = _CALL.sub("", path.strip())
    return element if element[:1].isupper() else f"Patient.{element}"


def _of(
    segment: TextSegment,
    action: Action,
    paths: Mapping[str, str],
    texts: Mapping[str, str],
    policy: FieldPolicy,
) -> Action:
    typed = _TYPED.fullmatch(segment.element)
    place = _PART.fullmatch(segment.path) if typed else None
    if typed is None or place is None or place["operation"] not in paths:
        return action
    whole = place["operation"] + place["part"]
    if texts.get(f"{whole}/name") != "value":
        return action
    element = paths[place["operation"]]
    for step in _STEP.findall(place["inner"]):
        whole += step
        element = f"{element}.{texts.get(f'{whole}/name', '')}"
    for own in (element, element + typed["type"]):
        found = policy.verdict("fhir", own + typed["below"], segment.datatype)
        if found.handling in _REPLACED:
            return found
    return action
