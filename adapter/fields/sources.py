"""A parsed rule file with its text, from which an error finds the line number of an entry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Rules:
    """One TOML file: its name for error messages, its text for line numbers, its parsed table.

    ``overlay`` marks a site's own file, which may open Z segments and extensions and may replace
    rules of the product's files.
    """

    name: str
    text: str = field(repr=False)
    table: Mapping[str, Any] = field(repr=False)
    overlay: bool = False

    @property
    def kind(self) -> str:
        """The file's ``format``: "roles", "hl7v2", "fhir", "documents", "labels" ..."""
        return str(self.table.get("format", ""))

    def place(self, *keys: str) -> str:
        """Return "file:line" of the entry the keys lead to, or of its table if it has no line.

        The line of an entry of dotted keys (``XCN.1 = "id"``) is its first one.
        """
        wanted = ".".join(keys)
        tables = {wanted, ".".join(keys[:-1])}
        header, best = "", 1
        for number, line in enumerate(self.text.splitlines(), 1):
            stripped = line.strip()
            if stripped.startswith("["):
                header = _plain(stripped.strip("[]"))
                best = number if header in tables else best
            elif "=" in stripped and not stripped.startswith("#") and not header.startswith(wanted):
                entry = _plain(stripped.partition("=")[0])
                found = ".".join(part for part in (header, entry) if part)
                if f"{found}.".startswith(f"{wanted}."):
                    return f"{self.name}:{number}"
        return f"{self.name}:{best}"

    def refuse(self, problem: str, *keys: str) -> RuleError:
        """Return an error about the entry the keys lead to."""
        return RuleError(self.place(*keys), problem)


def _plain(text: str) -> str:
    return text.replace('"', "").replace("'", "").strip()
