"""Commands that build what the product ships: lexicons, and later models."""

from __future__ import annotations
