"""Commands that build the lexicons and models the product ships."""

from __future__ import annotations
