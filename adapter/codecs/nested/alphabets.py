"""Classifies and decodes runs of base64 (RFC 4648, 4 and 5), base32 (6) and hexadecimal digits (8).

A run that decodes to text is opened. A run is closed if it decodes to a well-known binary format,
is a fragment of encoded text cut at any place, or is long and unlike anything people write.
"""

from __future__ import annotations

import base64
import binascii
import re

from adapter.codecs.nested.body import is_binary, is_spoken, is_textual, is_wording

_LONE = 24
"""Fewest characters of a run that can be a body whatever it decodes to."""
_OPAQUE = 64
"""Fewest characters of a run that is a body even if it decodes to nothing known."""
_SHORT = 12
"""Fewest characters of a run that is a body if it decodes to words only."""
DIGESTS = frozenset({32, 40, 48, 56, 64, 96, 128})
"""Lengths of the usual digests in hexadecimal digits; digests are identifiers, not bodies."""
_BASE32 = re.compile(r"[A-Z2-7]+")
_HEX = re.compile(r"[0-9A-Fa-f]+")
_SEPARATORS = re.compile(r"[-_+/]")
_TO_STANDARD = str.maketrans("-_", "+/", "=")
_LEAST_DIGITS = 3


def kind_of(run: str) -> tuple[str, bool] | None:
    """Return (kind, closed) of a run without white space, or None if the run is not a body."""
    bare = run.rstrip("=")
    if _HEX.fullmatch(bare) and bare == run:
        return _hexadecimal(bare)
    if len(bare) >= _LONE and _BASE32.fullmatch(bare.upper()) and _is_base32(bare):
        return "base32", True
    return None if _is_word(bare) else _base64(bare)


def _base64(bare: str) -> tuple[str, bool] | None:
    data = unbase64(bare)
    if len(bare) < _LONE:
        return ("base64", False) if len(bare) >= _SHORT and is_wording(data) else None
    binary = is_binary(data)
    if not binary and is_textual(data):
        return "base64", False
    return ("base64", True) if binary or _is_cut(bare) or _is_opaque(bare) else None


def _is_base32(run: str) -> bool:
    """Whether a run decodes to text; one without digits may be two words, and must say something.

    Of 24 random characters of base32, one in a hundred runs has no digit.
    """
    if not run.isalpha():
        return is_textual(_unbase32(run))
    return (run.isupper() or run.islower()) and is_spoken(_unbase32(run))


def _is_word(run: str) -> bool:
    """Whether a run may be a long word: letters of one case, or with a capital first."""
    return run.isalpha() and (run[1:].islower() or run.isupper())


def _hexadecimal(digits: str) -> tuple[str, bool] | None:
    if len(digits) < _LONE:
        return None
    even = len(digits) % 2 == 0
    data = unhex(digits if even else digits[:-1])
    if is_spoken(data) or (is_textual(data) and not digits.isdigit()):
        return "hex", not even or digits.isdigit()
    if is_textual(data) and (len(data) >= _LONE or _HEX.fullmatch(data.decode("ascii"))):
        return "hex", True
    if is_spoken(unhex(digits[1:] if not even else digits[1:-1])) and not digits.isdigit():
        return "hex", True
    opaque = len(digits) >= _OPAQUE and len(digits) not in DIGESTS and not digits.isdigit()
    if not set(digits.upper()) <= set("ACGTN") and (opaque or is_binary(data)):
        return "hex", True
    return None


def _is_cut(run: str) -> bool:
    """Whether a run, or a part of it, is text whose encoding was cut in the middle."""
    parts = {run, *(part for part in _SEPARATORS.split(run) if len(part) >= _LONE)}
    return any(
        is_spoken(unbase64(part[shift:])) for part in parts for shift in range(part is run, 4)
    )


def _is_opaque(run: str) -> bool:
    """Whether a long run is unlike any word, path, sequence or list of names."""
    if len(run) < _OPAQUE:
        return False
    longest = max(_SEPARATORS.split(run), key=len)
    return (
        len(longest) >= _LONE
        and sum(c.isdigit() for c in longest) >= _LEAST_DIGITS
        and not longest.isupper()
        and not longest.islower()
    )


def unbase64(run: str) -> bytes:
    """Decode either alphabet, padded or not; an incomplete last group is dropped."""
    compact = run.translate(_TO_STANDARD)
    compact = compact[: len(compact) - (len(compact) % 4 == 1)]
    try:
        return binascii.a2b_base64(compact + "=" * (-len(compact) % 4))
    except ValueError:
        return b""


def _unbase32(run: str) -> bytes:
    run = run[: len(run) - len(run) % 8].upper()
    return base64.b32decode(run)


def unhex(digits: str) -> bytes:
    """Decode pairs of digits; an odd last digit is dropped."""
    return bytes.fromhex(digits[: len(digits) - len(digits) % 2])


def decoded(raw: str, kind: str) -> bytes:
    """Return the bytes of an open body, given as written in its text."""
    compact = "".join(raw.split())
    return unhex(compact) if kind == "hex" else unbase64(compact)


def encoded(data: bytes, raw: str, kind: str) -> str:
    """Encode bytes as ``raw`` is encoded: its alphabet, padding, case and line lengths."""
    if kind == "hex":
        plain = data.hex().upper() if raw != raw.lower() else data.hex()
    else:
        plain = binascii.b2a_base64(data, newline=False).decode("ascii")
        if "-" in raw or "_" in raw:
            plain = plain.translate(str.maketrans("+/", "-_"))
        if len("".join(raw.split())) % 4:
            plain = plain.rstrip("=")
    found = re.search(r"\s+", raw)
    if found is None or not found.start():
        return plain
    width = found.start()
    return found[0].join(plain[low : low + width] for low in range(0, len(plain), width))
