"""Paths, searches and fragments of addresses (RFC 3986; FHIR R4 section 3.1.0 and 3.1.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from adapter.surrogates.uris import step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adapter.surrogates.publishers import Publishers

    Identify = Callable[[str], str]

_REST = re.compile(
    r"(?P<path>[^?#|]*)(?P<version>\|[^?#|]*)?(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.DOTALL,
)
_PARAMETER = re.compile(r"([^=&]+)(?:=([^&]*))?")
_DAY = re.compile(r"((?:eq|ne|gt|lt|ge|le|sa|eb|ap)?[12][0-9]{3})-[0-9]{2}(?:-[0-9]{2}.*)?")
_VERSION = re.compile(
    r"[0-9]{1,3}(?:\.[0-9]{1,3}){0,3}(?:-(?:ballot|snapshot|draft|alpha|beta|rc|cibuild)[0-9]{0,2})?",
    re.IGNORECASE,
)
_STEPS = re.compile(r"[^:/?#|]+")
_GRAMMAR = frozenset({"_history", "_search", "metadata"})


class Paths:
    """Rewrites what follows a host; ``value`` rewrites a value of a search."""

    def __init__(
        self,
        resources: frozenset[str],
        publishers: Publishers,
        value: Callable[[str, Identify], str],
    ) -> None:
        self._resources, self._publishers, self._value = resources, publishers, value
        self._parameters = publishers.parameters | resources

    def rest(self, text: str, identify: Identify) -> str:
        """Path, version, search and fragment."""
        found = _REST.fullmatch(text)
        if found is None:
            return _STEPS.sub(lambda one: identify(one[0]), text)
        new = "/".join(self._segments(found["path"], identify))
        if version := found["version"]:
            known = _VERSION.fullmatch(version[1:])
            new += version if known else "|" + identify(version[1:])
        if (query := found["query"]) is not None:
            new += "?" + self.query(query, identify)
        if (fragment := found["fragment"]) is not None:
            new += "#" + identify(fragment)
        return new

    def _segments(self, path: str, identify: Identify) -> Iterator[str]:
        for segment in path.split("/"):
            operation = segment[:1] == "$" and segment[1:] in self._publishers.operations
            if segment in self._resources or segment in _GRAMMAR or operation:
                yield segment
            else:
                yield self._decoded(segment, identify)

    def _decoded(self, text: str, identify: Identify) -> str:
        if "%" not in text:
            return step(text, identify, self._publishers.endings)
        return quote(step(unquote(text), identify, self._publishers.endings), safe="")

    def query(self, text: str, identify: Identify) -> str:
        """A search with its values replaced, and such names as are no search parameters."""
        return _PARAMETER.sub(lambda found: self._parameter(found, identify), text)

    def _parameter(self, found: re.Match[str], identify: Identify) -> str:
        """A search parameter with its value replaced; of a date the year stays."""
        name, value = found.groups()
        if not all(word in self._parameters for word in re.split(r"[.:]", name)):
            name = self._decoded(name, identify)
        if value is None:
            return name
        if day := _DAY.fullmatch(value):
            return f"{name}={day[1]}"
        encoded = "%" in value
        parts = (unquote(value) if encoded else value).split(",")
        new = ",".join(self._value(part, identify) for part in parts)
        return f"{name}=" + (quote(new, safe="") if encoded else new)
