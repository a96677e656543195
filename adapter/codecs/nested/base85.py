"""Runs of Ascii85 (PostScript Language Reference, 3rd edition, 3.13) and base 85 (RFC 1924).

Without the marks "<~" and "~>" a run is recognised by what it decodes to, wherever it was cut. It
is closed: nobody reads it, and it is dropped whole.
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from adapter.codecs.nested.body import Body, is_spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUN = re.compile(r"(?<!\S)[!-~]{40,}(?!\S)")
_SIGN = re.compile(r"[^A-Za-z0-9+/=_.,:-]")
_FEWEST_SIGNS = 4
"""Characters that neither words, addresses nor other encodings are full of."""
_GROUP, _ENOUGH = 5, 200
"""Characters of a group of four bytes, and of a run that show what it is."""


def runs85(text: str, low: int, high: int) -> Iterator[Body]:
    """Yield the runs within ``[low, high)`` of a text that decode to text."""
    for found in _RUN.finditer(text, low, high):
        run = found[0][:_ENOUGH]
        if len(_SIGN.findall(run)) >= _FEWEST_SIGNS and _is_text(run):
            yield Body(*found.span(), "ascii85", closed=True)


def _is_text(run: str) -> bool:
    return any(
        is_spoken(_decoded(run[shift:], kind)) for kind in ("a85", "b85") for shift in range(_GROUP)
    )


def _decoded(run: str, kind: str) -> bytes:
    """Return the bytes of whole groups; none where the run is not of that alphabet."""
    whole = run[: len(run) - len(run) % _GROUP]
    try:
        return base64.a85decode(whole) if kind == "a85" else base64.b85decode(whole)
    except ValueError:
        return b""
