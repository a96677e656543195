"""The base of all tables of the settings file: frozen, with paths relative to the file."""

from __future__ import annotations

from contextvars import ContextVar
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

MIB = 1024 * 1024

FOLDER: ContextVar[Path] = ContextVar("folder of the settings file", default=Path())


def _beside_the_file(value: object) -> object:
    """Return a relative path relative to the settings file's folder."""
    return FOLDER.get() / value if isinstance(value, (str, Path)) else value


FilePath = Annotated[Path, BeforeValidator(_beside_the_file)]


class Section(BaseModel):
    """A table of the settings file: frozen, without unknown keys."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, hide_input_in_errors=True, validate_default=True
    )
