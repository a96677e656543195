"""The families of patterns of a language, with the fragments that several of them share.

``rules/fragments/<language>.toml`` has them: a name and its regex in each line, as in the table
``[fragments]`` of a family (`adapter.taggers.patterns.tagger`). Those of ``any.toml`` are shared
by the families of all languages. Of two fragments with one name, that of the family counts, then
that of its language.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.taggers.patterns.families import ANY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adapter.fields import Rules

    ReadRules = Callable[[str], list[Rules]]


def families(read: ReadRules, language: str) -> list[Rules]:
    """Return the parsed families of a language, or of "any", in the order of their names.

    ``read`` returns the rule files of a glob pattern.

    Raises:
        RuleError: a file cannot be read or is not TOML.
    """
    shared = _fragments(read, ANY) | _fragments(read, language)
    found = read(f"patterns/{language}/*.toml")
    return [replace(family, table=_with(shared, family.table)) for family in found]


def _fragments(read: ReadRules, language: str) -> dict[str, str]:
    return {
        name: regex
        for rules in read(f"fragments/{language}.toml")
        for name, regex in rules.table.items()
    }


def _with(shared: Mapping[str, str], family: Mapping[str, object]) -> dict[str, object]:
    own = family.get("fragments", {})
    return {**family, "fragments": {**shared, **own}} if isinstance(own, dict) else dict(family)
