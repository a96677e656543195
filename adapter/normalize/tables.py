"""Rows of a table in text: lines with as many cells, between marks or wide gaps."""

from __future__ import annotations

import re

FEWEST = 2
"""Fewest marks or gaps in a row of a table."""
_MARKS = tuple(re.compile(mark) for mark in (r";(?! )", r"\\[Ff]\\|\|", r",(?! )", r"\t"))
"""Marks between cells; a bar may be an HL7 escape. Prose has a blank behind its marks."""
_GAP = re.compile(r"(?<=[^\s.!?:;,])[ ]{2,}(?=\S)")
_KEY = ": "
"""What tells an attribute, whose line has gaps too ("Name: X   MRN: 77")."""


def are_rows(one: str, other: str) -> bool:
    """Whether two lines have as many cells, three or more, or both as many in fixed width."""
    if any(FEWEST <= len(mark.findall(one)) == len(mark.findall(other)) for mark in _MARKS):
        return True
    if _KEY in one or _KEY in other:
        return False
    return all(len(_GAP.findall(text)) >= FEWEST for text in (one, other))
