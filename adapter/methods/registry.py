"""Every method by its name; adding one is its module and one line here.

A method's module is imported when it is asked for, because some need libraries of an extra.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from adapter.errors import RuleError

if TYPE_CHECKING:
    from adapter.methods.protocol import Method


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a method is (module:class), what it rebuilds, and the extra that it needs.

    ``reported`` are the figures of its paper, and on what data.
    """

    place: str
    source: str
    reported: str
    extra: str = ""


METHODS: dict[str, Entry] = {
    "identifier-rules": Entry(
        "identifier_rules:IdentifierRules",
        "Saluja 2019, baseline",
        "MEDDOCAN, own split: P .628 R .424 F .506",
    ),
    "bilstm-crf": Entry(
        "bilstm_crf.method:BiLstmCrf",
        "Saluja 2019; Ma & Hovy 2016",
        "MEDDOCAN, own split: P .957 R .913 F .935",
        "neural",
    ),
}
"""All methods."""


def method(name: str) -> Method:
    """The method of a name.

    Raises:
        RuleError: there is none, or its extra is not installed.
    """
    entry = METHODS.get(name)
    if entry is None:
        raise RuleError("--method", f"no such method: '{name}'; there are {', '.join(METHODS)}")
    module, _, of = entry.place.partition(":")
    try:
        made: Method = getattr(import_module(f"adapter.methods.{module}"), of)()
    except ModuleNotFoundError as error:
        if not entry.extra or str(error.name).startswith("adapter"):
            raise
        raise RuleError("--method", f"{name} needs the extra '{entry.extra}'") from None
    return made
