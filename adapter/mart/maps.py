"""Reads the mapping tables of a rules folder: ``rules/mart/hl7v2/*.toml``."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.landing.hl7v2.tables import tables_of
from adapter.rules.folder import read_rules, shipped

if TYPE_CHECKING:
    from pathlib import Path

    from adapter.mart.landing.hl7v2.tables import Tables


@lru_cache(maxsize=4)
def read_maps(rules: Path | None = None) -> Tables:
    """Return the mapping tables of a rules folder, by default of the one shipped with the program.

    Raises:
        RuleError: there are no tables, a file is not TOML, or tables are inconsistent.
    """
    folder = (rules or shipped("rules")) / "mart" / "hl7v2"
    if not folder.is_dir():
        raise RuleError(str(folder), "has no mapping tables")
    tables = tables_of(
        (file.name, read_rules(file, file.name).table) for file in sorted(folder.glob("*.toml"))
    )
    if not (tables.numbers.chart and tables.numbers.shared and tables.numbers.placeholders):
        raise RuleError(str(folder), "does not say which numbers are a person's own ([numbers])")
    return tables
