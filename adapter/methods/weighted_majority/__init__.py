"""Five classifiers of tokens that vote by weight (Saluja 2019).

Goes in: annotated texts (`training`). Comes out: a tagger of members that vote (`tagger`). What
each member is stands in `members`.
"""

from __future__ import annotations
