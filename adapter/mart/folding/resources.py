"""Folds the versions of one resource, in the order of their positions, into the current one."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.mart.versions import Op, canonical

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.mart.versions import Version

    Body = dict[str, Any]

ERROR = "entered-in-error"
UNKNOWN = "unknown"
_STATING = frozenset({Op.REPLACE, Op.MERGE})
_NULL = ":null"
_STATUS = "status"
_NESTED = frozenset({"hospitalization", "period"})
"""Elements that a merge updates member by member."""
_GROWING = frozenset({"result"})
"""Lists that a merge appends to: the results of a report may arrive in several messages."""
_CHOICES = ("deceased", "multipleBirth", "effective", "onset", "performed", "occurrence", "value")
"""Prefixes of choice elements (``value[x]``), of which a resource has one."""
_ENDED = {
    "Encounter": frozenset({"finished", "cancelled"}),
    "MedicationRequest": frozenset({"cancelled", "completed", "stopped"}),
    "ServiceRequest": frozenset({"completed", "revoked"}),
}
"""Final statuses: a message that only mentions the resource does not undo them."""


@dataclass(frozen=True, slots=True)
class Current:
    """A current resource; ``body`` is FHIR R4 as canonical JSON."""

    resource_type: str
    resource_id: str
    subject: str | None
    body: str = field(repr=False)


def fold(versions: Iterable[Version]) -> Current | None:
    """Return the current resource; None if it was deleted or never stated.

    The versions are those of one resource, or of all Patients of one person, in the order of their
    positions; later ones override earlier ones. A resource that was entered in error keeps this
    status until it is replaced.
    """
    ordered = list(versions)
    subject = next((v.subject for v in reversed(ordered) if v.subject), None)
    ordered = _relevant(ordered)
    if len(ordered) == 1 and ordered[0].op in _STATING and _NULL not in ordered[0].body:
        return _current(ordered[0], subject, ordered[0].body)  # fast path, for most resources
    states: list[Body] = []
    for version in ordered:
        if version.op is Op.DELETE:
            states = []
        elif (state := _next(states, version)) is not None:
            states.append(state)
    return _current(ordered[-1], subject, canonical(states[-1])) if states else None


def _relevant(versions: list[Version]) -> list[Version]:
    """Return the versions from the last REPLACE on; all if there is none, or a RESTORE follows."""
    for at in range(len(versions) - 1, -1, -1):
        if versions[at].op is Op.RESTORE:
            return versions
        if versions[at].op is Op.REPLACE:
            return versions[at:]
    return versions


def _current(version: Version, subject: str | None, body: str) -> Current:
    return Current(version.resource_type, version.resource_id, subject, body)


def _next(states: list[Body], version: Version) -> Body | None:
    """Return the state after a version; None if it changes a resource that does not exist."""
    sent: Body = json.loads(version.body)
    if version.op is Op.REPLACE or (version.op is Op.MERGE and not states):
        return _without_nulls(sent)
    if not states:
        return None
    if version.op is Op.RESTORE:
        return _restored(states, sent)
    return _merged(states[-1], sent, force=version.op is Op.STATUS)


def _merged(state: Body, sent: Body, *, force: bool) -> Body:
    found = dict(state)
    for name, value in sent.items():
        if name == _STATUS and not force:
            found[name] = _status(state, value)
        elif name in _NESTED and isinstance(value, dict):
            found[name] = _without_nulls({**state.get(name, {}), **value})
        elif name in _GROWING and value:
            known = state.get(name, [])
            found[name] = [*known, *(item for item in value if item not in known)]
        else:
            _assign(found, name, value)
    return _without_nulls(found)


def _assign(body: Body, name: str, value: object) -> None:
    """Assign an element, and remove other types of the same choice element."""
    for choice in _CHOICES:
        if name.startswith(choice):
            for other in [key for key in body if key.startswith(choice) and key != name]:
                del body[other]
    body[name] = value


def _status(state: Body, sent: object) -> object:
    """Return the status after a merge, which does not undo a final one (see `_ENDED`)."""
    known = state.get(_STATUS)
    ended = _ENDED.get(state.get("resourceType", ""), frozenset())
    keeps = known == ERROR or (known in ended and sent not in ended and sent != ERROR)
    return known if keeps or (sent in {UNKNOWN, None} and known) else sent


def _restored(states: list[Body], names: Iterable[str]) -> Body:
    """Return the state with the elements reset to their values before the last change."""
    now = states[-1]
    found = dict(now)
    for name in names:
        if name in {"id", "resourceType"}:
            continue
        before = (s.get(name) for s in reversed(states) if s.get(name) != now.get(name))
        found[name] = next(before, None)
    return _without_nulls(found)


def _without_nulls(body: Body) -> Body:
    return {
        name: _without_nulls(value) if isinstance(value, dict) else value
        for name, value in body.items()
        if value is not None
    }
