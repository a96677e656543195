"""FHIR rules: an element's path gives the role of its owner, its type gives its handling.

A table is named after a resource or a datatype; its entries are elements below it ("name",
"contact.name") and words. The nearest rule that names a role decides whose a value is; an
enclosing "drop" or "hold" applies to everything below it; an enclosing "keep" or "scan" gives the
handling of descriptive text. An element without a rule follows its primitive type, but only if the
schema knows the element; extensions pass only if their URL is listed. The action for a value of an
extension that does not pass still says whose name, number or address it is by its datatype, so that
texts can be searched for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from adapter.fields.rule import DROP, HOLD, Role, Spec, act, parse
from adapter.types import Action, Handling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.fields.sources import Rules
    from adapter.fields.vocabulary import Vocabulary

TOP = frozenset({"format", "primitives", "anywhere", "extensions"})
WHOLE = "*"
"""Element name of a rule for a whole resource; "keep" makes the resource a definition."""

ADDRESSES = frozenset({"uri", "url", "canonical", "oid", "uuid"})
"""Primitives that a definition does not keep, because an address or id may be a site's."""

_STEP = re.compile(r"([^.{}]+)(?:\{([^}]*)\})?")
_EXTENSIONS = frozenset({"extension", "modifierExtension"})
_EVERYWHERE = "Element"
_KEPT = Spec(handling=Handling.KEEP)
_DROPPED = Spec(handling=Handling.DROP)
_TELLING = frozenset(
    "family given middle full prefix suffix id phone street address city county zip".split()
)
"""Parts of dropped values that texts are searched for."""
_ANYBODY = Spec(role="mentioned", scope="repetition")
"""Whose a value of an unknown extension is unless the datatype says more."""
_PLAIN = frozenset({"Extension.valueString", "Reference.display"})
"""Datatypes of dropped texts that may be somebody's name."""


@dataclass(frozen=True, slots=True)
class Step:
    """One element on the path to a leaf: its owner type, its name, its types, and its rule."""

    owner: str
    name: str
    kinds: tuple[str, ...]
    spec: Spec | None


@dataclass(frozen=True, slots=True)
class FhirFields:
    """The compiled FHIR allow-list.

    ``elements`` is keyed by (type, element), ``anywhere`` by the element's name alone,
    ``extensions`` by URL, or "URL url" for an extension nested in another.
    """

    elements: Mapping[tuple[str, str], Spec]
    anywhere: Mapping[str, Spec]
    extensions: Mapping[str, Spec]
    primitives: Mapping[str, Spec]
    roles: Mapping[str, Role]
    types: Mapping[str, Mapping[str, tuple[str, ...]]]
    replaced: tuple[str, ...] = ()

    @property
    def definitions(self) -> frozenset[str]:
        """The resource types that are kept as a whole, since they define things."""
        return frozenset(
            kind
            for (kind, name), spec in self.elements.items()
            if name == WHOLE and spec.handling is Handling.KEEP
        )

    def action(self, element: str, datatype: str) -> Action:
        """Return the action for one leaf: it is dropped if schema, extensions or rules lack it."""
        steps = None if datatype == "?" else self._walk(element)
        if not steps:
            return DROP
        for place, step in enumerate(steps):
            if step.name in _EXTENSIONS and step.spec in {None, _DROPPED}:
                return self._dropped(steps[place:], datatype)
        whole = self.elements.get((steps[0].owner, WHOLE))
        specs = [spec for spec in (whole, *(step.spec for step in steps)) if spec is not None]
        handlings = [spec.handling for spec in specs]
        if Handling.DROP in handlings:
            return DROP
        if Handling.HOLD in handlings:
            return HOLD
        leaf = self._leaf(steps, datatype, _KEPT if whole else None)
        modes = [h for h in handlings if h in {Handling.KEEP, Handling.SCAN}]
        return act(leaf, _whose(specs), modes[-1] if modes else Handling.SCAN, self.roles)

    def _dropped(self, steps: Sequence[Step], datatype: str) -> Action:
        """Return DROP, with what the datatype says of a value in the extension at the first step.

        A text that only may be a name is a "full" name of no role.
        """
        inner = [step for step in steps if step.name not in _EXTENSIONS]
        if not inner:
            return DROP
        specs = [_ANYBODY, *(step.spec for step in inner if step.spec is not None)]
        found = act(self._leaf(inner, datatype, None), _whose(specs), Handling.SCAN, self.roles)
        if found.handling is Handling.SURROGATE and found.part in _TELLING:
            return replace(found, handling=Handling.DROP)
        scanned = found.handling is Handling.SCAN and datatype in _PLAIN
        return Action(Handling.DROP, part="full") if scanned else DROP

    def _walk(self, element: str) -> list[Step] | None:
        """Return the steps from the resource to the leaf, or None if the schema lacks one."""
        (kind, _), *rest = _STEP.findall(element)
        steps: list[Step] = []
        kinds: tuple[str, ...] = (kind,)
        url = ""
        for raw, inner in rest:
            name = raw.removeprefix("_")
            owner = next((k for k in kinds if name in self.types.get(k, ())), _EVERYWHERE)
            found = self.types[owner].get(name)
            url = f"{url} {inner}".strip() if name in _EXTENSIONS else ""
            spec = self.extensions.get(url) if url else self._spec(owner, name)
            if found is None:
                return None
            steps.append(Step(owner, name, found, spec))
            kinds = found
        return steps

    def _spec(self, owner: str, name: str) -> Spec | None:
        """Return the rule of an element: by type, by its name anywhere, or for every element."""
        spec = self.elements.get((owner, name)) or self.anywhere.get(name)
        if spec is None and "string" in self.types[owner].get(name, ()):
            return self.elements.get((_EVERYWHERE, name))
        return spec

    def _leaf(self, steps: Sequence[Step], datatype: str, default: Spec | None) -> Spec:
        last = steps[-1]
        if last.owner == "Extension" and last.name.startswith("value") and len(steps) > 1:
            outer = steps[-2].spec
            kept = outer is not None and outer.handling is Handling.KEEP
            if outer is not None and outer.decides and not (kept and datatype in ADDRESSES):
                return outer
        if last.spec is not None and last.spec.decides:
            return last.spec
        own = datatype in ADDRESSES or (last.name == "id" and len(steps) == 1)
        if default is not None and not own:
            return default
        named = (self.primitives.get(kind) for kind in (datatype, *last.kinds))
        return next((spec for spec in named if spec is not None), _DROPPED)


