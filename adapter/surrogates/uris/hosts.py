"""Surrogates of hosts, paths and files of a site, each the same in the whole domain."""

from __future__ import annotations

import re
from base64 import b32encode
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.surrogates.drawing.keys import Key

DOMAIN = "example.org"
"""Domain reserved for examples (RFC 2606); surrogate hosts are below it."""
SCHEMES = frozenset(
    "http https ftp ftps sftp file ws wss mllp mllps tcp udp ldap ldaps s3 gs dicom".split()
)
"""Schemes that reveal nothing about a site; any other becomes "https"."""
PORTS = frozenset({":80", ":443", ":8080", ":8443", ":2575", ":104", ":11112", ":389", ":636"})
"""Usual ports of services; any other is removed."""

_LABEL = 10
_POINTER = re.compile(
    r"(?P<host>\\\\[^\\/]+(?=[\\/]))?(?P<drive>[A-Za-z]:(?=[\\/]))?(?P<path>(?:[\\/][^\\/]*)+)"
)
_STEP = re.compile(r"[^\\/]+")
_ENDING = re.compile(r"(.+)\.([A-Za-z0-9]{1,5})")


@lru_cache(maxsize=4096)
def host(key: Key, name: str, attempt: int = 0) -> str:
    """Return a host below example.org, the same for a host with and without "www."."""
    bare = name.lower()
    lead = "www." if bare.startswith("www.") else ""
    label = (
        b32encode(key.mac("host", bare.removeprefix("www."), str(attempt))).decode("ascii").lower()
    )
    return f"{lead}h{label[:_LABEL]}.{DOMAIN}"


def scheme(text: str) -> str:
    """Return a usual scheme as written; any other becomes "https"."""
    return text if text.lower() in SCHEMES else "https"


def port(text: str | None) -> str:
    """Return a usual port with its colon, or "" for any other."""
    return text if text in PORTS else ""


def step(text: str, identify: Callable[[str], str], endings: frozenset[str]) -> str:
    """Return the surrogate of a path segment or file name; a known ending of a file name stays."""
    found = _ENDING.fullmatch(text)
    if found and found[2].lower() in endings:
        return f"{identify(found[1])}.{found[2]}"
    return identify(text)


def pointer(
    place: Callable[[str], str],
    text: str,
    identify: Callable[[str], str],
    endings: frozenset[str],
) -> str | None:
    r"""Rewrite a file system path (UNC "\\server\share\x.pdf", "C:\x", "/srv/x"); None if not one.

    ``place`` returns the surrogate of a host.
    """
    found = _POINTER.fullmatch(text)
    if found is None:
        return None
    server = "\\\\" + place(found["host"][2:]) if found["host"] else ""
    path = _STEP.sub(lambda one: step(one[0], identify, endings), found["path"])
    return f"{server}{found['drive'] or ''}{path}"
