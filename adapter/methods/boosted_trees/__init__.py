"""Boosted decision trees over token attributes, in three iterations (Szarvas 2006).

Goes in: annotated texts (`training`). Comes out: a tagger of three ensembles that vote (`tagger`).
An attribute of tokens is added in `attributes`, a selection of trigger words in `triggers`.
"""

from __future__ import annotations
