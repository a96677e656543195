"""Reads lexicons, and checks them against the digest in their source."""

from __future__ import annotations

import hashlib
import tomllib
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from adapter.errors import RuleError
from adapter.taggers.wordlists import Lexicon

if TYPE_CHECKING:
    from pathlib import Path

LEXICON = ("items.txt", "exceptions.txt")
_LEXICONS: WeakValueDictionary[tuple[str, str], Lexicon] = WeakValueDictionary()
"""Lexicons in use, by the digest of their items and by their exceptions: rulesets share them."""


def read_lexicon(folder: Path) -> Lexicon:
    """Read a lexicon, and check its items against the digest in its source.

    Raises:
        RuleError: the lexicon has no items, or they do not match the digest.
    """
    items, exceptions = (text_of(folder / name) for name in LEXICON)
    if not items:
        raise RuleError(f"lexicons/{folder.name}", "has no items.txt")
    content = f"sha256:{hashlib.sha256(items.encode()).hexdigest()}"
    if tomllib.loads(text_of(folder / "source.toml")).get("digest") not in {None, content}:
        raise RuleError(
            f"lexicons/{folder.name}/source.toml", "digest does not match items.txt; update it"
        )
    known = _LEXICONS.get((content, exceptions))
    if known is None:
        known = _LEXICONS[content, exceptions] = Lexicon.parse(items, exceptions)
    return known


def text_of(file: Path) -> str:
    """Return the text of a file; "" if there is none."""
    return file.read_text(encoding="utf-8") if file.is_file() else ""
