"""Names of the headers of released records."""

from __future__ import annotations

PROVENANCE = "deid-"
"""Prefix of the names of provenance headers."""
MESSAGE_ID = "deid-id"
"""Name of the header with the message's id."""
