"""Evaluation: scores of the taggers against annotated texts."""

from __future__ import annotations
