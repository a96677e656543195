"""Priorities of spans: whose extent and label stand where several overlap."""

from __future__ import annotations

PHRASE = 100
"""Of a whole trusted phrase; a veto above it is sure."""
TRUSTED = 90
"""From which a span comes from trusted phrases, which are looked for everywhere."""
CERTAIN = 60
"""From which a span vouches for the same string elsewhere: rules and trusted phrases."""
