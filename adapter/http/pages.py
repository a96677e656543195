"""Requests that a web page has made, in the browser of somebody who can reach what the page cannot.

Browsers say so themselves: with ``Origin`` in every POST (Fetch Standard, 3.2), and with
``Sec-Fetch-Site`` (Fetch Metadata Request Headers, 2.3). No port that asks here serves pages, so
that no origin is its own: one that claims to be got there by a name that was pointed elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def from_a_page(headers: Mapping[str, str]) -> bool:
    """Return whether a page made a request; names of headers are in lower case.

    What somebody typed into a browser has ``none`` for a site, and no origin.
    """
    return "origin" in headers or headers.get("sec-fetch-site", "none") != "none"
