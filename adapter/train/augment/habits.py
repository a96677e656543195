"""Writing habits of a language, as augmentation uses them: ``[augment]`` of its file.

The table in ``rules/languages/<code>.toml``; a missing key has the value of English::

    accents = 0.6                # share of names written with their accents
    family_names = 2             # number of family names of a person
    particles = ["de ", "del "]  # before family names
    phones = ["### ### ###"]     # layouts of whole telephone numbers
    capitals = true              # nouns are capitalised
    same_country = true          # countries named are mostly the text's own: some are kept
    relaid_numbers = true        # numbers are drawn in layouts of other numbers
    plural_jobs = ["ers", "s"]   # ending of plural jobs, and the suffix that makes a plural
    generic = ["en-head"]        # tables of surrogates whose words name a kind of place
    towns = "us-city"            # table of surrogates with towns; else models/augment has a list
    [augment.layouts]            # layouts of dates, by the parts given
    dmy = ["{dd}/{mm}/{y}"]
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.languages import Words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_FIRST = "en"
"""The language whose habits are the defaults of the others."""


@dataclass(frozen=True, eq=False)
class Habits:
    """Writing habits of one language; the module's docstring explains the keys."""

    language: str
    words: Words = field(repr=False)
    layouts: Mapping[str, tuple[str, ...]] = field(repr=False)
    """Parts given ("dmy") -> layouts with these parts."""
    order: str = "mdy"
    accents: float = 1.0
    family_names: int = 1
    particles: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    capitals: bool = False
    same_country: bool = False
    relaid_numbers: bool = False
    plural_jobs: tuple[str, ...] = ()
    generic: tuple[str, ...] = ()
    towns: str = ""

    @classmethod
    def load(cls, folder: Path, language: str) -> Habits:
        """Read the habits of a language from ``folder`` (``rules/``).

        Raises:
            RuleError: a key is unknown.
        """
        tables, words = _languages(folder)
        table = dict(tables.get(language, {}).get("augment", {}))
        layouts = table.pop("layouts", None) or tables[_FIRST]["augment"]["layouts"]
        table.setdefault("particles", tables[_FIRST]["augment"]["particles"])
        given: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in table.items()
        }
        order = tables.get(language, {}).get("dates", "mdy")
        try:
            rows = {parts: tuple(row) for parts, row in layouts.items()}
            return cls(language, words, rows, order, **given)
        except TypeError:
            raise RuleError(f"languages/{language}.toml", "unknown key in [augment]") from None


@cache
def _languages(folder: Path) -> tuple[dict[str, Any], Words]:
    """Return the tables of all languages, English first, and their words."""
    files = sorted(folder.glob("languages/*.toml"), key=lambda file: (file.stem != _FIRST, file))
    tables = {file.stem: tomllib.loads(file.read_text("utf-8")) for file in files}
    return tables, Words.of(tables)
