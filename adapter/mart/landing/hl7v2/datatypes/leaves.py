"""Readers of leaves, which are values without parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from adapter.mart.landing.hl7v2.datatypes.primitives import string, uri

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adapter.codecs.hl7v2.escapes import Escapes

NULL = '""'
"""The explicit null, which removes the earlier value (HL7 v2.8.2, 2.5.3.2)."""
SYSTEMS = "Systems"
"""Name of the code map for coding systems (table 0396)."""

Made = tuple[str, str, str]
"""A further resource created from a value: (type, id, body)."""
CodeMap = dict[str, dict[str, str]]
"""Code as sent -> the Coding that it is translated to."""


class Converter(Protocol):
    """Reads a value, None if it is empty or invalid; adds further resources to ``made``."""

    def __call__(self, raw: str, made: list[Made], /) -> Any:
        """Read one value."""


@dataclass(frozen=True, eq=False)
class Leaves:
    """Readers of leaves, for one set of delimiters."""

    codes: Mapping[str, CodeMap] = field(repr=False)
    escapes: Escapes = field(repr=False)

    @cached_property
    def separators(self) -> tuple[str, str]:
        """The separators of components and of subcomponents."""
        known = self.escapes.delimiters
        return known.component, known.subcomponent

    def leaf(self, raw: str, level: int = 0) -> str:
        """Return the text of a value; if it has parts, that of the first one."""
        for separator in self.separators[level:]:
            if separator in raw:
                raw = raw.partition(separator)[0]
        return self.text(raw)

    def text(self, raw: str) -> str:
        """Return the unescaped text; "" for the explicit null."""
        if self.escapes.delimiters.escape in raw:
            raw = self.escapes.read(raw)[0]
        return "" if raw == NULL else raw

    def primitive(self, read: Callable[[str], object | None], level: int) -> Converter:
        """Return a reader of a primitive."""
        leaf, plain = self.leaf, read is string

        def convert(raw: str, _made: list[Made], /) -> object | None:
            if plain and raw.isalnum():  # fast path, for most texts
                return raw
            text = leaf(raw, level)
            return read(text) if text else None

        return convert

    def code(self, codes: CodeMap | None, level: int) -> Converter:
        """Return a reader of a code, translated if there is a code map."""
        leaf = self.leaf

        def convert(raw: str, _made: list[Made], /) -> str | None:
            text = leaf(raw, level).strip()
            if codes is None:
                return text or None
            known = codes.get(text) or codes.get(text.upper())
            return known["code"] if known else None

        return convert

    def system(self, level: int) -> Converter:
        """Return a reader of a coding system's name, which gives its URI, or None."""
        names, leaf = self.codes[SYSTEMS], self.leaf

        def convert(raw: str, _made: list[Made], /) -> str | None:
            name = leaf(raw, level).strip()
            known = names.get(name)
            return known["code"] if known else uri(name)

        return convert
