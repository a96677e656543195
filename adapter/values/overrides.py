"""Overrides of the field policy for values of known form: dropped forms and postal codes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.types import Action, Handling, Label
from adapter.values.grammars import compile_forms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import regex

    from adapter.types import Message

DROP = Action(Handling.DROP)
ZIP = Action(Handling.SURROGATE, Label.ZIP, part="zip")
_QUESTIONS = ("-3.1", "-3.2", "-3.5")
"""Path endings of an observation's question (OBX-3), which its OBX-5 answers."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """Patterns of dropped values by datatype, of postal codes, and of questions for these codes."""

    dropped: Mapping[str, regex.Pattern[str]] = field(default_factory=dict, repr=False)
    postal: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)
    questions: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)

    def of(self, message: Message, texts: Mapping[str, str]) -> Iterator[tuple[int, Action]]:
        """Yield the index and the action of each segment to drop and of each postal code."""
        for number, segment in enumerate(message.segments):
            form = self.dropped.get(segment.datatype)
            if form is not None and form.fullmatch(segment.text):
                yield number, DROP
            elif segment.element == "OBX-5" and self._is_postal(segment.text, segment.path, texts):
                yield number, ZIP

    def _is_postal(self, text: str, path: str, texts: Mapping[str, str]) -> bool:
        if not any(form.fullmatch(text) for form in self.postal):
            return False
        holder = path.rpartition("-")[0]
        asked = (texts.get(holder + end, "") for end in _QUESTIONS)
        return any(form.search(question) for question in asked for form in self.questions)


def compile_overrides(table: Mapping[str, Any]) -> Overrides:
    """Compile ``[hl7v2.overrides]`` of places.toml.

    Raises:
        ValueError: a form is not a regular expression.
    """
    dropped = table.get("dropped", {})
    return Overrides(
        dict(zip(dropped, compile_forms(dropped.values()), strict=True)),
        compile_forms(table.get("postal", ())),
        compile_forms(table.get("questions", ())),
    )
