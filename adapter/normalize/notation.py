"""Patterns of how names, numbers and dates are written: separators, and text around a number.

The taggers and the leak check recognise the same spellings of a known value because both use these.
"""

from __future__ import annotations

WORD = r"\p{L}[\p{L}\p{M}]*|\p{N}+"
"""A word or number of a known value, for the package regex."""
HUMP = r"(?<=\p{Ll})(?=\p{Lu})"
"""The border between two words in camel case, for the package regex."""
APART = r"[\s.,\-_*'/|:+~=\u00b7\u2022]{1,3}"
"""Separators between letters that are written apart: "T H A D", "T.H.A.D.", "T-H-A-D"."""
NUMBER_MARKS = r"[ \-./()+_,'\u2019\u2010-\u2015]{0,3}"
"""Separators between the digits of a number: "432-15-7", "4,321,577"."""
SURE_NUMBER_MARKS = r"[ \-./()+_,'\u2019\u2010-\u2015`:;=*#~&^|\\\u00b7\u2022]{0,3}"
"""The same for a number too long to be a time of day: "432:15:77"."""
DAY_BEFORE = r"(?<!\d)(?<!\d[.])(?<!\d{4}-)"
"""Context before a date of six digits, which is not part of a longer number, decimal or range."""
DAY_AFTER = (
    r"(?!\d|[.](?!0{1,2}(?![.\d]))\d"
    r"|[ ]?(?:[A-Za-z.]{1,9})?[ ]?/[ ]?(?:[dmnu\u00b5\u03bc]?[Ll]|(?:cu )?mm3?)(?![A-Za-z\d]))"
)
"""Context after it: no digit or decimal, and no volume, per which it is a count ("102500 /uL")."""
COMPACT_DAY = r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
"""A day as eight digits, YYYYMMDD; every time stamp of that day begins with it."""
LOST = "\uffff"
"""Placeholder for a lost letter of a phrase: a noncharacter, in no message (Unicode 15.0, 23.7)."""
