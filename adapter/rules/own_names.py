"""Reads a site's own tables of surrogate names (`rules.names`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.surrogates import own_tables

if TYPE_CHECKING:
    from adapter.config.settings import Settings
    from adapter.languages.titles import Titles


def own_names(settings: Settings, titles: Titles) -> dict[str, tuple[str, ...]]:
    """Return the site's own tables of names, which override the shipped ones; empty if it has none.

    Raises:
        RuleError: the folder cannot be read, or a file in it is not a table of names.
    """
    folder = settings.rules.names
    if folder is None:
        return {}
    if not folder.is_dir():
        raise RuleError("rules.names", "is not a folder")
    texts = {}
    for file in sorted(folder.iterdir()):
        try:
            texts[file.name] = file.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise RuleError(str(file), f"cannot be read ({type(error).__name__})") from None
    return own_tables(texts, folder.name, titles)
