"""HL7 v2 tables for the codec and the field policy, generated from hl7apy's dictionaries.

One table covers all versions: a field or component is listed with each version that changes its
datatype. hl7apy's own tables have gaps (rows absent from 2.6 and 2.8 on), and mark withdrawn
fields ``WD`` although they are still sent (PID-19 in 2.7); both keep the datatype of the previous
version. hl7apy is imported only when :func:`build` or :func:`tables` runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VERSIONS = (
    "2.1",
    "2.2",
    "2.3",
    "2.3.1",
    "2.4",
    "2.5",
    "2.5.1",
    "2.6",
    "2.7",
    "2.8",
    "2.8.1",
    "2.8.2",
)
"""The versions of hl7apy 1.3.5, oldest first."""

UNTYPED = frozenset({None, "", "-", "WD", "wd", "NUL", "None"})
"""hl7apy's values for a row without a datatype in a version."""

Row = tuple[str, str, str | None, str]
"""(version, key "PID_5" or "XPN_1", datatype, long name)."""


def _libraries() -> Iterator[tuple[str, Any]]:
    from hl7apy import load_library  # noqa: PLC0415 - only the generator needs it

    for version in VERSIONS:
        yield version, load_library(version)


def _typed(datatype: str | None, structures: dict[str, Any]) -> str | None:
    """Return the datatype, or None for an untyped row or a CM without components."""
    if datatype in UNTYPED or (datatype == "CM" and "CM" not in structures):
        return None
    return datatype


def _rows(version: str, table: dict[str, Any], structures: dict[str, Any]) -> Iterator[Row]:
    for key, row in table.items():
        yield version, key, _typed(row[2], structures), row[3]


def _changes(rows: Iterable[Row]) -> dict[str, dict[int, dict[str, Any]]]:
    """Return owner -> position -> {"name", "types"}, types for the versions that change them."""
    owners: dict[str, dict[int, dict[str, Any]]] = {}
    for version, key, datatype, name in rows:
        owner, _, position = key.rpartition("_")
        entry = owners.setdefault(owner, {}).setdefault(int(position), {"name": "", "types": []})
        entry["name"] = name or entry["name"]
        types = entry["types"]
        if datatype is not None and (not types or types[-1][1] != datatype):
            types.append([version, datatype])
    return owners


def _sorted(owners: dict[str, dict[int, dict[str, Any]]], untyped: str) -> dict[str, Any]:
    """Return the owners as JSON: positions as strings in order, a type for every row."""
    return {
        owner: {
            str(position): [entry["name"], entry["types"] or [[VERSIONS[0], untyped]]]
            for position, entry in sorted(places.items())
        }
        for owner, places in sorted(owners.items())
    }


def build() -> dict[str, Any]:
    """Return the tables, ready for JSON.

    ``versions``: names, oldest first. ``fields``: segment -> number -> [name, [[version, datatype],
    ...]]. ``datatypes``: composite datatype -> component number -> the same pair. A datatype holds
    from its version until the next one listed, the first also in earlier versions. ``structures``:
    names of message structures, one per line; ``groups``: names of segment groups within them.
    """
    fields: list[Row] = []
    components: list[Row] = []
    for version, library in _libraries():
        structures = library.DATATYPES_STRUCTS
        fields += _rows(version, library.FIELDS, structures)
        components += _rows(version, library.DATATYPES, structures)
    return {
        "versions": list(VERSIONS),
        "fields": _sorted(_changes(fields), "CM"),
        "datatypes": _sorted(_changes(components), "ST"),
        **_structures(),
    }


def _structures() -> dict[str, str]:
    """Return the names of HL7 v2 XML elements: "ORU_R01", and "PATIENT" of "ORU_R01.PATIENT"."""
    structures: set[str] = set()
    groups: set[str] = set()
    for _, library in _libraries():
        structures |= set(library.MESSAGES)
        groups |= set(library.GROUPS)
    within = {
        group.removeprefix(f"{structure}_")
        for group in groups
        for structure in structures
        if group.startswith(f"{structure}_")
    }
    return {
        "structures": "\n".join(sorted(structures)),
        "groups": "\n".join(sorted(within - structures)),
    }


def tables() -> dict[str, Any]:
    """Return the code tables of HL7 and their places, ready for JSON.

    ``places``: a field ("PID-8") or a component of a datatype ("XPN.7") -> the numbers of its
    tables in any version; ``codes``: a table's number -> its codes in any version, one per line.
    """
    places: dict[str, set[str]] = {}
    codes: dict[str, set[str]] = {}
    for _, library in _libraries():
        for mark, rows in (("-", library.FIELDS), (".", library.DATATYPES)):
            for key, row in rows.items():
                if row[4]:
                    owner, _, position = key.rpartition("_")
                    places.setdefault(f"{owner}{mark}{position}", set()).add(_number(row[4]))
        for name, (_, listed) in getattr(library, "TABLES", {}).items():
            codes.setdefault(_number(name), set()).update(code for code in listed if code)
    return {
        "places": {place: sorted(numbers) for place, numbers in sorted(places.items())},
        "codes": {number: "\n".join(sorted(listed)) for number, listed in sorted(codes.items())},
    }


def _number(table: str) -> str:
    return table.removeprefix("HL7")
