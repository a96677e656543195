"""The words of a field rule, and the action that they result in.

A rule is a few words in any order: "patient", "patient id SSN", "kin birthdate", "keep",
"HD authority", "staff @segment". Each word is a handling, a part, a role, a label, a scope or the
name of a datatype whose own rule then applies; these sets do not overlap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adapter.types import Action, Handling, Label

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

DATES = frozenset({"birthdate", "deathdate", "date"})
"""Parts that are shifted."""

PART_LABELS: dict[str, str] = {
    **dict.fromkeys(("family", "given", "middle", "full", "initials"), "name"),
    **dict.fromkeys(("prefix", "suffix", "degree"), "name"),
    **dict.fromkeys(("street", "address"), "STREET"),
    **dict.fromkeys(DATES, "DATE"),
    "city": "CITY",
    "state": "STATE",
    "zip": "ZIP",
    "country": "COUNTRY",
    "county": "LOCATION-OTHER",
    "phone": "PHONE",
    "fax": "FAX",
    "email": "EMAIL",
    "url": "URL",
    "uri": "URL",
    "reference": "IDNUM",
    "ip": "IPADDR",
    "id": "id",
    "org": "org",
    "age": "AGE",
    "sex": "",
    "profession": "PROFESSION",
    "username": "USERNAME",
}
"""Part -> its label, or the kind of the role's label that it takes ("name", "org", "id")."""

PARTS = frozenset(PART_LABELS)
SCOPES = frozenset({"message", "segment", "repetition"})
LABELS = frozenset(str(label) for label in Label)
HANDLINGS = frozenset({"keep", "scan", "shift", "drop", "hold"})
DROP = Action(Handling.DROP)
KEEP = Action(Handling.KEEP)
SCAN = Action(Handling.SCAN)
HOLD = Action(Handling.HOLD)
PLAIN: dict[Handling, Action] = {
    Handling.DROP: DROP,
    Handling.KEEP: KEEP,
    Handling.SCAN: SCAN,
    Handling.HOLD: HOLD,
    Handling.SHIFT: Action(Handling.SHIFT, Label.DATE, part="date"),
}
"""Actions that need no role."""


@dataclass(frozen=True, slots=True)
class Role:
    """The role of a field's owner: labels of name, organisation and number, and scopes.

    ``kind`` is the kind of owner that one plain text names: a "person", an "org", a "system" (whose
    names are handled as numbers) or "" (none of them). ``scope`` applies in HL7 v2 and documents,
    ``resource_scope`` in FHIR.
    """

    id: str
    kind: str
    name: Label
    org: Label
    number: Label
    scope: str
    resource_scope: str


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed rule; attributes that the words do not give are None.

    ``text`` marks descriptive text (kept or scanned as the enclosing rule says), ``named`` text
    that is a name when the role is a person or an organisation, and descriptive otherwise.
    """

    handling: Handling | None = None
    part: str | None = None
    label: Label | None = None
    role: str | None = None
    scope: str | None = None
    datatype: str | None = None
    text: bool = False
    named: bool = False

    @property
    def decides(self) -> bool:
        """Whether the rule alone decides the handling of a plain value."""
        return bool(self.part or self.handling or self.text or self.named)


def parse(words: str, roles: Container[str], datatypes: Container[str] = ()) -> Spec:
    """Parse the words of a rule.

    Raises:
        ValueError: a word is unknown, or two words give the same attribute.
    """
    found: dict[str, object] = {}
    for word in words.split():
        key, value = _read(word, roles, datatypes)
        if key in found:
            raise ValueError(f"'{word}' is a second {key}")
        found[key] = value
    if not found:
        raise ValueError("an empty rule")
    if "handling" in found and "part" in found:
        raise ValueError("both a handling and a part")
    return Spec(**found)  # type: ignore[arg-type]


def _read(word: str, roles: Container[str], datatypes: Container[str]) -> tuple[str, object]:
    readings: tuple[tuple[Container[str], str, Callable[[str], object]], ...] = (
        (HANDLINGS, "handling", Handling),
        (PARTS, "part", str),
        (roles, "role", str),
        (LABELS, "label", Label),
        (datatypes, "datatype", str),
    )
    for known, key, value in readings:
        if word in known:
            return key, value(word)
    if word in {"text", "named"}:
        return word, True
    if word.removeprefix("@") in SCOPES and word.startswith("@"):
        return "scope", word[1:]
    raise ValueError(
        f"unknown word '{word}' (not a handling, part, role, label, scope or datatype)"
    )


def act(leaf: Spec, whose: Spec, mode: Handling, roles: Mapping[str, Role]) -> Action:
    """Return the action for a leaf, given whose value it is and the mode for descriptive text."""
    if leaf.named:
        leaf = _name(leaf, roles.get(whose.role or ""))
    if leaf.part is not None:
        return _part(leaf.part, leaf.label or whose.label, whose, roles.get(whose.role or ""))
    if leaf.text or leaf.handling is None:
        return KEEP if mode is Handling.KEEP else SCAN
    return PLAIN[leaf.handling]


def _name(leaf: Spec, role: Role | None) -> Spec:
    part = {"person": "full", "org": "org"}.get(role.kind if role else "")
    return replace(leaf, named=False, part=part) if part else replace(leaf, named=False, text=True)


def _part(part: str, label: Label | None, whose: Spec, role: Role | None) -> Action:
    scope = whose.scope or (role.scope if role else "message")
    if part == "org" and role is not None and role.kind == "system":
        part = "id"
    if part == "sex":
        return Action(Handling.KEEP, None, whose.role, part, scope)
    handling = Handling.SHIFT if part in DATES else Handling.SURROGATE
    return Action(handling, _label(part, label, role), whose.role, part, scope)


def _label(part: str, label: Label | None, role: Role | None) -> Label:
    usual = PART_LABELS[part]
    if usual == "id":
        return label or (role.number if role else Label.IDNUM)
    if usual == "org":
        return role.org if role else Label.ORGANIZATION
    if usual == "name":
        return role.name if role else Label.PATIENT
    return Label(usual)
