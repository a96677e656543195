"""HL7 v2 rules: segment lists give the handling of fields, datatypes that of their components.

Lists of a segment: ``keep`` (codes and values, and the descriptive text of codes), ``scan`` (the
same, but descriptive text is free text), ``shift`` (dates), ``ids`` (numbers of orders, visits,
things), ``drop`` (reviewed and not passed). ``[SEG.fields]`` holds rules of several words
("patient", "kin birthdate", "drop"). A field that no list names is dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter.fields.rule import DATES, DROP, Role, Spec, act, parse
from adapter.types import Action, Handling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.fields.sources import Rules
    from adapter.fields.vocabulary import Vocabulary

LISTS = ("keep", "scan", "shift", "ids", "drop")
KEYS = frozenset({*LISTS, "fields"})
TOP = frozenset({"format", "datatypes"})
_POSITIONS = re.compile(r"[1-9]\d*(\.[1-9]\d*){0,2}")
_RANGE = re.compile(r"([1-9]\d*)(?:-([1-9]\d*))?")


@dataclass(frozen=True, slots=True)
class FieldRule:
    """A field's rule: its list ("fields" if given in words), its words, and the file's name."""

    listed: str
    spec: Spec
    source: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Datatype:
    """A datatype's rules: one for a primitive, or one for each component of a composite.

    ``role`` is the owner's role if the field's rule gives none.
    """

    primitive: Spec | None = None
    components: Mapping[int, Spec] | None = None
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Hl7Fields:
    """The compiled HL7 v2 allow-list."""

    fields: Mapping[str, FieldRule]
    datatypes: Mapping[str, Datatype]
    roles: Mapping[str, Role]
    replaced: tuple[str, ...] = ()

    def rule(self, element: str) -> tuple[str, FieldRule] | None:
        """Return the nearest (element, rule) of "PID-5.1.1", its component or field, or None."""
        while element not in self.fields:
            element, dot, _ = element.rpartition(".")
            if not dot:
                return None
        return element, self.fields[element]

    def action(self, element: str, datatype: str) -> Action:
        """Return the action for one leaf, or DROP if no list names it."""
        listing = self.rule(element)
        if listing is None or listing[1].listed == "drop":
            return DROP
        key, rule = listing
        if rule.spec.handling is not None:
            return act(rule.spec, rule.spec, Handling.SCAN, self.roles)
        if "." in key and rule.spec.part is not None:
            return act(rule.spec, rule.spec, Handling.SCAN, self.roles)
        return self._typed(rule, element, datatype)

    def _typed(self, rule: FieldRule, element: str, datatype: str) -> Action:
        found = self._leaf(rule, datatype)
        if found is None and element.startswith("Z"):
            untyped = _DATED if rule.listed == "shift" else _DESCRIPTIVE
            found = _plain(untyped, [], rule), rule.spec.role
        if found is None:
            return DROP
        leaf, role = found
        if leaf.handling is Handling.SHIFT and rule.spec.part in DATES:
            leaf = rule.spec
        whose = rule.spec if role == rule.spec.role else Spec(role=role)
        mode = Handling.KEEP if rule.listed == "keep" else Handling.SCAN
        return act(leaf, whose, mode, self.roles)

    def _leaf(self, rule: FieldRule, datatype: str) -> tuple[Spec, str | None] | None:
        """Return the leaf's rule and its owner's role by its datatypes, or None without a rule."""
        name, *positions = datatype.split(".")
        role = rule.spec.role
        while known := self.datatypes.get(name):
            if known.primitive is not None:
                return _plain(known.primitive, positions, rule), role
            role = role or known.role
            spec = (known.components or {}).get(int(positions[0]) if positions else 1)
            if spec is None:
                return None
            role = spec.role or role
            if spec.datatype is None:
                return spec, role
            name, positions = spec.datatype, positions[1:]
        return None


_DESCRIPTIVE, _DATED = Spec(text=True), Spec(handling=Handling.SHIFT)


def _plain(known: Spec, positions: Sequence[str], rule: FieldRule) -> Spec:
    """Return the rule of a plain value: by the field's part, its list, or its datatype."""
    if rule.spec.part is not None or rule.spec.text:
        return rule.spec
    if positions not in ([], ["1"]):
        return _DESCRIPTIVE
    if rule.listed == "ids" and (known.text or known.handling is Handling.KEEP):
        return Spec(part="id")
    if rule.spec.role and known.text:
        return Spec(named=True)
    return known


def compile_hl7(
    tables: Sequence[Rules], roles: Mapping[str, Role], vocabulary: Vocabulary
) -> Hl7Fields:
    """Compile the files of format "hl7v2".

    Raises:
        RuleError: a field, datatype or word is unknown, the product's own files list a field
        twice, or a list does not suit the field's datatype.
    """
    datatypes: dict[str, Datatype] = {}
    for rules in tables:
        datatypes |= dict(_datatypes(rules, roles, vocabulary))
    fields: dict[str, FieldRule] = {}
    replaced = []
    for rules in tables:
        for keys, element, rule in _listed(rules, roles):
            if element in fields and (not rules.overlay or fields[element].source == rules.name):
                raise rules.refuse(f"{element} is listed twice", *keys)
            if problem := _check(element, rule, vocabulary, datatypes):
                raise rules.refuse(problem, *keys)
            if element in fields:
                replaced.append(f"{rules.name}: {element} replaces {fields[element].source}")
            fields[element] = rule
    return Hl7Fields(fields, datatypes, roles, tuple(replaced))


