"""Detects runs of Ascii85 (PostScript Language Reference, 3rd edition, 3.13) and RFC 1924 base 85.

A run without the marks "<~" and "~>" is detected by what it decodes to, wherever it was cut. Its
body is closed, so that it is dropped as a whole.
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
"""Fewest signs of a run; signs are rare in words, addresses and other encodings."""
_GROUP, _ENOUGH = 5, 200
"""Characters of a group (four bytes), and characters of a run that are decoded for the decision."""


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
    """Return the bytes of the whole groups; empty if the run is not in that alphabet."""
    whole = run[: len(run) - len(run) % _GROUP]
    try:
        return base64.a85decode(whole) if kind == "a85" else base64.b85decode(whole)
    except ValueError:
        return b""
