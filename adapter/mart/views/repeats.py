"""Recursive queries for ``repeat``, which give the nodes below each context in document order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.mart.views import sql
from adapter.mart.views.expressions import compile_text
from adapter.mart.views.values import items

if TYPE_CHECKING:
    from adapter.mart.views.definitions import Select
    from adapter.mart.views.values import Scope

WALK = """walk_{n}(rid, context, node, place) AS (
  SELECT DISTINCT rid, CAST(node AS VARCHAR), CAST(node AS JSON), CAST([] AS BIGINT[])
  FROM ({contexts})
  UNION ALL
  SELECT rid, context, unnest(below), list_append(place, unnest(range(len(below))))
  FROM (SELECT rid, context, place, {below} AS below FROM walk_{n})
),
repeat_{n} AS (
  SELECT rid, map_from_entries(list(row(context, nodes))) AS found
  FROM (
    SELECT rid, context, list(node ORDER BY place) AS nodes
    FROM walk_{n} WHERE len(place) > 0 GROUP BY rid, context
  )
  GROUP BY rid
)"""


class Repeats:
    """The recursive queries of one view, collected while its selects are compiled."""

    def __init__(self) -> None:
        self.queries: list[str] = []

    def add(self, select: Select, scope: Scope, contexts: str) -> tuple[str, str | None]:
        """Add the query of a repeat; return the list of nodes below the scope's, and their type."""
        number = len(self.queries) + 1
        inside = replace(scope.inside("node", None), row="0")
        places = [f"{select.place}.repeat[{n}]" for n in range(len(select.paths))]
        here = [replace(inside, place=place) for place in places]
        lists = [items(s, compile_text(p, s)) for s, p in zip(here, select.paths, strict=True)]
        below = sql.keep(
            scope.names,
            f"list_concat({', '.join(lists)}, {sql.EMPTY})",
            lambda x: f"json_type({x}) = 'OBJECT'",
        )
        self.queries.append(WALK.format(n=number, contexts=contexts, below=below))
        found = f"repeat_{number}.found[CAST({scope.node} AS VARCHAR)]"
        return f"coalesce({found}, {sql.EMPTY})", self._type(select, scope)

    @staticmethod
    def _type(select: Select, scope: Scope) -> str | None:
        """Return the type of the nodes if every path leads back to the same type, else None."""
        first = {compile_text(path, scope).fhir for path in select.paths[:1]}
        start = next(iter(first))
        inside = scope.inside("node", start)
        onwards = {compile_text(path, inside).fhir for path in select.paths}
        return start if onwards == {start} else None

    def joins(self) -> str:
        """Return the joins of each resource with the nodes of its repeats."""
        numbers = range(1, len(self.queries) + 1)
        return "".join(f" LEFT JOIN repeat_{n} USING (rid)" for n in numbers)
