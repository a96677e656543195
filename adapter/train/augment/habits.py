"""How texts of a language are written, as augmentation draws it: ``[augment]`` of its file.

The table in ``rules/languages/<code>.toml``; a key that is left out is as English has it::

    accents = 0.6                # share of names whose accents are written
    family_names = 2             # of a person
    particles = ["de ", "del "]  # before family names
    phones = ["### ### ###"]     # layouts of whole telephone numbers
    capitals = true              # nouns have them
    same_country = true          # countries that are named are mostly the text's own: some stay
    relaid_numbers = true        # numbers are drawn in layouts of other numbers
    plural_jobs = ["ers", "s"]   # ending of jobs of several people, and what makes a plural
    generic = ["en-head"]        # tables of surrogates whose words say what a thing is
    towns = "us-city"            # table of surrogates with towns; else models/augment has a list
    [augment.layouts]            # of dates, by the parts that are given
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
"""The language whose habits hold where another's file says nothing."""


@dataclass(frozen=True, eq=False)
class Habits:
    """How texts of one language are written."""

    language: str
    words: Words = field(repr=False)
    layouts: Mapping[str, tuple[str, ...]] = field(repr=False)
    """Parts that are given -> layouts of them."""
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
        """Read those of a language from ``folder`` (``rules/``).

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
    """The files of all languages and their words, English first."""
    files = sorted(folder.glob("languages/*.toml"), key=lambda file: (file.stem != _FIRST, file))
    tables = {file.stem: tomllib.loads(file.read_text("utf-8")) for file in files}
    return tables, Words.of(tables)
