"""Leaves of a message, values that have no parts: their texts, and readers of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from adapter.mart.landing.hl7v2.datatypes.primitives import string, uri

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adapter.codecs.hl7v2.escapes import Escapes

NULL = '""'
"""The explicit null: the earlier value is to be removed (HL7 v2.8.2, 2.5.3.2)."""
SYSTEMS = "Systems"
"""The code map of the names of coding systems (table 0396)."""

Made = tuple[str, str, str]
"""A further resource that a value makes: type, id, body."""
CodeMap = dict[str, dict[str, str]]
"""A code as sent -> the Coding that it means."""


class Converter(Protocol):
    """Reads a value; resources beside it are added to ``made``; None where nothing is there."""

    def __call__(self, raw: str, made: list[Made], /) -> Any:
        """Read one value."""


@dataclass(frozen=True, eq=False)
class Leaves:
    """Reads leaves of one set of delimiters."""

    codes: Mapping[str, CodeMap] = field(repr=False)
    escapes: Escapes = field(repr=False)

    @cached_property
    def separators(self) -> tuple[str, str]:
        """What separates components, and what separates their parts."""
        known = self.escapes.delimiters
        return known.component, known.subcomponent

    def leaf(self, raw: str, level: int = 0) -> str:
        """Return the text of a value, of its first part where it has several."""
        for separator in self.separators[level:]:
            if separator in raw:
                raw = raw.partition(separator)[0]
        return self.text(raw)

    def text(self, raw: str) -> str:
        """Return a text as written, with its escapes read."""
        if self.escapes.delimiters.escape in raw:
            raw = self.escapes.read(raw)[0]
        return "" if raw == NULL else raw

    def primitive(self, read: Callable[[str], object | None], level: int) -> Converter:
        """Return a reader of a primitive."""
        leaf, plain = self.leaf, read is string

        def convert(raw: str, _made: list[Made], /) -> object | None:
            if plain and raw.isalnum():  # as most texts are
                return raw
            text = leaf(raw, level)
            return read(text) if text else None

        return convert

    def code(self, codes: CodeMap | None, level: int) -> Converter:
        """Return a reader of a code, as what it means if there is a map."""
        leaf = self.leaf

        def convert(raw: str, _made: list[Made], /) -> str | None:
            text = leaf(raw, level).strip()
            if codes is None:
                return text or None
            known = codes.get(text) or codes.get(text.upper())
            return known["code"] if known else None

        return convert

    def system(self, level: int) -> Converter:
        """Return a reader of a coding system's name: its URI, None where it has none."""
        names, leaf = self.codes[SYSTEMS], self.leaf

        def convert(raw: str, _made: list[Made], /) -> str | None:
            name = leaf(raw, level).strip()
            known = names.get(name)
            return known["code"] if known else uri(name)

        return convert
