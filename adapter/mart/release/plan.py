"""The plan of a release: name, approval, contents, and requirements of the gate."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from adapter.errors import RuleError

if TYPE_CHECKING:
    import datetime as dt

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,62}\Z")
LEAST_MINIMUM = 2


class Resource(NamedTuple):
    """A current resource: its type, id, person, status ("active" or not) and body (JSON)."""

    resource_type: str
    resource_id: str
    person_id: str | None
    status: str
    body: str

    def __repr__(self) -> str:
        """Show no text."""
        return "Resource()"


class Day(NamedTuple):
    """A count of messages by loading day, source, kind and outcome; ``reason`` if they are held."""

    day: str
    source: str
    kind: str
    outcome: str
    messages: int
    keyless_results: int = 0
    reason: str = ""


class Refused(NamedTuple):
    """The number of times that an element could not be mapped, and the code of the reason."""

    place: str
    code: str
    times: int


class Earlier(NamedTuple):
    """An earlier release, with the ids of the keys of its surrogates, separated by commas."""

    name: str
    key_id: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A requested release.

    ``quasi_identifiers`` and ``sensitive`` are "view.column"; ``minimum`` is the smallest allowed
    number of persons in a cell, ``rounding`` the multiple that counts are rounded to. ``key_id``
    has the ids of the surrogates' keys, separated by commas; ``acceptance`` is the reason for
    accepting a second release under one key.
    """

    name: str
    approved_by: str
    day: dt.date
    key_id: str
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    minimum: int = 11
    rounding: int = 5
    project: str = ""
    acceptance: str = ""
    earlier: tuple[Earlier, ...] = field(default=(), repr=False)


def check_plan(plan: Plan) -> None:
    """Refuse an invalid plan before anything is read.

    Raises:
        RuleError: the name is invalid or taken, the approval is missing, or a number or column name
            is invalid.
    """
    if not NAME.match(plan.name):
        message = "its name must be a letter, then at most 62 letters, digits, - and _"
        raise RuleError("release", message)
    if plan.name in {release.name for release in plan.earlier}:
        raise RuleError(f"release {plan.name}", "already exists")
    if len(plan.approved_by.strip()) < LEAST_MINIMUM:
        raise RuleError(f"release {plan.name}", "does not name who approved it (--approved-by)")
    if plan.minimum < LEAST_MINIMUM:
        raise RuleError("release.minimum_cell", f"must be at least {LEAST_MINIMUM}")
    if plan.rounding < 1 or plan.rounding >= plan.minimum:
        raise RuleError("release.rounding", "must be at least 1 and less than the minimum cell")
    for name in (*plan.quasi_identifiers, *plan.sensitive):
        if name.count(".") != 1:
            raise RuleError("release.quasi_identifiers", f"{name} must have the form view.column")
    if not plan.quasi_identifiers:
        raise RuleError("release.quasi_identifiers", "must not be empty")


def under_same_key(plan: Plan) -> list[str]:
    """Return the names of earlier releases that share a key with this one."""
    keys = set(plan.key_id.split(","))
    return [release.name for release in plan.earlier if keys & set(release.key_id.split(","))]


def check_key(plan: Plan, *, years_only: bool) -> None:
    """Refuse a second release under one key, because comparing the two reveals additions.

    It is allowed if its dates are years only (safe-harbor), or if the risk is accepted in writing.

    Raises:
        RuleError: there is an earlier release under the key.
    """
    same = under_same_key(plan)
    if same and not years_only and not plan.acceptance.strip():
        raise RuleError(
            f"release {plan.name}",
            f"{same[-1]} was made under the same key {plan.key_id}: replay under another key, use"
            " the profile safe-harbor, or give the reason for accepting the risk (--accept)",
        )
