"""Taggers: a document and the message's trusted phrases in, spans and vetoes out."""

from __future__ import annotations
