"""One project is one key domain: messages released under another key are refused. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable


def refuse_other_key(keys: Iterable[str], key_id: str, place: str) -> None:
    """Refuse messages under a key where messages under another are loaded; ``keys`` are theirs.

    Raises:
        RuleError: surrogates of the two keys would be taken for those of different persons.
    """
    others = sorted(set(keys) - {"", key_id})
    if others:
        told = f"is under the key {key_id}, and the mart has messages under {', '.join(others)}"
        raise RuleError(place, f"{told}: one project is one key domain; use another project")
