"""Reads ViewDefinitions of SQL-on-FHIR v2 from JSON into frozen definitions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Part = TypeVar("Part")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
"""A valid name of a table, column or constant (the specification's sql-name)."""
ITERATIONS = ("forEach", "forEachOrNull", "repeat")
DEEPEST = 20
"""Maximum nesting depth of selects."""
STRUCTURE = "http://hl7.org/fhir/StructureDefinition/"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, the FHIRPath of its value, its FHIR type, description and tags."""

    name: str
    path: str
    place: str
    type: str | None = None
    collection: bool = False
    description: str = ""
    tags: tuple[tuple[str, str], ...] = ()

    def tag(self, name: str) -> str | None:
        """Return the value of a tag, or None."""
        return dict(self.tags).get(name)


@dataclass(frozen=True, slots=True)
class Select:
    """Columns, selects and a union, for the current element or for each element of an iteration."""

    place: str
    columns: tuple[Column, ...] = ()
    selects: tuple[Select, ...] = ()
    union: tuple[Select, ...] = ()
    iteration: str | None = None
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Definition:
    """A view over the resources of one type; ``source`` is the name of its file."""

    name: str
    resource: str
    source: str
    select: Select
    where: tuple[tuple[str, str], ...] = ()
    constants: tuple[tuple[str, str | bool | float], ...] = field(default=(), repr=False)
    description: str = ""


def read_definition(parsed: object, source: str) -> Definition:
    """Return the definition of a parsed ViewDefinition; ``source`` is the name of its file.

    Raises:
        RuleError: it is invalid; the error has the file and the place.
    """
    view = _object(parsed, source)
    resource = _text(view, "resource", source)
    name = view.get("name") or source.rpartition("/")[2].partition(".")[0] or "view"
    selects = _list(view, "select", source, _select)
    if not selects:
        raise RuleError(source, "has no select")
    return Definition(
        name=_sql_name(name, f"{source}: name"),
        resource=resource,
        source=source,
        select=Select(place=source, selects=selects),
        where=_list(view, "where", source, _where),
        constants=_list(view, "constant", source, _constant),
        description=str(view.get("description") or ""),
    )


def _select(parsed: object, place: str, depth: int = 0) -> Select:
    if depth > DEEPEST:
        raise RuleError(place, "has selects nested too deeply")
    select = _object(parsed, place)

    def below(inner: object, where: str) -> Select:
        return _select(inner, where, depth + 1)

    found = Select(
        place=place,
        columns=_list(select, "column", place, _column),
        selects=_list(select, "select", place, below),
        union=_list(select, "unionAll", place, below),
        iteration=_iteration(select, place),
        paths=_paths(select, place),
    )
    if not (found.columns or found.selects or found.union):
        raise RuleError(place, "needs column, select or unionAll")
    return found


def _iteration(select: Mapping[str, Any], place: str) -> str | None:
    given = [key for key in ITERATIONS if select.get(key) is not None]
    if len(given) > 1:
        raise RuleError(place, f"may have only one of {', '.join(given)}")
    return given[0] if given else None


def _paths(select: Mapping[str, Any], place: str) -> tuple[str, ...]:
    key = _iteration(select, place)
    if key == "repeat":
        paths = _list(select, key, place, _path)
        if not paths:
            raise RuleError(f"{place}.repeat", "has no path")
        return paths
    return (_path(select[key], f"{place}.{key}"),) if key else ()


def _path(parsed: object, place: str) -> str:
    if not isinstance(parsed, str) or not parsed.strip():
        raise RuleError(place, "must be a FHIRPath expression")
    return parsed


def _column(parsed: object, place: str) -> Column:
    column = _object(parsed, place)
    collection = column.get("collection", False)
    if not isinstance(collection, bool):
        raise RuleError(f"{place}.collection", "must be true or false")
    kind = column.get("type")
    return Column(
        name=_sql_name(column.get("name"), f"{place}.name"),
        path=_path(column.get("path"), f"{place}.path"),
        place=f"{place}.path",
        type=str(kind).removeprefix(STRUCTURE) if kind else None,
        collection=collection,
        description=str(column.get("description") or ""),
        tags=_list(column, "tag", place, _tag),
    )


def _tag(parsed: object, place: str) -> tuple[str, str]:
    tag = _object(parsed, place)
    return _text(tag, "name", place), _text(tag, "value", place)


def _where(parsed: object, place: str) -> tuple[str, str]:
    return f"{place}.path", _path(_object(parsed, place).get("path"), f"{place}.path")


def _constant(parsed: object, place: str) -> tuple[str, str | bool | float]:
    constant = _object(parsed, place)
    name = _sql_name(constant.get("name"), f"{place}.name")
    values = [constant[key] for key in constant if key.startswith("value")]
    if len(values) != 1 or not isinstance(values[0], str | bool | int | float):
        raise RuleError(place, f"constant {name} needs one value[x] of a primitive type")
    return name, values[0]


def _object(parsed: object, place: str) -> Mapping[str, Any]:
    if not isinstance(parsed, dict):
        raise RuleError(place, "must be a JSON object")
    return parsed


def _text(parsed: Mapping[str, Any], key: str, place: str) -> str:
    value = parsed.get(key)
    if not isinstance(value, str) or not value:
        raise RuleError(_below(place, key), "is missing")
    return value


def _sql_name(value: object, place: str) -> str:
    if not isinstance(value, str) or not NAME.match(value):
        raise RuleError(place, "must be a name of letters, digits and underscores")
    return value


def _list(
    parsed: Mapping[str, Any], key: str, place: str, read: Callable[[object, str], Part]
) -> tuple[Part, ...]:
    value = parsed.get(key)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise RuleError(_below(place, key), "must be a list")
    return tuple(read(item, f"{_below(place, key)}[{n}]") for n, item in enumerate(value))


def _below(place: str, key: str) -> str:
    """Return the place of a member, such as "file: select[0].column"."""
    return f"{place}.{key}" if ": " in place else f"{place}: {key}"
