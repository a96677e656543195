"""Compile rules/fields/publishers.toml, and a site's own: addresses that identify no site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.fields.sources import Rules

LISTS = frozenset({"hosts", "urns", "oids", "organisations"})
"""Tables of entries, each with a description and its source."""
WORDS = frozenset({"names", "parameters", "operations", "endings", "domains", "continuing"})
"""Keys of ``[words]``; each value is a string of words separated by blanks."""


def compile_publishers(tables: Iterable[Rules]) -> dict[str, frozenset[str]]:
    """Return the entries of all files together by list; those of `LISTS` in lower case.

    Raises:
        RuleError: a table or list is unknown, or an entry has no description.
    """
    found: dict[str, set[str]] = {name: set() for name in LISTS | WORDS}
    for rules in tables:
        for key, value in rules.table.items():
            if key in LISTS:
                found[key] |= _listed(rules, key, value)
            elif key == "words":
                for name, words in value.items():
                    if name not in WORDS or not isinstance(words, str):
                        raise rules.refuse("no such list of words", key, name)
                    found[name] |= set(words.split())
            elif key not in {"format", "tests"}:
                raise rules.refuse(f"no such table (only {', '.join(sorted(LISTS))}, words)", key)
    return {name: frozenset(entries) for name, entries in found.items()}


def _listed(rules: Rules, table: str, entries: Mapping[str, Any]) -> set[str]:
    for entry, what in entries.items():
        if not isinstance(what, str) or not what.strip():
            raise rules.refuse("does not state what it is", table, entry)
    return {entry.lower() for entry in entries}
