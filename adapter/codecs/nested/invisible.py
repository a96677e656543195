"""Finds runs of characters that show nothing and can spell a text.

Tag characters (Unicode 15.1, U+E0020 to U+E007E) are ASCII letters that no font draws; variation
selectors number the bytes; zero-width characters write bits. None is read: a run long enough to
spell something is a closed body. What belongs to scripts and signs is shorter: a joiner between
letters, a selector after a sign, the tags of a flag (Unicode Technical Standard 51, annex C).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.codecs.nested.body import Body

if TYPE_CHECKING:
    from collections.abc import Iterator

KIND = "invisible"
_TAGS = "\U000e0000-\U000e007f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_WIDTHLESS = "\u200b-\u200f\u2060-\u2064\ufeff\u00ad"
UNSEEN = rf"[{_TAGS}]{{2}}|[{_SELECTORS}]{{2}}|[{_WIDTHLESS}]{{8}}"
"""Pattern of a text that may have a run."""
_RUN = regex.compile(
    rf"(?<flag>\U0001f3f4[{_TAGS}]{{2,6}}\U000e007f)"
    rf"|[{_TAGS}]{{2,}}+|[{_SELECTORS}]{{3,}}+|[{_WIDTHLESS}]{{8,}}+"
)


def runs_unseen(text: str, low: int, high: int) -> Iterator[Body]:
    """Yield the runs of ``text[low:high]`` that may spell a text, closed."""
    if text.isascii():
        return
    for found in _RUN.finditer(text, low, high):
        if not found["flag"]:
            yield Body(*found.span(), KIND, closed=True)
