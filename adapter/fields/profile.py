"""Profiles: options of surrogates, handling of unreadable content, and overrides of actions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.fields.rule import PARTS, PLAIN
from adapter.types import HIPAA, RECALLS, Action, Handling, Label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adapter.fields.sources import Rules

KEYS = frozenset(
    {
        "format",
        "name",
        "about",
        "claims",
        "unreadable",
        "unknown_language",
        "recall",
        "surrogates",
        "handling",
        "labels",
    }
)
OPTIONS: dict[str, frozenset[str]] = {
    "dates": frozenset({"shift", "year", "keep"}),
    "zip": frozenset({"surrogate", "zip3", "keep"}),
    "ages": frozenset({"cap90", "keep"}),
    "places": frozenset({"surrogate", "state", "town"}),
    "direction": frozenset({"both", "earlier", "later"}),
    "offsets": frozenset({"keep", "normalise", "drop"}),
    "date_order": frozenset({"mdy", "dmy"}),
    "unknown_subject": frozenset({"generalise", "hold"}),
}
"""Options of ``[surrogates]`` and the values that can be honoured."""

SHIFT = frozenset({"min", "max", "multiple"})
WHERE = frozenset({"format", "element", "datatype", "part", "label", "role"})
SAFE_HARBOR = {"dates": "year", "zip": "zip3", "ages": "cap90"}
"""Options that 45 CFR 164.514(b)(2)(i)(B) and (C) require for dates, places and ages."""


@dataclass(frozen=True, slots=True)
class Override:
    """A profile's change of handling for the actions that match all of ``where``."""

    where: Mapping[str, str]
    handling: Handling

    def matches(self, form: str, element: str, datatype: str, action: Action) -> bool:
        """Whether the override applies to the action of one place."""
        found = {
            "format": form,
            "datatype": datatype,
            "part": action.part,
            "label": action.label,
            "role": action.role,
        }
        return all(
            _below(element, value) if key == "element" else found[key] == value
            for key, value in self.where.items()
        )


def _below(element: str, name: str) -> bool:
    return element == name or element.startswith((f"{name}.", f"{name}/", f"{name}{{"))


@dataclass(frozen=True, slots=True)
class Profile:
    """A compiled profile; ``surrogates`` is passed on unchanged as the options of surrogates."""

    name: str
    unreadable: Handling
    surrogates: Mapping[str, Any] = field(default_factory=dict)
    overrides: tuple[Override, ...] = ()
    recall: float = RECALLS[0]
    """Token recall that selects the threshold of learned models unless the settings give one."""
    unknown_language: Handling = Handling.SCAN
    """Handling of a message whose text is in none of the configured languages: SCAN or HOLD."""

    def adjust(self, form: str, element: str, datatype: str, action: Action) -> Action:
        """Return the policy's action as the profile overrides it; DROP and HOLD never change."""
        if action.handling in {Handling.DROP, Handling.HOLD}:
            return action
        for override in reversed(self.overrides):
            if override.matches(form, element, datatype, action):
                return _overridden(override, action)
        return action


def _overridden(override: Override, action: Action) -> Action:
    """Return the override's action; KEEP gets a label, so that the value is not checked."""
    if override.handling is Handling.KEEP:
        return Action(Handling.KEEP, action.label or Label.OTHER)
    return PLAIN[override.handling]


def compile_profile(rules: Rules) -> Profile:
    """Compile a profile's file.

    Raises:
        RuleError: an option or value is unknown, or the options do not honour the claim.
    """
    table = rules.table
    if strange := set(table) - KEYS:
        raise rules.refuse(f"unknown key '{min(strange)}'", min(strange))
    if not table.get("name"):
        raise rules.refuse("a profile needs a name", "name")
    unreadable = table.get("unreadable", "drop")
    if unreadable not in {"drop", "hold"}:
        raise rules.refuse("unreadable must be 'drop' or 'hold'", "unreadable")
    recall = table.get("recall", RECALLS[0])
    if recall not in RECALLS:
        raise rules.refuse(f"recall must be one of {', '.join(map(str, RECALLS))}", "recall")
    unknown = table.get("unknown_language", "scan")
    if unknown not in {"scan", "hold"}:
        raise rules.refuse("unknown_language must be 'scan' or 'hold'", "unknown_language")
    surrogates = table.get("surrogates", {})
    _check_options(rules, surrogates)
    overrides = tuple(_overrides(rules))
    if table.get("claims") is not None:
        _check_claim(rules, surrogates, overrides)
    name = str(table["name"])
    kept = Handling(unreadable), surrogates, overrides
    return Profile(name, *kept, recall, Handling(unknown))


def _check_options(rules: Rules, options: Mapping[str, Any]) -> None:
    for key, value in options.items():
        if key == "shift_days":
            _check_shift(rules, value)
        elif key == "era":
            _check_era(rules, value)
        elif key not in OPTIONS:
            raise rules.refuse(f"unknown option '{key}'", "surrogates", key)
        elif value not in OPTIONS[key]:
            allowed = ", ".join(sorted(OPTIONS[key]))
            raise rules.refuse(f"{key} cannot be '{value}' (only {allowed})", "surrogates", key)
    if options.get("dates") == "year" and "shift_days" in options:
        raise rules.refuse(
            "dates = 'year' and shift_days exclude each other", "surrogates", "dates"
        )


def _check_era(rules: Rules, year: Any) -> None:
    if type(year) is not int or not 1900 <= year <= 2999:  # noqa: PLR2004 - years of records
        raise rules.refuse("era must be a year", "surrogates", "era")


def _check_shift(rules: Rules, days: Any) -> None:
    if not isinstance(days, dict) or set(days) - SHIFT:
        raise rules.refuse(
            "shift_days must be a table of min, max and multiple", "surrogates", "shift_days"
        )
    least, most, step = days.get("min", 1), days.get("max", 365), days.get("multiple", 1)
    if not (1 <= least <= most and 1 <= step <= most):
        raise rules.refuse("no shift satisfies these bounds", "surrogates", "shift_days")


def _overrides(rules: Rules) -> Iterator[Override]:
    for entry in rules.table.get("handling", []):
        where = {key: value for key, value in entry.items() if key in WHERE}
        if set(entry) - WHERE - {"handling", "why"} or not where:
            raise rules.refuse("an override needs a handling, a reason and conditions", "handling")
        if where.get("part", "id") not in PARTS or "why" not in entry:
            raise rules.refuse("an unknown part, or no reason ('why')", "handling")
        if where.get("label", "DATE") not in Label.__members__.values():
            raise rules.refuse(f"unknown label {where['label']}", "handling")
        if entry.get("handling") not in set(Handling) - {Handling.SURROGATE}:
            raise rules.refuse("handling must be keep, scan, shift, drop or hold", "handling")
        yield Override(where, Handling(entry["handling"]))


def _check_claim(rules: Rules, options: Mapping[str, Any], overrides: tuple[Override, ...]) -> None:
    if rules.table["claims"] != "safe-harbor":
        raise rules.refuse("the only claim is 'safe-harbor'", "claims")
    for key, value in SAFE_HARBOR.items():
        if options.get(key) != value:
            raise rules.refuse(f"safe-harbor needs {key} = '{value}'", "surrogates", key)
    for override in overrides:
        label = override.where.get("label")
        if override.handling is Handling.KEEP and (label is None or label in HIPAA):
            raise rules.refuse(
                "safe-harbor must not keep identifiers of 164.514(b)(2)(i)", "handling"
            )
