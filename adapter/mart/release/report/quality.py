"""The quality report: messages consumed, their outcomes, and values that were not mapped."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from adapter.mart.release.report.counts import publishable, single

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.mart.release.plan import Day, Plan, Refused
    from adapter.mart.release.tables import Table

HELD = "held"


def quality(
    days: Sequence[Day], refused: Sequence[Refused], tables: Sequence[Table]
) -> dict[str, Any]:
    """Return the exact report for the steward: consumed = released + held, by day, source, kind."""
    return {
        "messages": [_messages(key, days) for key in _keys(days)],
        "total": _messages(("", "", ""), days),
        "holds": _holds(days),
        "rejects": [r._asdict() for r in sorted(refused, key=lambda r: (-r.times, r.place))],
        "results_without_key": sum(day.keyless_results for day in days),
        "rows_without_person": {table.name: table.without_person for table in tables},
    }


def _holds(days: Iterable[Day]) -> list[dict[str, Any]]:
    """Return the error codes of held messages, and the count of each."""
    reasons: Counter[str] = Counter()
    for day in days:
        if day.outcome == HELD:
            reasons[day.reason] += day.messages
    return [{"reason": reason, "times": n} for reason, n in sorted(reasons.items())]


def _keys(days: Iterable[Day]) -> list[tuple[str, str, str]]:
    return sorted({(day.day, day.source, day.kind) for day in days})


def _messages(key: tuple[str, str, str], days: Iterable[Day]) -> dict[str, Any]:
    """Return the counts of one day, source and kind; of all messages if the key is empty."""
    mine = [d for d in days if not any(key) or (d.day, d.source, d.kind) == key]
    outcomes = Counter({d.outcome: 0 for d in mine})
    for day in mine:
        outcomes[day.outcome] += day.messages
    held = outcomes.pop(HELD, 0)
    released = outcomes.total()
    return {
        "day": key[0],
        "source": key[1],
        "kind": key[2],
        "consumed": released + held,
        "released": released,
        "held": held,
        "outcomes": dict(sorted(outcomes.items())),
        "results_without_key": sum(d.keyless_results for d in mine),
    }


def published(report: dict[str, Any], plan: Plan) -> dict[str, Any]:
    """Return the report for researchers, with small counts suppressed and the others rounded.

    Days are loading days; they appear only in the counts of messages by source and kind.
    """
    rows = report["messages"]
    names = [str(n) for n in range(len(rows))]
    columns = {
        column: publishable(
            {name: row[column] for name, row in zip(names, rows, strict=True)},
            plan.minimum,
            plan.rounding,
        )
        for column in ("consumed", "released", "held")
    }
    return {
        "messages": [
            {
                "day": row["day"],
                "source": row["source"],
                "kind": row["kind"],
                **_consistent({column: columns[column][name] for column in columns}),
            }
            for name, row in zip(names, rows, strict=True)
        ],
        "total": _consistent(_singles(report["total"], plan)),
        "holds": _rejects(report["holds"], plan),
        "rejects": _rejects(report["rejects"], plan),
        "results_without_key": single(report["results_without_key"], plan.minimum, plan.rounding),
        "rows_without_person": {
            name: single(n, plan.minimum, plan.rounding)
            for name, n in report["rows_without_person"].items()
        },
    }


def _singles(row: dict[str, Any], plan: Plan) -> dict[str, int | None]:
    return {
        column: single(row[column], plan.minimum, plan.rounding)
        for column in ("consumed", "released", "held")
    }


def _consistent(row: dict[str, int | None]) -> dict[str, int | None]:
    """Return a row with consumed = released + held, None if either part is suppressed."""
    released, held = row["released"], row["held"]
    both = None if released is None or held is None else released + held
    return {"consumed": both, "released": released, "held": held}


def _rejects(rejects: Sequence[dict[str, Any]], plan: Plan) -> list[dict[str, Any]]:
    counts = publishable(
        {str(n): row["times"] for n, row in enumerate(rejects)}, plan.minimum, plan.rounding
    )
    return [{**row, "times": counts[str(n)]} for n, row in enumerate(rejects)]
