"""FHIR element tables, type -> element -> its type with marks, from fhir.resources' models.

A table entry is a FHIR type name with marks: ``*`` repeats, ``!`` is required (minimum cardinality
1), ``?name`` belongs to the required choice ``name[x]``. "HumanName*", "code!",
"Reference?medication". fhir.resources has no models of R4: its types and elements come from the
official snapshots (FHIR 4.0.1, StructureDefinition.snapshot, CC0) given as input, required
elements from R4B, which differs only in the types listed here.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import types
import typing
from typing import Any

if typing.TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Table = dict[str, dict[str, str]]
"""FHIR type or backbone element -> element -> type with marks."""

PACKAGES = {"STU3": "fhir.resources.STU3", "R4B": "fhir.resources.R4B", "R5": "fhir.resources"}
"""FHIR version -> the package with its models."""

_SKIPPED = frozenset({"resource_type", "fhir_comments"})
_MORE = frozenset({"", "etc."})
"""Signs in a list of codes that there are more."""

_R4_ONLY = {
    "EffectEvidenceSynthesis": "status population exposure exposureAlternative outcome",
    "Evidence": "exposureBackground",
    "EvidenceVariable": "characteristic",
    "MedicinalProduct": "name",
    "MedicinalProductAuthorizationProcedure": "type",
    "MedicinalProductContraindicationOtherTherapy": "therapyRelationshipType",
    "MedicinalProductIndicationOtherTherapy": "therapyRelationshipType",
    "MedicinalProductIngredient": "role",
    "MedicinalProductIngredientSpecifiedSubstance": "code group",
    "MedicinalProductIngredientSpecifiedSubstanceStrength": "presentation",
    "MedicinalProductManufactured": "manufacturedDoseForm quantity",
    "MedicinalProductName": "productName",
    "MedicinalProductNameCountryLanguage": "country language",
    "MedicinalProductNameNamePart": "part type",
    "MedicinalProductPackaged": "packageItem",
    "MedicinalProductPackagedBatchIdentifier": "outerPackaging",
    "MedicinalProductPackagedPackageItem": "type quantity",
    "MedicinalProductPharmaceutical": "administrableDoseForm routeOfAdministration",
    "MedicinalProductPharmaceuticalCharacteristics": "code",
    "MedicinalProductPharmaceuticalRouteOfAdministration": "code",
    "MedicinalProductPharmaceuticalRouteOfAdministrationTargetSpecies": "code",
    "MedicinalProductPharmaceuticalRouteOfAdministrationTargetSpeciesWithdrawalPeriod": (
        "tissue value"
    ),
    "RiskEvidenceSynthesis": "status population outcome",
    "SubstanceSpecificationName": "name",
}
"""Required elements of types in R4 but not in R4B (FHIR 4.0.1, StructureDefinition)."""


def build(r4_types: Mapping[str, Mapping[str, Any]]) -> dict[str, Table]:
    """Build the tables of STU3, R4, R4B and R5.

    Args:
        r4_types: R4's types from the official snapshots: type -> element -> [FHIR type, 1 for a
            list or 0].
    """
    tables = {version: _modelled(package) for version, package in PACKAGES.items()}
    return {**tables, "R4": _r4(r4_types, tables["R4B"])}


def bindings() -> Table:
    """Return type -> element -> the codes of its value set in any version, separated by blanks.

    The codes are those that the specification lists in the description of an element of type code.
    """
    found: dict[str, dict[str, set[str]]] = {}
    for package in PACKAGES.values():
        for model in _models(package):
            for name, field in model.model_fields.items():
                if listed := (field.json_schema_extra or {}).get("enum_values"):
                    elements = found.setdefault(_type_name(model), {})
                    codes = {code.removesuffix("+") for code in listed} - _MORE
                    elements.setdefault(field.alias or name, set()).update(codes)
    return {
        owner: {name: " ".join(sorted(codes)) for name, codes in sorted(elements.items())}
        for owner, elements in sorted(found.items())
    }


def render(table: Table) -> str:
    """Return the text of a table's file: JSON, one type per line."""
    lines = (
        f"{json.dumps(name)}:{json.dumps(elements, separators=(',', ':'))}"
        for name, elements in table.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _modelled(package: str) -> Table:
    models = sorted(_models(package), key=_type_name)
    return {_type_name(model): dict(sorted(_elements(model))) for model in models}


def _models(package: str) -> Iterator[Any]:
    abstract = importlib.import_module("fhir_core.fhirabstractmodel").FHIRAbstractModel
    for found in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if found.ispkg or found.name.startswith(("fhirtypes", "_")):
            continue
        module = importlib.import_module(f"{package}.{found.name}")
        for model in vars(module).values():
            if (
                isinstance(model, type)
                and issubclass(model, abstract)
                and model.__module__ == module.__name__
            ):
                yield model


def _type_name(model: Any) -> str:
    return getattr(model, "__resource_type__", None) or str(model.__name__)


def _elements(model: Any) -> Iterator[tuple[str, str]]:
    for name, field in model.model_fields.items():
        if not name.endswith("__ext") and name not in _SKIPPED:
            kind, repeats = _kind(field.annotation, tuple(field.metadata))
            yield field.alias or name, kind + "*" * repeats + _requirement(field)


def _requirement(field: Any) -> str:
    extra = field.json_schema_extra or {}
    if extra.get("one_of_many_required"):
        return f"?{extra['one_of_many']}"
    return "!" if field.is_required() or extra.get("element_required") else ""


def _kind(annotation: Any, metadata: tuple[Any, ...] = ()) -> tuple[str, bool]:
    """Return the FHIR type of a model's annotation, and whether the element repeats."""
    for mark in (*metadata, *getattr(annotation, "__metadata__", ())):
        if name := getattr(mark, "__visit_name__", None):
            return str(name), False
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return _kind(typing.get_args(annotation)[0])
    if origin in (typing.Union, types.UnionType):
        chosen = next(a for a in typing.get_args(annotation) if a is not type(None))
        return _kind(chosen)
    if origin is list:
        return _kind(typing.get_args(annotation)[0])[0], True
    return {"bool": "boolean", "int": "integer"}.get(
        annotation.__name__, annotation.__name__.removesuffix("Type")
    ), False


def _r4(r4_types: Mapping[str, Mapping[str, Any]], r4b: Table) -> Table:
    table: Table = {}
    for name, elements in sorted(r4_types.items()):
        named = _R4_ONLY.get(name, "").split()
        table[name] = {
            key: found[0] + "*" * bool(found[1]) + ("!" if key in named else _mark(r4b, name, key))
            for key, found in sorted(elements.items())
        }
    return table


def _mark(table: Table, name: str, key: str) -> str:
    kind = table.get(name, {}).get(key, "")
    at = max(kind.find("!"), kind.find("?"))
    return kind[at:] if at >= 0 else ""
