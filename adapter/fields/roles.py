"""Compile rules/fields/roles.toml: the roles of the people whose values fields hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapter.fields.rule import HANDLINGS, PARTS, SCOPES, Role
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.fields.sources import Rules

KINDS = frozenset({"person", "org", "system", ""})
KEYS = frozenset({"kind", "name", "org", "number", "scope", "resource_scope", "about"})


def compile_roles(tables: Sequence[Rules]) -> dict[str, Role]:
    """Return the roles of all files of kind "roles"; a later file replaces an earlier one's.

    Raises:
        RuleError: a key, label, kind or scope is unknown, or a name is a handling or a part.
    """
    roles: dict[str, Role] = {}
    for rules in tables:
        for name, entry in rules.table.get("roles", {}).items():
            roles[name] = _role(rules, name, entry)
    return roles


def _role(rules: Rules, name: str, entry: Mapping[str, Any]) -> Role:
    if unknown := set(entry) - KEYS:
        raise rules.refuse(f"unknown key {min(unknown)}", "roles", name)
    if name in HANDLINGS | PARTS:
        raise rules.refuse("a role must not have the name of a handling or a part", "roles", name)
    kind, scope = entry.get("kind", ""), entry.get("scope", "message")
    resource_scope = entry.get("resource_scope", scope)
    if kind not in KINDS or not {scope, resource_scope} <= SCOPES:
        raise rules.refuse("unknown kind or scope", "roles", name)
    labels = {key: entry.get(key, default) for key, default in _DEFAULTS.items()}
    for label in labels.values():
        if label not in Label.__members__.values():
            raise rules.refuse(f"unknown label {label}", "roles", name)
    known = {key: Label(label) for key, label in labels.items()}
    return Role(name, kind, scope=scope, resource_scope=resource_scope, **known)


_DEFAULTS = {"name": "PATIENT", "org": "ORGANIZATION", "number": "IDNUM"}