def _datatypes(
    rules: Rules, roles: Mapping[str, Role], vocabulary: Vocabulary
) -> Iterator[tuple[str, Datatype]]:
    """Yield a file's datatypes; a datatype that is "like" another has the other's rules."""
    table = rules.table.get("datatypes", {})
    known = {*vocabulary.components, *table}
    for name, entry in table.items():
        origin = entry.get("like", name) if isinstance(entry, dict) else name
        try:
            yield name, _datatype(table.get(origin), roles, known)
        except ValueError as error:
            raise rules.refuse(f"{name}: {error}", "datatypes", name) from None
        most = vocabulary.components.get(origin, 0)
        if any(key.isdigit() and int(key) > most for key in _keys(table[origin])):
            raise rules.refuse(f"{origin} has no such component", "datatypes", origin)


def _keys(entry: Any) -> Iterable[str]:
    return entry if isinstance(entry, dict) else ()


def _datatype(entry: Any, roles: Mapping[str, Role], known: set[str]) -> Datatype:
    if isinstance(entry, str):
        return Datatype(primitive=parse(entry, roles))
    if not isinstance(entry, dict) or "like" in entry:
        raise ValueError("is like a datatype that has no rules of its own")
    components = {
        int(position): parse(words, roles, known)
        for position, words in entry.items()
        if position != "role"
    }
    role = entry.get("role")
    if role is not None and role not in roles:
        raise ValueError(f"unknown role '{role}'")
    return Datatype(components=components, role=role)


def _listed(
    rules: Rules, roles: Mapping[str, Role]
) -> Iterator[tuple[tuple[str, ...], str, FieldRule]]:
    """Yield (keys of the entry for error messages, element, rule) for each listing of a file."""
    for segment, table in rules.table.items():
        if segment in TOP:
            continue
        if unknown := set(table) - KEYS:
            raise rules.refuse(f"unknown list '{min(unknown)}'", segment, min(unknown))
        for listed in LISTS:
            for number in _numbers(rules, segment, listed, table.get(listed, "")):
                rule = FieldRule(listed, Spec(), rules.name)
                yield (segment, listed), f"{segment}-{number}", rule
        for position, entry in table.get("fields", {}).items():
            keys = (segment, "fields", position)
            if not _POSITIONS.fullmatch(position):
                raise rules.refuse(f"'{position}' is not a field or component number", *keys)
            yield keys, f"{segment}-{position}", _worded(rules, keys, entry, roles)


def _numbers(rules: Rules, segment: str, listed: str, text: str) -> Iterator[int]:
    for item in text.split():
        match = _RANGE.fullmatch(item)
        if match is None:
            raise rules.refuse(f"'{item}' is not a field number or range", segment, listed)
        first = int(match[1])
        yield from range(first, int(match[2] or first) + 1)


def _worded(
    rules: Rules, keys: tuple[str, ...], entry: Any, roles: Mapping[str, Role]
) -> FieldRule:
    words, reason = (entry, "") if isinstance(entry, str) else (entry["is"], entry["why"])
    try:
        spec = parse(words, roles)
    except ValueError as error:
        raise rules.refuse(str(error), *keys) from None
    return FieldRule("fields", spec, rules.name, reason)


FREE = frozenset({"family", "street", "phone", "full", "given", "address"})
"""Parts that make a datatype personal, so that a field of that datatype needs a role."""


def _check(
    element: str,
    rule: FieldRule,
    vocabulary: Vocabulary,
    datatypes: Mapping[str, Datatype],
) -> str:
    """Return the problem of a listing; "" if there is none."""
    known = vocabulary.fields.get(element.partition(".")[0])
    if known is None:
        return "" if element.startswith("Z") else f"{element} is not a field of HL7 v2"
    if rule.spec.handling is Handling.KEEP and not rule.reason:
        return f"{element} is kept whole and needs a reason ('why')"
    for name in sorted(known):
        if problem := _unsuitable(rule, name, datatypes):
            return f"{element} ({name}) {problem}"
    return ""


def _unsuitable(rule: FieldRule, name: str, datatypes: Mapping[str, Datatype]) -> str:
    datatype = datatypes.get(name)
    if rule.listed == "drop" or rule.spec.handling is not None or datatype is None:
        return ""
    parts = {spec.part for spec in (datatype.components or {}).values()} | {
        datatype.primitive.part if datatype.primitive else None
    }
    handlings = {spec.handling for spec in (datatype.components or {}).values()} | {
        datatype.primitive.handling if datatype.primitive else None
    }
    plain = datatype.primitive
    worded = rule.spec.part or rule.spec.text
    if rule.listed == "fields" and plain and plain.handling is Handling.KEEP and not worded:
        return "needs a part for when it is one plain value"
    if rule.listed != "fields" and parts & FREE and datatype.role is None:
        return "names a person, place or number and needs a role"
    if rule.listed == "keep" and (parts - {None} or handlings & {Handling.SHIFT}):
        return "cannot be kept: it holds a name, number or date"
    if rule.listed == "scan" and datatype.primitive and parts - {None}:
        return "needs a role or a list of its own"
    return ""
