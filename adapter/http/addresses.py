"""Checks whether requests to an address are sent in the clear."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit


def in_clear(url: str) -> bool:
    """Return whether an address is plain HTTP to another machine."""
    parts = urlsplit(url)
    return parts.scheme == "http" and not is_loopback(parts.hostname or "")


def is_loopback(host: str) -> bool:
    """Return whether a host is a loopback address or "localhost"."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