def _whose(specs: Sequence[Spec]) -> Spec:
    """Return the nearest role, with the label and scope given there or nearer to the leaf."""
    whose = Spec()
    for spec in reversed(specs):
        whose = Spec(
            role=spec.role, label=whose.label or spec.label, scope=whose.scope or spec.scope
        )
        if spec.role is not None:
            break
    return whose


def compile_fhir(
    tables: Sequence[Rules], roles: Mapping[str, Role], vocabulary: Vocabulary
) -> FhirFields:
    """Compile the files of format "fhir".

    Raises:
        RuleError: a type, element, extension form or word is unknown, or the product's own files
        have two rules for an element.
    """
    reach = {name: replace(role, scope=role.resource_scope) for name, role in roles.items()}
    elements: dict[tuple[str, str], tuple[str, Spec]] = {}
    anywhere: dict[str, tuple[str, Spec]] = {}
    primitives: dict[str, tuple[str, Spec]] = {}
    extensions: dict[str, tuple[str, Spec]] = {}
    replaced: list[str] = []
    for rules in tables:
        _place(rules, _elements(rules, roles, vocabulary), elements, replaced)
        _place(rules, _flat(rules, "anywhere", roles), anywhere, replaced)
        _place(rules, _flat(rules, "primitives", roles), primitives, replaced)
        _place(rules, _extensions(rules, roles), extensions, replaced)
    return FhirFields(
        {key: spec for key, (_, spec) in elements.items()},
        {key: spec for key, (_, spec) in anywhere.items()},
        {key: spec for key, (_, spec) in extensions.items()},
        {key: spec for key, (_, spec) in primitives.items()},
        reach,
        vocabulary.types,
        tuple(replaced),
    )


_Key = TypeVar("_Key", str, tuple[str, str])


def _place(
    rules: Rules,
    found: Iterable[tuple[tuple[str, ...], _Key, Spec]],
    into: dict[_Key, tuple[str, Spec]],
    replaced: list[str],
) -> None:
    """Add rules to a table; only an overlay may replace another file's rule."""
    for keys, key, spec in found:
        name = key if isinstance(key, str) else ".".join(key)
        if key in into and (not rules.overlay or into[key][0] == rules.name):
            raise rules.refuse(f"{name} has two rules", *keys)
        if key in into:
            replaced.append(f"{rules.name}: {name} replaces {into[key][0]}")
        into[key] = (rules.name, spec)


def _elements(
    rules: Rules, roles: Mapping[str, Role], vocabulary: Vocabulary
) -> Iterator[tuple[tuple[str, ...], tuple[str, str], Spec]]:
    for owner, table in rules.table.items():
        if owner in TOP:
            continue
        if owner not in vocabulary.types:
            raise rules.refuse(f"{owner} is not a FHIR type", owner)
        for path, words in table.items():
            kinds, name = _descend(vocabulary, owner, path)
            if not kinds:
                raise rules.refuse(f"{owner}.{path} is not a FHIR element", owner, path)
            spec = _spec(rules, (owner, path), words, roles)
            for kind in kinds:
                yield (owner, path), (kind, name), spec


def _descend(vocabulary: Vocabulary, owner: str, path: str) -> tuple[list[str], str]:
    """Return the types that contain the path's last element, and the element's name."""
    if path == WHOLE:
        return [owner], WHOLE
    *steps, name = path.split(".")
    kinds = [owner]
    for step in steps:
        found = [vocabulary.types[k][step] for k in kinds if step in vocabulary.types[k]]
        kinds = [kind for types in found for kind in types if kind in vocabulary.types]
    return [kind for kind in dict.fromkeys(kinds) if name in vocabulary.types[kind]], name


def _flat(
    rules: Rules, table: str, roles: Mapping[str, Role]
) -> Iterator[tuple[tuple[str, ...], str, Spec]]:
    for name, words in rules.table.get(table, {}).items():
        yield (table, name), name, _spec(rules, (table, name), words, roles)


def _extensions(
    rules: Rules, roles: Mapping[str, Role]
) -> Iterator[tuple[tuple[str, ...], str, Spec]]:
    for url, entry in rules.table.get("extensions", {}).items():
        keys = ("extensions", url)
        if isinstance(entry, str):
            yield keys, url, _spec(rules, keys, entry, roles)
            continue
        yield keys, url, Spec()
        for inner, words in entry.items():
            yield keys, f"{url} {inner}", _spec(rules, keys, words, roles)


def _spec(rules: Rules, keys: tuple[str, ...], words: Any, roles: Mapping[str, Role]) -> Spec:
    try:
        return parse(words if isinstance(words, str) else words["is"], roles)
    except ValueError as error:
        raise rules.refuse(str(error), *keys) from None
