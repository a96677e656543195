"""What a view says of each column: whether somebody might know a person again by it.

The tag ``disclosure`` of a ViewDefinition's column is ``quasi-identifier`` or ``attribute``. A
column of which nobody has said either is released by nobody's decision, so there is no release.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.release.columns import KEY, related

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.mart.release.plan import Plan
    from adapter.mart.release.tables import Table
    from adapter.mart.views.columns import Field

TAG = "disclosure"
QUASI, ATTRIBUTE = "quasi-identifier", "attribute"
"""A quasi-identifier whatever the settings name, and one only if they do."""


def classified(tables: Sequence[Table], plan: Plan) -> Plan:
    """The plan with the quasi-identifiers that views name, after its own.

    Raises:
        RuleError: of a column that is to be released nobody has said what it is.
    """
    columns = [(table, column) for table in tables for column in table.split.released]
    for table, column in columns:
        if _tag(column) not in {None, QUASI, ATTRIBUTE}:
            problem = f"column {column.name} has a tag {TAG} other than {QUASI} or {ATTRIBUTE}"
            raise RuleError(table.view.source, problem)
    tagged = (_name(table, column) for table, column in columns if _tag(column) == QUASI)
    own = tuple(dict.fromkeys((*plan.quasi_identifiers, *tagged)))
    known = {*own, *plan.sensitive, *_beside(tables, own)}
    for table, column in columns:
        if _tag(column) is None and column.fhir != KEY and _name(table, column) not in known:
            raise RuleError(table.view.source, _unsaid(_name(table, column)))
    return replace(plan, quasi_identifiers=own)


def _beside(tables: Sequence[Table], quasis: Sequence[str]) -> Iterator[str]:
    """Columns that the gate suppresses together with quasi-identifiers."""
    for table in tables:
        for column in table.split.released:
            if _name(table, column) in quasis:
                for other in related(table.view, table.split, column.name):
                    yield f"{table.name}.{other}"


def _unsaid(name: str) -> str:
    return (
        f"it is not stated whether {name} can identify a person: give the column the tag {TAG}"
        f" ({QUASI} or {ATTRIBUTE}), or name it in mart.release.quasi_identifiers"
    )


def _name(table: Table, column: Field) -> str:
    return f"{table.name}.{column.name}"


def _tag(column: Field) -> str | None:
    return column.tags.get(TAG)
