"""Rules for texts inside messages: plain, HTML and RTF documents, and C-CDA by element path.

A C-CDA leaf is "cda:ClinicalDocument/recordTarget/patientRole/id/@extension". Its longest listed
ending gives its handling, its nearest listed ancestor the role of its owner.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.fields.rule import DROP, Role, Spec, act, parse
from adapter.types import Action, Handling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.fields.sources import Rules

KEYS = frozenset({"format", "elements", "markup", "cda"})
_MARKUP = re.compile(r"[@#].*")
LONGEST = 3
"""Maximum number of steps in the ending of a C-CDA rule."""


@dataclass(frozen=True, slots=True)
class DocumentFields:
    """The compiled rules for documents.

    ``elements`` is keyed by whole texts ("text", "html", "rtf"), ``markup`` by values in tags
    ("@href", "#comment"), ``endings`` by the last steps of C-CDA paths, ``ancestors`` by steps
    above them that give the role of a value, or mark everything below them as text.
    """

    elements: Mapping[str, Spec]
    markup: Mapping[str, Spec]
    endings: Mapping[str, Spec]
    ancestors: Mapping[str, Spec]
    roles: Mapping[str, Role]

    def action(self, element: str) -> Action:
        """Return the action for a text, its markup or a C-CDA leaf, or DROP if none is listed."""
        if element.startswith("cda:"):
            return self._cda(element.removeprefix("cda:").split("/"))
        mark = _MARKUP.search(element)
        spec = self.markup.get(mark[0]) if mark else self.elements.get(element)
        return DROP if spec is None else act(spec, spec, Handling.SCAN, self.roles)

    def _cda(self, steps: Sequence[str]) -> Action:
        above = next((self.ancestors[s] for s in reversed(steps[:-1]) if s in self.ancestors), None)
        leaf = self._ending(steps)
        if above is not None and above.handling is not None and not _MARKUP.match(steps[-1]):
            leaf = above
        if leaf is None:
            return DROP
        whose = leaf if leaf.role is not None else above or Spec()
        return act(leaf, whose, Handling.SCAN, self.roles)

    def _ending(self, steps: Sequence[str]) -> Spec | None:
        for count in range(min(LONGEST, len(steps)), 0, -1):
            if spec := self.endings.get("/".join(steps[-count:])):
                return spec
        return None


def compile_documents(tables: Sequence[Rules], roles: Mapping[str, Role]) -> DocumentFields:
    """Compile the files of format "documents".

    Raises:
        RuleError: a table or word is unknown, or an ending is too long.
    """
    for rules in tables:
        if unknown := set(rules.table) - KEYS:
            raise rules.refuse(f"unknown table '{min(unknown)}'", min(unknown))
    return DocumentFields(
        dict(_specs(tables, ("elements",), roles)),
        dict(_specs(tables, ("markup",), roles)),
        dict(_specs(tables, ("cda", "endings"), roles)),
        dict(_specs(tables, ("cda", "ancestors"), roles)),
        roles,
    )


def _specs(
    tables: Sequence[Rules], path: tuple[str, ...], roles: Mapping[str, Role]
) -> Iterator[tuple[str, Spec]]:
    for rules in tables:
        table = rules.table
        for step in path:
            table = table.get(step, {})
        for name, words in table.items():
            if name.count("/") >= LONGEST:
                raise rules.refuse(f"{name} has more than {LONGEST} steps", *path, name)
            try:
                yield name, parse(words, roles)
            except ValueError as error:
                raise rules.refuse(str(error), *path, name) from None
