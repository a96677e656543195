"""Priorities of spans: the span of highest priority wins where several overlap."""

from __future__ import annotations

PHRASE = 100
"""Priority of a whole trusted phrase; trusted phrases yield to a veto above it."""
TRUSTED = 90
"""Lowest priority of spans from trusted phrases, which are searched for everywhere."""
CERTAIN = 60
"""Lowest priority of spans whose string is certain elsewhere too: rules, trusted phrases."""
