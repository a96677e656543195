"""Lexical grammars of the values of kept places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

KEYS = frozenset(
    {"forms", "coded", "never", "check", "otherwise", "listed", "closed", "dated", "worded"}
)
CHECKS = frozenset({"code", "display", "number", "published", "system", "text", "unit", "version"})
"""Checks that a grammar may apply to a value besides matching its forms."""


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """The forms of a value; compared by identity, so that it can key memo tables.

    ``drops``: a value that is not proved is dropped rather than scanned. ``listed``: the words of
    the value must be those of a list of codes. ``closed``: and they must not be names of people or
    towns. ``coded``: forms that count only beside a code of a published system. ``dated``: a day
    that the message has in a date field is rejected. ``worded``: a known word alone is accepted
    unless it is the name of a person or town. ``never``: forms that are always rejected.
    """

    name: str
    forms: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)
    never: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)
    check: str = ""
    drops: bool = False
    listed: bool = False
    coded: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)
    dated: bool = False
    closed: bool = False
    worded: bool = False

    def fits(self, text: str) -> bool:
        """Whether a value matches one of the forms and none of ``never``."""
        return _any(self.forms, text) and not self.excepts(text)

    def codes(self, text: str) -> bool:
        """Whether a value matches a form that counts only beside a code of a published system."""
        return _any(self.coded, text)

    def excepts(self, text: str) -> bool:
        """Whether a value matches a form of ``never``."""
        return _any(self.never, text)


def _any(patterns: Iterable[regex.Pattern[str]], text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern in patterns)


def compile_grammar(name: str, table: Mapping[str, Any]) -> Grammar:
    """Compile one ``[grammars.<name>]``.

    Raises:
        ValueError: a key or word is unknown, or a form is not a regular expression.
    """
    if unknown := set(table) - KEYS:
        raise ValueError(f"unknown key '{min(unknown)}'")
    if table.get("check", "text") not in CHECKS:
        raise ValueError(f"unknown check '{table['check']}'")
    if table.get("otherwise", "scan") not in {"scan", "drop"}:
        raise ValueError("otherwise must be 'scan' or 'drop'")
    return Grammar(
        name,
        compile_forms(table.get("forms", ())),
        compile_forms(table.get("never", ())),
        table.get("check", ""),
        table.get("otherwise") == "drop",
        bool(table.get("listed", False)),
        compile_forms(table.get("coded", ())),
        bool(table.get("dated", False)),
        bool(table.get("closed", False)),
        bool(table.get("worded", False)),
    )


def compile_forms(forms: Iterable[str]) -> tuple[regex.Pattern[str], ...]:
    """Compile regular expressions.

    Raises:
        ValueError: a form is not a regular expression.
    """
    try:
        return tuple(regex.compile(form) for form in forms)
    except regex.error as error:
        raise ValueError(f"not a regular expression: {error}") from None
