"""The mapping tables of ``rules/mart/hl7v2``: checks and merges the parsed files, without I/O."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.mart.landing.numbers import Numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.mart.landing.hl7v2.datatypes.leaves import CodeMap

_PARTS = frozenset(
    "datatype codes resource map begin clears keys link event ignore values numbers tests".split()
)


@dataclass(frozen=True, eq=False)
class Tables:
    """All mapping tables; each attribute is a top-level table of the files."""

    datatype: Mapping[str, Mapping[str, Any]] = field(repr=False)
    codes: Mapping[str, CodeMap] = field(repr=False)
    resource: Mapping[str, Mapping[str, Any]] = field(repr=False)
    map: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(repr=False)
    begin: Mapping[str, Mapping[str, list[str]]] = field(repr=False)
    clears: Mapping[str, list[str]] = field(repr=False)
    keys: Mapping[str, list[str]] = field(repr=False)
    link: Sequence[Mapping[str, Any]] = field(repr=False)
    event: Mapping[str, Mapping[str, Any]] = field(repr=False)
    ignore: Mapping[str, list[int]] = field(repr=False)
    values: Mapping[str, str] = field(repr=False)
    numbers: Numbers = field(repr=False)
    tests: Sequence[Mapping[str, Any]] = field(repr=False)


def tables_of(files: Iterable[tuple[str, Mapping[str, Any]]]) -> Tables:
    """Return the tables of files, given as (name, parsed TOML).

    Raises:
        RuleError: two files define the same entry, or one has an unknown table.
    """
    merged: dict[str, Any] = {part: {} for part in _PARTS}
    merged |= {"link": [], "tests": []}
    for name, parsed in files:
        for part, entries in parsed.items():
            if part not in _PARTS:
                raise RuleError(name, f"no such table: {part}")
            if isinstance(entries, list):
                merged[part].extend({"file": name, **entry} for entry in entries)
            else:
                _add(merged[part], entries, f"{name}: {part}")
    merged["codes"] = {name: code_map(codes) for name, codes in merged["codes"].items()}
    merged["numbers"] = Numbers.read(merged["numbers"])
    return Tables(**merged)


def _add(known: dict[str, Any], entries: Mapping[str, Any], where: str) -> None:
    for name, entry in entries.items():
        if isinstance(entry, dict) and isinstance(known.get(name), dict):
            _add(known[name], entry, f"{where}.{name}")
        elif name in known:
            raise RuleError(where, f"{name} is defined twice")
        else:
            known[name] = dict(entry) if isinstance(entry, dict) else entry


def code_map(table: Mapping[str, Any]) -> CodeMap:
    """Return a code map; ``system`` is the default coding system of its targets.

    A target is "code", "code|display" or "code|display|system".
    """
    system = table.get("system", "")
    return {
        sent: _coding(str(target), system) for sent, target in table.items() if sent != "system"
    }


def _coding(target: str, system: str) -> dict[str, str]:
    code, display, own = (*target.split("|"), "", "")[:3]
    coding = {"code": code, "display": display, "system": own or system}
    return {name: text for name, text in coding.items() if text}
