"""Lexical grammars: what a value of a kept place may look like."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

KEYS = frozenset(
    {"forms", "coded", "never", "check", "otherwise", "listed", "closed", "dated", "worded"}
)
CHECKS = frozenset({"code", "display", "number", "system", "text", "unit", "version"})
"""What can be calculated of a value besides its forms."""


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """The forms of a value; compared by identity, to key a memo.

    ``drops`` says that what has none of them is dropped rather than scanned; ``listed``, that its
    words are those of a list of codes; ``closed``, that they are besides nobody's name and no
    town's; ``coded``, forms that count beside a code of a published system only; ``dated``, that a
    day which the message has elsewhere is none; ``worded``, that a word alone which is nobody's
    name and no town's proves itself.
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
        """Whether a value has one of the forms, and none that is excepted."""
        return _any(self.forms, text) and not self.excepts(text)

    def codes(self, text: str) -> bool:
        """Whether a value has a form that counts beside a code of a published system only."""
        return _any(self.coded, text)

    def excepts(self, text: str) -> bool:
        """Whether a value has a form that is none, whatever else says so."""
        return _any(self.never, text)


def _any(patterns: Iterable[regex.Pattern[str]], text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern in patterns)


def compile_grammar(name: str, table: Mapping[str, Any]) -> Grammar:
    """Compile one ``[grammars.<name>]``.

    Raises:
        ValueError: an unknown key or word, or a form that is no regular expression.
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
        ValueError: one is none.
    """
    try:
        return tuple(regex.compile(form) for form in forms)
    except regex.error as error:
        raise ValueError(f"not a regular expression: {error}") from None
