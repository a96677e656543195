"""Compile rules/fields/publishers.toml, and a site's own: whose addresses name no site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.fields.sources import Rules

LISTS = frozenset({"hosts", "urns", "oids"})
"""Tables of entries, each with what it is and where that is written down."""
WORDS = frozenset({"names", "parameters", "operations", "endings", "domains"})
"""Entries of ``[words]``: words between blanks."""


def compile_publishers(tables: Iterable[Rules]) -> dict[str, frozenset[str]]:
    """The entries of each list, of all files together; hosts and URNs in lower case.

    Raises:
        RuleError: an unknown table or list, an entry that says not what it is, or no words.
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
            raise rules.refuse("says not what it is", table, entry)
    return {entry.lower() for entry in entries}
