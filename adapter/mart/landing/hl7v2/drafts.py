"""Resources while a message's segments are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapter.mart.versions import Op, Reject, Version, canonical


@dataclass(slots=True)
class Draft:
    """A resource that segments add to; ``segment`` began it.

    ``keyless`` is a resource that no number names: its message does.
    """

    resource: str
    id: str
    segment: str
    subject: str | None
    op: Op
    keyless: bool = False
    body: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def reference(self) -> dict[str, str]:
        """A FHIR reference to the resource."""
        return {"reference": f"{self.resource}/{self.id}"}

    def version(self, index: int) -> Version:
        """Return what the message says of the resource."""
        body = {**self.body, "resourceType": self.resource, "id": self.id}
        text = "" if self.op is Op.DELETE else canonical(body)
        return Version(self.resource, self.id, self.subject, self.op, text, index)


@dataclass(slots=True)
class Rejects:
    """What could not be mapped, each place and code once."""

    found: dict[tuple[str, str], Reject] = field(default_factory=dict)

    def add(self, place: str, code: str) -> None:
        """Count a place; ``code`` is the reason."""
        if (place, code) not in self.found:
            self.found[place, code] = Reject(place, code)
