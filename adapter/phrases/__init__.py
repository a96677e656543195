"""Trusted phrases: what structured fields vouch for, as entities and as strings to look for."""

from __future__ import annotations
