"""What senders call the codes of HL7's tables and the like, in the configured languages.

``R^Rutina^HL70485``, ``SPO^Ehepartner^HL70063``: whole displays, of the lexicons
``rules/lexicons/<language>-label``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.normalize.folding import fold
from adapter.values.vocabulary import NAME, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.values.systems import CodeSystems


@dataclass(frozen=True, slots=True)
class Labels:
    """Folded displays; ``nameless`` are the words that are no names of people and towns."""

    displays: frozenset[str] = field(repr=False)
    systems: CodeSystems = field(repr=False)
    nameless: Vocabulary = field(repr=False)

    def has(self, text: str, near: Sequence[str]) -> bool:
        """Whether a text is a display; one that is a lone name, only beside HL7's systems.

        ``near`` are the texts beside it, its system first.
        """
        display = fold(text)
        if display not in self.displays:
            return False
        if " " in display or not self.nameless.calls(display):
            return True
        return bool(near) and any(system.labelled for system in self.systems.named(near[0]))

    def begins(self, code: str, near: Sequence[str]) -> bool:
        """Whether a code begins a word of its known display: "ENDO", "Endocrinology".

        ``near`` are the texts beside it, its system and its display.
        """
        if not near[1:] or len(code) < NAME or not code.isalpha():
            return False
        display = near[1].strip()
        words = (word for word in fold(display).split() if len(word) > len(code))
        return self._is_known(display) and any(word.startswith(fold(code)) for word in words)

    def _is_known(self, display: str) -> bool:
        listed = fold(display) in self.displays
        return listed or self.nameless.knows(display) or self.nameless.knows_phrase(display)
