"""Digests, UUIDs and other tokens: replaced as a whole, because no part of them may stay."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from adapter.normalize.folding import fold, squeeze

if TYPE_CHECKING:
    from adapter.surrogates.drawing.keys import Key

UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
HEX = re.compile(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f]{24,}", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_LONG_TOKEN = 20
"""Fewest letters and digits for which a token of one case counts as having no layout."""
_CHANGES = 6
"""Fewest changes between digits, capitals and small letters for which there is no layout."""
_LETTER = re.compile(r"[A-Za-z0-9]")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]")
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ULID = 26
_FIRST = "01234567"
"""First characters that a ULID may have."""


def uuid(key: Key, text: str, attempt: int) -> str:
    """Return a random UUID (version 4 of RFC 9562), whatever the version of the original."""
    drawn = list(key.mac("uuid", squeeze(text), str(attempt)).hex()[:32])
    drawn[12] = "4"
    drawn[16] = "89ab"[int(drawn[16], 16) & 3]
    supply = iter(drawn)
    new = "".join("-" if c == "-" else next(supply) for c in text)
    return new.upper() if text.isupper() else new


def digest(key: Key, text: str, attempt: int) -> str:
    """Return the surrogate of a hexadecimal digest, of the same length."""
    drawn = key.numbers(-(-len(text) // 2), "hex", fold(text), str(attempt)).hex()[: len(text)]
    return drawn.upper() if text.isupper() else drawn


def token(key: Key, text: str, attempt: int) -> str:
    """Return the surrogate of a token of letters and digits, whose positions change too.

    Positions of letters and digits could identify the token. A token of both cases is Base64 or
    Base62 and becomes letters and digits; a token of one case is written in Crockford's Base32, so
    that a ULID stays a ULID.
    """
    if both := both_cases(text):
        kinds, alphabet = _BASE64, _BASE62
    else:
        kinds, alphabet = _LETTER, _BASE32.lower() if text.islower() else _BASE32
    count = len(kinds.findall(text))
    value = text if both else squeeze(text)
    noise = key.numbers(2 * count, "token", value, str(attempt))
    draws = (int.from_bytes(noise[at : at + 2]) for at in range(0, 2 * count, 2))
    letters = [alphabet[drawn % len(alphabet)] for drawn in draws]
    if count == _ULID and not both and text[0] in _FIRST:
        letters[0] = _FIRST[alphabet.index(letters[0]) % len(_FIRST)]
    supply = iter(letters)
    return kinds.sub(lambda _: next(supply), text)


def both_cases(text: str) -> bool:
    """Whether a token has both cases, so that its case is significant."""
    return not (text.isupper() or text.islower())


def is_token(text: str) -> bool:
    """Whether a text is a token whose letters and digits alternate too often for a layout."""
    if not _TOKEN.fullmatch(text):
        return False
    kinds = ["9" if c.isdigit() else "A" if c.isupper() else "a" for c in text if c.isalnum()]
    changes = sum(one != other for one, other in pairwise(kinds))
    both = "A" in kinds and "a" in kinds
    return changes >= _CHANGES and (both or len(kinds) >= _LONG_TOKEN)
