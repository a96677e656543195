"""Describes errors in settings in the terms of the settings file, without repeating values."""

from __future__ import annotations

import os
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, get_args, get_origin

from pydantic import BaseModel
from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsError

from adapter.audit import Event, log
from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pydantic import ValidationError

WORDS = {
    "tuple_type": "must be a list",
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number",
    "float_type": "must be a number",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "string_type": "must be text",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "dict_type": "must be a table",
}
"""Pydantic's error type -> the requirement in the terms of TOML."""


LIMITS = {
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be greater than {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "string_too_short": "must not be shorter than {min_length} characters",
    "string_too_long": "must not be longer than {max_length} characters",
    "string_pattern_mismatch": "must match the pattern {pattern}",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
}
"""Pydantic's error type -> the requirement, with the limit from the error's context."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where settings come from: the command line, variables with a prefix, and a file."""

    said: Mapping[str, Any]
    prefix: str
    file: Path | None

    def place(self, keys: Sequence[str]) -> str:
        """Return the place of a setting: its key, with the variable or the file that has it."""
        key = ".".join(keys) or "settings"
        table: Any = self.said
        for step in keys:
            table = table.get(step) if isinstance(table, dict) else None
        if table is not None:
            return key
        for end in range(len(keys), 0, -1):  # a table can be given as JSON
            name = f"{self.prefix}{'__'.join(keys[:end])}".upper()
            if any(variable.upper() == name for variable in os.environ):
                return f"variable {name}: {key}"
        return f"{self.file}: {key}" if self.file else key


def as_rule_error(error: ValidationError, sources: Sources, settings: type[BaseModel]) -> RuleError:
    """Return the first problem, located by its key and its source."""
    first = error.errors(include_input=False, include_url=False)[0]
    keys = [str(part) for part in first["loc"]]
    where = sources.place(keys)
    if first["type"] == "extra_forbidden":
        return RuleError(
            where, f"no such setting{_suggestion(keys[-1], _names_in_table(settings, keys[:-1]))}"
        )
    return RuleError(where, _requirement(first["type"], first.get("ctx", {}), first["msg"]))


def _requirement(kind: str, limits: Mapping[str, Any], message: str) -> str:
    """Return what a value must be, without quoting it."""
    if kind == "too_short":
        least = limits["min_length"]
        return "must not be empty" if least == 1 else f"must have at least {least} items"
    if kind in LIMITS:
        return LIMITS[kind].format(**limits)
    return WORDS.get(kind) or message.removeprefix("Value error, ")


def refuse_unknown_variables(settings: type[BaseModel], prefix: str) -> None:
    """Refuse a misspelt environment variable, as a misspelt key of the file is refused.

    Raises:
        RuleError: a variable that begins with the prefix names no setting.
    """
    for name in os.environ:
        if name.upper().startswith(prefix):
            _known(settings, name, name.upper().removeprefix(prefix).lower().split("__"))
    for name in _ignored(settings, prefix):
        log(Event.VARIABLE_IGNORED, "warning", place=name)


def _ignored(settings: type[BaseModel], prefix: str) -> Iterator[str]:
    """Yield variables that name a setting but for their underscores.

    Others that begin alike are not ours: Kubernetes sets some for a service of the same name.
    """
    begin = prefix.rstrip("_") + "_"
    near = {name: name.upper() for name in os.environ if name.upper().startswith(begin)}
    if near := {name: upper for name, upper in near.items() if not upper.startswith(prefix)}:
        known = set(_paths(settings))
        for name, upper in near.items():
            if upper.removeprefix(begin).lower().replace("__", "_") in known:
                yield name


def _paths(settings: type[BaseModel]) -> Iterator[str]:
    """Yield the path of each setting, with one underscore between its keys."""
    for key, field in settings.model_fields.items():
        yield key
        inner = None if is_named(field.annotation) else model_of(field.annotation)
        if inner is not None:
            yield from (f"{key}_{path}" for path in _paths(inner))


def broken_variable(settings: type[BaseSettings], prefix: str) -> str | None:
    """Return the variable of a table or list whose value is not JSON."""
    for name, value in os.environ.items():
        if name.upper().startswith(prefix):
            source = EnvSettingsSource(settings)
            source.env_vars = {name.lower(): value}
            try:
                source()
            except SettingsError:
                return name
    return None


def _known(settings: type[BaseModel], variable: str, keys: list[str]) -> None:
    model: Any = settings
    for key in keys:
        if model is None:  # the key is inside a table given as JSON
            return
        if key not in model.model_fields:
            meant = _suggestion(key, model.model_fields)
            raise RuleError(f"variable {variable}", f"no such setting ({key}){meant}")
        field = model.model_fields[key]
        model = None if is_named(field.annotation) else model_of(field.annotation)


def _names_in_table(settings: type[BaseModel], keys: Sequence[str]) -> Iterable[str]:
    """Return the names of settings in the table that ``keys`` lead to."""
    model: Any = settings
    passing = iter(keys)
    for key in passing:
        field = getattr(model, "model_fields", {}).get(key)
        model = model_of(field.annotation) if field else None
        if field and is_named(field.annotation):
            next(passing, None)
    return getattr(model, "model_fields", {})


def _suggestion(key: str, names: Iterable[str]) -> str:
    close = get_close_matches(key, list(names), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def is_named(annotation: Any) -> bool:
    """Return whether a setting is a table of tables whose keys are names chosen by the user."""
    return get_origin(annotation) is dict and model_of(annotation) is not None


def model_of(annotation: Any) -> type[BaseModel] | None:
    """Return the section class in an annotation such as ``Key | None``, or None."""
    for choice in (annotation, *get_args(annotation)):
        if isinstance(choice, type) and issubclass(choice, BaseModel):
            return choice
    return None
