"""Five classifiers of tokens that vote by weight (Saluja 2019).

`training` learns from annotated texts; the result is a tagger of voting members (`tagger`).
`members` describes each member.
"""

from __future__ import annotations
