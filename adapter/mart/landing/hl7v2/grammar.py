"""The lines of the mapping tables: ``path by TYPE CODES if PLACE is VALUE``.

`rules/mart/hl7v2/README.md` describes them. A line has a path and one of ``by`` (a datatype and, if
wanted, a code map) and ``=`` (a constant); a condition may follow.
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
    """A field or component; ``segment`` "" is the segment, or the value, that is being read."""

    segment: str
    field: int
    component: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """A place must be valued, or have one of ``values``; the opposite where ``wanted`` is False."""

    place: Place
    values: frozenset[str]
    wanted: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One name of a path; ``many`` for a list."""

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
    """Return the rule a line is; ``where`` names its table for the error.

    Raises:
        RuleError: it is none.
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
    """Return the place "PV1-19.1", or "19" of the segment being read.

    Raises:
        RuleError: it is no place.
    """
    match = _PLACE.fullmatch(text)
    if match is None:
        raise RuleError(where, f"not a place: {text!r}")
    return Place(match["segment"] or "", int(match["field"]), int(match["component"] or 0))


def _step(name: str) -> Step:
    return Step(name.removesuffix("[]"), name.endswith("[]"))
