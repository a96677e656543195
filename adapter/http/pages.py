"""Detects requests that a web page made through the browser of somebody who can reach this port.

Browsers declare them, with ``Origin`` in every POST (Fetch Standard, 3.2) and with
``Sec-Fetch-Site`` (Fetch Metadata Request Headers, 2.3). No port that uses this check serves pages,
so no origin is its own: one that claims to be was resolved to this machine (DNS rebinding).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def from_a_page(headers: Mapping[str, str]) -> bool:
    """Return whether a page made a request; names of headers are in lower case.

    A browser requests a typed URL with ``Sec-Fetch-Site: none`` and without ``Origin``.
    """
    return "origin" in headers or headers.get("sec-fetch-site", "none") != "none"
