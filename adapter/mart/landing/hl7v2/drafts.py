"""Resources under construction, and rejects, while a message's segments are processed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapter.mart.versions import Op, Reject, Version, canonical


@dataclass(slots=True)
class Draft:
    """A resource under construction; ``segment`` is the name of the segment that created it.

    ``keyless``: the message gives it no natural key, so its key is derived from the message id.
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
        """Return the resource as a version; ``index`` is its order in the message."""
        body = {**self.body, "resourceType": self.resource, "id": self.id}
        text = "" if self.op is Op.DELETE else canonical(body)
        return Version(self.resource, self.id, self.subject, self.op, text, index)


@dataclass(slots=True)
class Rejects:
    """Places that could not be mapped; each place and code is kept once."""

    found: dict[tuple[str, str], Reject] = field(default_factory=dict, repr=False)

    def add(self, place: str, code: str) -> None:
        """Add a place; ``code`` is the reason."""
        if (place, code) not in self.found:
            self.found[place, code] = Reject(place, code)
