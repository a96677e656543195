"""Enforces one key domain per project: refuses messages released under another key. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable


def refuse_other_key(keys: Iterable[str], key_id: str, place: str) -> None:
    """Refuse messages under ``key_id`` if messages under other ``keys`` are loaded.

    Raises:
        RuleError: there are others; one person has different surrogates under different keys.
    """
    others = sorted(set(keys) - {"", key_id})
    if others:
        problem = f"is under the key {key_id}, and the mart has messages under {', '.join(others)}"
        raise RuleError(place, f"{problem}: one project is one key domain; use another project")
