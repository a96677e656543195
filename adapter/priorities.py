"""Priorities of spans: whose extent and label win where several overlap."""

from __future__ import annotations

PHRASE = 100
"""Priority of a whole trusted phrase; trusted phrases yield to a veto above it."""
TRUSTED = 90
"""Least priority of spans from trusted phrases, which are searched for everywhere."""
CERTAIN = 60
"""Least priority of spans that make the same string certain elsewhere: rules, trusted phrases."""
