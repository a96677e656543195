"""Reads ViewDefinitions from folders: the shipped ones, and a site's own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.views.definitions import Definition, read_definition

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def read_views(folders: Iterable[Path]) -> tuple[Definition, ...]:
    """Read the views of all folders, sorted by name; later folders override earlier ones by name.

    Raises:
        RuleError: a folder does not exist, or a file is not a ViewDefinition.
    """
    found: dict[str, Definition] = {}
    for folder in folders:
        if not folder.is_dir():
            raise RuleError(folder.name, "no such folder of views")
        found |= _folder(folder)
    return tuple(found[name] for name in sorted(found))


def _folder(folder: Path) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for file in sorted(folder.glob("*.json")):
        view = read_view(file)
        if view.name in found:
            raise RuleError(file.name, f"view {view.name} is also in {found[view.name].source}")
        found[view.name] = view
    return found


def read_view(file: Path) -> Definition:
    """Read the view in a file.

    Raises:
        RuleError: the file is not a ViewDefinition.
    """
    try:
        parsed = json.loads(file.read_bytes())
    except json.JSONDecodeError as error:
        raise RuleError(f"{file.name}:{error.lineno}", f"not JSON: {error.msg}") from None
    except UnicodeDecodeError:
        raise RuleError(file.name, "not JSON in UTF-8") from None
    return read_definition(parsed, file.name)
