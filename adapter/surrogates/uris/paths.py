"""Paths, searches and fragments of addresses (RFC 3986; FHIR R4 section 3.1.0 and 3.1.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.surrogates.uris.hosts import step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adapter.surrogates.uris.publishers import Publishers

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
REVISION = re.compile(r"[0-9]{1,3}")
"""A version that counts a resource's changes; a longer number may be a person's."""


_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_RESERVED = re.compile(r"[^A-Za-z0-9._~-]")


def unquote(text: str) -> str:
    """Decode the percent-encoded bytes of a text (RFC 3986 section 2.1)."""

    def decoded(found: re.Match[str]) -> str:
        return bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace")

    return _ENCODED.sub(decoded, text)


def quote(text: str) -> str:
    """Percent-encode all but unreserved characters of a text, as UTF-8."""

    def encoded(found: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))

    return _RESERVED.sub(encoded, text)


class Paths:
    """Rewrites the part of an address after the host; ``value`` rewrites a search value."""

    def __init__(
        self,
        resources: frozenset[str],
        publishers: Publishers,
        value: Callable[[str, Identify], str],
        definitions: frozenset[str] = frozenset(),
    ) -> None:
        self._resources, self._publishers, self._value = resources, publishers, value
        self._definitions = definitions
        self._parameters = publishers.parameters | resources

    def rest(self, text: str, identify: Identify, define: Identify | None = None) -> str:
        """Return path, version, search and fragment with their values replaced.

        ``define`` replaces the ids of definitions.
        """
        found = _REST.fullmatch(text)
        if found is None:
            return _STEPS.sub(lambda one: identify(one[0]), text)
        new = "/".join(self._segments(found["path"], identify, define))
        if version := found["version"]:
            known = _VERSION.fullmatch(version[1:])
            new += version if known else "|" + identify(version[1:])
        if (query := found["query"]) is not None:
            new += "?" + self.query(query, identify)
        if (fragment := found["fragment"]) is not None:
            new += "#" + identify(fragment)
        return new

    def _segments(self, path: str, identify: Identify, define: Identify | None) -> Iterator[str]:
        before = ""
        for segment in path.split("/"):
            counted = before == "_history" and REVISION.fullmatch(segment)
            defined = define is not None and before in self._definitions
            before = segment
            operation = segment[:1] == "$" and segment[1:] in self._publishers.operations
            if segment in self._resources or segment in _GRAMMAR or operation or counted:
                yield segment
            elif define is not None and defined:
                yield define(segment)
            else:
                yield self._decoded(segment, identify)

    def _decoded(self, text: str, identify: Identify) -> str:
        if "%" not in text:
            return step(text, identify, self._publishers.endings)
        return quote(step(unquote(text), identify, self._publishers.endings))

    def query(self, text: str, identify: Identify) -> str:
        """Return a search with its values, and names other than search parameters, replaced."""
        return _PARAMETER.sub(lambda found: self._parameter(found, identify), text)

    def _parameter(self, found: re.Match[str], identify: Identify) -> str:
        """Return a search parameter with its value replaced; the year of a date stays."""
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
        return f"{name}=" + (quote(new) if encoded else new)
