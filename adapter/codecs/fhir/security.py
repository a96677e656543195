"""Writes the security label of a released FHIR resource: a coding in ``meta.security``.

The label is on the resource and on every entry of a Bundle; a contained resource has no security
of its own (FHIR R4, 6.1.1 and dom-4). The written JSON follows the surrounding white space.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from adapter.codecs.fhir.layout import token_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from adapter.codecs.fhir.doubts import Place
    from adapter.codecs.fhir.layout import Layout
    from adapter.codecs.fhir.remove import Losses
    from adapter.codecs.sourcemap import Change

SYSTEM = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"
"""The code system of the labels' codes."""

_WHITE = " \t\r\n"
_LINE = re.compile(r"(\r\n|\r|\n)[ \t]*$")
_COMMA = re.compile(r"\s*,(\s*)")
_COLON = re.compile(r"\s*:\s*$")


@dataclass(frozen=True, slots=True)
class Style:
    """The white space of an object's members: ``lead`` before each, indent ``unit``, and colon."""

    lead: str = field(repr=False)
    unit: str = field(repr=False)
    colon: str = field(repr=False)

    def json(self, value: object) -> str:
        """Return a value as JSON in this style."""
        if not _LINE.search(self.lead):
            separators = f",{self.lead}", self.colon
            return json.dumps(value, separators=separators, ensure_ascii=False)
        text = json.dumps(value, indent=self.unit, separators=(",", self.colon), ensure_ascii=False)
        return text.replace("\n", self.lead)

    def member(self, key: str, value: object) -> str:
        """Return a key and its value as JSON in this style."""
        return f'"{key}"{self.colon}{self.json(value)}'


def labelled(
    resources: Iterable[Place], losses: Losses, layout: Layout, code: str
) -> Iterator[Change]:
    """Yield the changes that add a code to the ``meta.security`` of resources without it.

    ``losses`` are the removals of the message's edits: a removed meta or label counts as absent. A
    ``meta`` or ``security`` whose JSON type is not FHIR's is left unchanged.
    """
    coding = {"system": SYSTEM, "code": code}
    for place in resources:
        yield from _resource(place.node, place.opener, losses, layout, coding)


def _resource(
    node: Any, opener: int, losses: Losses, layout: Layout, coding: Mapping[str, str]
) -> Iterator[Change]:
    staying = {index: key for index, (key, _) in enumerate(node) if index not in losses.at(opener)}
    metas = [index for index, key in staying.items() if key == "meta"]
    if not metas:
        anchors = {key: index for index, key in staying.items()}
        token = _token(node, opener, anchors.get("id", anchors["resourceType"]))
        style = _style(layout, token, opener)
        end = layout.end(token)
        yield end, end, f",{style.lead}{style.member('meta', {'security': [coding]})}"
    for index in metas:
        token = _token(node, opener, index)
        value = node[index][1]
        if not value and type(value) is not str:
            yield *layout.value(token), _style(layout, token, opener).json({"security": [coding]})
        elif type(value) is tuple:
            yield from _meta(value, token, losses, layout, coding)


def _meta(
    node: Any, opener: int, losses: Losses, layout: Layout, coding: Mapping[str, str]
) -> Iterator[Change]:
    gone = losses.at(opener)
    found = [i for i, (key, _) in enumerate(node) if key == "security" and i not in gone]
    if not found:
        style = _style(layout, opener + 1, opener)
        at = layout.start(opener + 1)
        yield at, at, f"{style.member('security', [coding])},{style.lead}"
    for index in found:
        token = _token(node, opener, index)
        value = node[index][1]
        style = _style(layout, token, opener)
        if not value and type(value) is not str:
            yield *layout.value(token), style.json([coding])
        elif type(value) is list and not _has(value, token, losses, coding):
            at = layout.start(token + 1)
            before = _space_before(layout.text, at)
            style = replace(style, lead=before if _LINE.search(before) else _inline(style.colon))
            yield at, at, f"{style.json(coding)},{style.lead}"


def _has(items: list[Any], opener: int, losses: Losses, coding: Mapping[str, str]) -> bool:
    """Whether the label is among the codings that the edits leave whole."""
    gone = losses.at(opener)
    return any(
        type(item) is tuple
        and coding.items() <= {pair for pair in item if type(pair[1]) is str}
        and index not in gone
        and not losses.at(token_of(items, opener, index))
        for index, item in enumerate(items)
    )


def _token(node: Any, opener: int, index: int) -> int:
    return token_of([value for _, value in node[:index]], opener, index)


def _style(layout: Layout, token: int, opener: int) -> Style:
    """Return the style of the object that ``opener`` opens, taken from its member at ``token``."""
    text, start = layout.text, layout.start(token)
    colon = _COLON.search(text, start, layout.value(token)[0])
    between = colon[0] if colon else ":"
    lead = _space_before(text, start)
    if not _LINE.search(lead):
        comma = _COMMA.match(text, layout.end(token))
        lead = comma[1] if comma else _inline(between)
    line = _LINE.search(lead)
    if line is None:
        return Style(lead, "", between)
    around = _LINE.search(_space_before(text, layout.end(opener) - 1))
    unit = line[0].removeprefix(around[0]) if around else ""
    return Style(line[0], unit if unit.isspace() and unit != line[0] else "  ", between)


def _inline(colon: str) -> str:
    return " " if colon.endswith(" ") else ""


def _space_before(text: str, end: int) -> str:
    low = end
    while low and text[low - 1] in _WHITE:
        low -= 1
    return text[low:end]
