"""Parses the lines of the mapping tables: ``path by TYPE CODES if PLACE is VALUE``.

`rules/mart/hl7v2/README.md` describes them. A line has a path, then ``by`` (a datatype and an
optional code map) or ``=`` (a constant), and an optional condition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from adapter.errors import RuleError

_LINE = re.compile(
    r"(?P<path>[A-Za-z$][\w.\[\]]*)"
    r"(?: by (?P<type>\w+)(?: (?P<codes>\w+))?)?"
    r"(?: = (?P<constant>.+?))?"
    r"(?: (?P<when>if|unless) (?P<place>\S+)(?: is (?P<values>\S+))?)?"
)
_PLACE = re.compile(r"(?:(?P<segment>[A-Z][A-Z0-9]{2})-)?(?P<field>\d+)(?:\.(?P<component>\d+))?")


@dataclass(frozen=True, slots=True)
class Place:
    """A field or component (0: none); ``segment`` "" is the current segment or value."""

    segment: str
    field: int
    component: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """A place must be valued, or have one of ``values``; negated if ``wanted`` is False."""

    place: Place
    values: frozenset[str]
    wanted: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One element of a path; ``many`` if it is a list."""

    name: str
    many: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a mapping table."""

    steps: tuple[Step, ...]
    datatype: str = "string"
    codes: str | None = None
    constant: str | None = field(default=None, repr=False)
    condition: Condition | None = None


def parse_rule(line: str, where: str) -> Rule:
    """Parse a line; ``where`` is its table, for the error.

    Raises:
        RuleError: the line is malformed.
    """
    match = _LINE.fullmatch(line)
    if match is None:
        raise RuleError(where, f"not a mapping: {line!r}")
    condition = None
    if match["when"]:
        values = frozenset(match["values"].split(",")) if match["values"] else frozenset[str]()
        condition = Condition(parse_place(match["place"], where), values, match["when"] == "if")
    return Rule(
        tuple(_step(name) for name in match["path"].split(".")),
        match["type"] or "string",
        match["codes"],
        match["constant"],
        condition,
    )


def parse_place(text: str, where: str) -> Place:
    """Parse a place such as "PV1-19.1", or "19" in the current segment.

    Raises:
        RuleError: the place is malformed.
    """
    match = _PLACE.fullmatch(text)
    if match is None:
        raise RuleError(where, f"not a place: {text!r}")
    return Place(match["segment"] or "", int(match["field"]), int(match["component"] or 0))


def _step(name: str) -> Step:
    return Step(name.removesuffix("[]"), name.endswith("[]"))
