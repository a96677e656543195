"""Streaming HL7 v2 and FHIR de-identification: clinical messages in, sanitized messages out.

>>> from adapter import load_ruleset, load_settings, process
>>> ruleset = load_ruleset(load_settings(Path("adapter.toml")))
>>> outcome = process(record, ruleset)  # a Release or a Hold
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adapter.config.settings import Settings, load_settings
    from adapter.pipeline.process import process
    from adapter.pipeline.ruleset import Ruleset
    from adapter.rules.compile import load_ruleset
    from adapter.types import (
        Edit,
        Entity,
        Extraction,
        Hold,
        Label,
        Message,
        Outcome,
        Position,
        Record,
        Release,
        Span,
        TextSegment,
        TrustedPhrase,
    )

_HOMES = {
    "Settings": "config.settings",
    "load_settings": "config.settings",
    "Ruleset": "pipeline.ruleset",
    "process": "pipeline.process",
    "load_ruleset": "rules.compile",
}

__all__ = [
    "Edit",
    "Entity",
    "Extraction",
    "Hold",
    "Label",
    "Message",
    "Outcome",
    "Position",
    "Record",
    "Release",
    "Ruleset",
    "Settings",
    "Span",
    "TextSegment",
    "TrustedPhrase",
    "load_ruleset",
    "load_settings",
    "process",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that the core alone loads no shell."""
    if name not in __all__:
        raise AttributeError(name)
    home = import_module(f"adapter.{_HOMES.get(name, 'types')}")
    return getattr(home, name)
