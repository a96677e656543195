"""Lands FHIR resources and Bundles as versions; rewrites ids and references to the mart's.

The natural key of a resource is its logical id; that of a Patient is its logical id as a number
key. The request of a transaction entry gives the operation (R4, http, transaction): DELETE deletes,
PUT and POST replace.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import DecodeError
from adapter.mart.landing.references import References, key_of
from adapter.mart.versions import (
    Landed,
    Merge,
    Op,
    Reject,
    Version,
    canonical,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adapter.mart.landing.numbers import Numbers

    Resource = dict[str, Any]

BUNDLE, PATIENT = "Bundle", "Patient"
_WITHOUT_PATIENT = frozenset({"OperationOutcome", "Parameters", "MessageHeader", "Binary"})
"""Resource types without patient data, which are counted as rejects."""
_SUBJECTS = ("subject", "patient", "beneficiary", "for", "individual")
_DEEPEST = 4
_TYPE = re.compile(r"[A-Z][A-Za-z]{1,39}")


@dataclass(slots=True)
class _Landing:
    message_id: str
    references: References
    rules: Numbers
    versions: list[Version] = field(default_factory=list)
    numbers: list[tuple[str, ...]] = field(default_factory=list, repr=False)
    merges: list[Merge] = field(default_factory=list)
    rejects: dict[Reject, None] = field(default_factory=dict)


def land_resource(raw: bytes, message_id: str, rules: Numbers) -> Landed:
    """Land a FHIR resource or Bundle; ``rules`` define which numbers identify one person.

    Raises:
        DecodeError: "not-json", "not-fhir", "too-deep", or "charset-invalid" for a lone surrogate,
            which cannot be stored.
    """
    try:
        return _landed(json.loads(raw), message_id, rules)
    except RecursionError:
        raise DecodeError("too-deep") from None
    except UnicodeEncodeError:
        raise DecodeError("charset-invalid") from None
    except ValueError:
        raise DecodeError("not-json") from None


def _landed(resource: Any, message_id: str, rules: Numbers) -> Landed:
    kind = resource.get("resourceType") if isinstance(resource, dict) else None
    if not isinstance(kind, str) or not _TYPE.fullmatch(kind):
        raise DecodeError("not-fhir")
    known = References(dict(_full_urls(resource, message_id)))
    landing = _Landing(message_id, known, rules)
    for number, entry in enumerate(_entries(resource)):
        _entry(landing, entry, number)
    return Landed(
        versions=tuple(landing.versions),
        numbers=tuple(landing.numbers),
        merges=tuple(landing.merges),
        rejects=tuple(landing.rejects),
        format="fhir",
        kind=kind,
    )


def _entries(resource: Resource, depth: int = 0) -> Iterator[Resource]:
    """Yield the entries of a Bundle and of nested Bundles; a resource alone is one entry."""
    if resource.get("resourceType") != BUNDLE or depth > _DEEPEST:
        yield {"resource": resource}
        return
    for entry in _dicts(resource.get("entry")):
        inner = entry.get("resource")
        if isinstance(inner, dict) and inner.get("resourceType") == BUNDLE:
            yield from _entries(inner, depth + 1)
        else:
            yield entry


def _full_urls(resource: Resource, message_id: str) -> Iterator[tuple[str, str]]:
    """Yield (fullUrl, reference in the mart) of a Bundle's entries."""
    for number, entry in enumerate(_entries(resource)):
        inner, url = entry.get("resource"), entry.get("fullUrl")
        if isinstance(inner, dict) and isinstance(url, str):
            kind = str(inner.get("resourceType", ""))
            yield url, f"{kind}/{key_of(kind, _id(inner, entry, message_id, number))}"


def _id(resource: Resource, entry: Resource, message_id: str, number: int) -> str:
    """Return a resource's logical id; without one, its fullUrl, or its position in the message."""
    sent = resource.get("id") or entry.get("fullUrl")
    return str(sent) if sent else f"{message_id}|{number}"


def _entry(landing: _Landing, entry: Resource, number: int) -> None:
    request = entry.get("request")
    method = str(request.get("method", "")).upper() if isinstance(request, dict) else ""
    resource = entry.get("resource")
    if method == "DELETE" and isinstance(request, dict):
        _delete(landing, str(request.get("url", "")))
    elif method in {"PATCH", "GET", "HEAD"}:
        landing.rejects[Reject(f"Bundle.entry.request {method}", "request-unmapped")] = None
    elif isinstance(resource, dict) and _TYPE.fullmatch(str(resource.get("resourceType", ""))):
        _replace(landing, resource, _id(resource, entry, landing.message_id, number))
    elif resource is not None:
        landing.rejects[Reject("Bundle.entry", "not-fhir")] = None


def _delete(landing: _Landing, url: str) -> None:
    found = landing.references.rewritten(url)
    kind, _, number = found.rpartition("/")
    if not kind or not number:
        landing.rejects[Reject("Bundle.entry.request DELETE", "request-unmapped")] = None
        return
    subject = number if kind == PATIENT else None
    landing.versions.append(Version(kind, number, subject, Op.DELETE, "", len(landing.versions)))


def _replace(landing: _Landing, resource: Resource, logical: str) -> None:
    kind = resource["resourceType"]
    if kind in _WITHOUT_PATIENT:
        landing.rejects[Reject(kind, "resource-unmapped")] = None
        return
    body = landing.references.rewrite(resource)
    number = body["id"] = key_of(kind, logical)
    if kind == PATIENT:
        _person(landing, body, number)
    subject = number if kind == PATIENT else _subject(body)
    text = canonical(body)
    text.encode()
    landing.versions.append(Version(kind, number, subject, Op.REPLACE, text, len(landing.versions)))


def _subject(body: Mapping[str, Any]) -> str | None:
    for name in _SUBJECTS:
        element = body.get(name)
        reference = element.get("reference", "") if isinstance(element, dict) else ""
        if isinstance(reference, str) and reference.startswith(f"{PATIENT}/"):
            return reference.partition("/")[2]
    return None


def _person(landing: _Landing, body: Resource, number: str) -> None:
    """Collect the number keys of a Patient, and the merges of its links (R4, Patient.link)."""
    sent = [(_type(item), str(item.get("value", ""))) for item in _dicts(body.get("identifier"))]
    landing.numbers.append(tuple(dict.fromkeys([number, *landing.rules.of_person(sent)])))
    for link in _dicts(body.get("link")):
        other = link.get("other")
        reference = str(other.get("reference", "")) if isinstance(other, dict) else ""
        kind, _, key = reference.partition("/")
        if kind != PATIENT or not key:
            continue
        if link.get("type") == "replaced-by":
            landing.merges.append(Merge(number, key))
        elif link.get("type") == "replaces":
            landing.merges.append(Merge(key, number))
        else:
            landing.numbers.append((number, key))


def _type(identifier: Resource) -> str:
    kind = identifier.get("type")
    codings = _dicts(kind.get("coding")) if isinstance(kind, dict) else []
    return next((str(coding.get("code", "")) for coding in codings), "")


def _dicts(items: object) -> list[Resource]:
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
