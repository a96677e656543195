"""Describes errors in settings in the terms of the settings file, without repeating values."""

from __future__ import annotations

import os
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, get_args, get_origin

from pydantic import BaseModel

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
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


def as_rule_error(
    error: ValidationError, file: Path | None, settings: type[BaseModel]
) -> RuleError:
    """Return the first problem, located by its key."""
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    keys = [str(part) for part in first["loc"]]
    key = ".".join(keys) or "settings"
    where = f"{file}: {key}" if file else key
    if first["type"] == "extra_forbidden":
        return RuleError(
            where, f"no such setting{_suggestion(keys[-1], _names_in_table(settings, keys[:-1]))}"
        )
    return RuleError(where, WORDS.get(first["type"]) or first["msg"].removeprefix("Value error, "))


def refuse_unknown_variables(settings: type[BaseModel], prefix: str) -> None:
    """Refuse a misspelt environment variable, as a misspelt key of the file is refused.

    Raises:
        RuleError: a variable that begins with the prefix names no setting.
    """
    for name in os.environ:
        if name.upper().startswith(prefix):
            _known(settings, name, name.upper().removeprefix(prefix).lower().split("__"))


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
