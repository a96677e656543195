"""Boosted decision trees over token attributes, in three iterations (Szarvas 2006).

`training` learns from annotated texts; the result is a tagger of three voting ensembles (`tagger`).
Add attributes of tokens in `attributes`, selections of trigger words in `triggers`.
"""

from __future__ import annotations
