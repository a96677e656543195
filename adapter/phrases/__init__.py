"""Trusted phrases: the values of structured fields, as entities and as strings to search for."""

from __future__ import annotations
