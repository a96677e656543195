"""The published systems as methods that anyone can train and measure; none is needed to run."""

from __future__ import annotations
