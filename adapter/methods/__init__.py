"""Published systems as methods that anyone can train and measure; production needs none of them."""

from __future__ import annotations
