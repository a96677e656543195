"""Text that is safe on a terminal: control characters are shown as escapes.

A sender's escape sequences could move the cursor, rename the window or hide text (ECMA-48), and
direction marks could show a line's characters in another order (Unicode TR 36, section 2.3).
"""

from __future__ import annotations

import re

CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""C0 and C1 controls except tab and newline, line separators, and direction marks."""
_LINE_END = re.compile(r"\r\n?")


def visible(text: str) -> str:
    r"""Return text with each control character written as its escape: ``\x1b``, ``\u202e``."""
    return CONTROLS.sub(_escape, text)


def visible_bytes(raw: bytes) -> bytes:
    """Return a message as lines safe on a terminal, for display only: bytes may be replaced."""
    text = _LINE_END.sub("\n", raw.decode("utf-8", "backslashreplace"))
    return visible(text).encode("utf-8")


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"  # noqa: PLR2004
