"""Classification of a view's columns: whether a person might be recognized by one.

The tag ``disclosure`` of a column in a ViewDefinition is ``quasi-identifier`` or ``attribute``. A
release with an unclassified column is refused, because nobody has decided to release the column.
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
"""Always a quasi-identifier; a quasi-identifier only if the settings name it."""


def classified(tables: Sequence[Table], plan: Plan) -> Plan:
    """Return the plan with the quasi-identifiers tagged in views added after its own.

    Raises:
        RuleError: a column to release is not classified, or its tag is unknown.
    """
    columns = [(table, column) for table in tables for column in table.split.released]
    for table, column in columns:
        if _tag(column) not in {None, QUASI, ATTRIBUTE}:
            problem = f"column {column.name} has a tag {TAG} other than {QUASI} or {ATTRIBUTE}"
            raise RuleError(table.view.source, problem)
    tagged = (_name(table, column) for table, column in columns if _tag(column) == QUASI)
    own = tuple(dict.fromkeys((*plan.quasi_identifiers, *tagged)))
    known = {*own, *plan.sensitive, *_suppressed_with(tables, own)}
    for table, column in columns:
        if _tag(column) is None and column.fhir != KEY and _name(table, column) not in known:
            raise RuleError(table.view.source, _unclassified(_name(table, column)))
    return replace(plan, quasi_identifiers=own)


def _suppressed_with(tables: Sequence[Table], quasis: Sequence[str]) -> Iterator[str]:
    """Yield the columns that the gate suppresses together with quasi-identifiers."""
    for table in tables:
        for column in table.split.released:
            if _name(table, column) in quasis:
                for other in related(table.view, table.split, column.name):
                    yield f"{table.name}.{other}"


def _unclassified(name: str) -> str:
    return (
        f"it is not stated whether {name} can identify a person: give the column the tag {TAG}"
        f" ({QUASI} or {ATTRIBUTE}), or name it in mart.release.quasi_identifiers"
    )


def _name(table: Table, column: Field) -> str:
    return f"{table.name}.{column.name}"


def _tag(column: Field) -> str | None:
    return column.tags.get(TAG)
