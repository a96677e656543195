"""Keyed permutations of digits and letters: two different numbers never get the same surrogate.

An alternating Feistel network over two halves of the number (Black and Rogaway 2002; the structure
of NIST SP 800-38G's FF1) with HMAC-SHA256 as round function, walked until a result fits.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.surrogates.keys import mac

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.surrogates.keys import Key

ROUNDS = 8
LONGEST = 60
"""Characters; a longer string is drawn instead, its space being too large for two to meet."""

_A = ord("a")
_FEW = 10**4
"""Sizes of halves up to which noise is remembered."""
_LETTERS = 26
_ENOUGH = 4
"""Digits that set a number apart, so that its letters need no network of their own."""


def shuffled(key: Key, digits: str, tweak: str) -> str:
    """Digits under a permutation of all strings of their length, chosen by key and tweak."""
    count = len(digits)
    if count > LONGEST:
        return "".join(str(byte % 10) for byte in key.numbers(count, "digits", tweak, digits))
    if count < 2:  # noqa: PLR2004 (one digit has no halves)
        return digits and str((int(digits) + 1 + key.draw("digit", tweak) % 9) % 10)
    cut = count // 2
    left, right = _network(
        key,
        int(digits[:cut]),
        int(digits[cut:]),
        (10**cut, 10 ** (count - cut)),
        f"{tweak}/{count}",
    )
    return f"{left:0{cut}d}{right:0{count - cut}d}"


def walked(key: Key, digits: str, tweak: str, fits: Callable[[str], bool]) -> str:
    """Digits under a permutation of those strings of their length that fit, digits being one."""
    result = shuffled(key, digits, tweak)
    while not fits(result):
        result = shuffled(key, result, tweak)
    return result


def lettered(key: Key, letters: str, digits: str, tweak: str) -> str:
    """Letters a-z under a permutation chosen by the digits they stand with."""
    count = len(letters)
    if len(digits) >= _ENOUGH or not 1 < count <= LONGEST:
        noise = key.numbers(count, "letters", tweak, digits, "" if digits else letters[:-1])
        pairs = zip(letters, noise, strict=True)
        return "".join(chr((ord(c) - _A + 1 + n % 25) % _LETTERS + _A) for c, n in pairs)
    cut = count // 2
    left, right = _network(
        key,
        _number(letters[:cut]),
        _number(letters[cut:]),
        (_LETTERS**cut, _LETTERS ** (count - cut)),
        f"letters/{tweak}/{digits}/{count}",
    )
    return _word(left, cut) + _word(right, count - cut)


def _network(key: Key, left: int, right: int, sizes: tuple[int, int], seed: str) -> tuple[int, int]:
    first, second = sizes
    noise = _few if second <= _FEW else _noise
    for turn in range(0, ROUNDS, 2):
        left = (left + noise(key, seed, turn, right)) % first
        right = (right + noise(key, seed, turn + 1, left)) % second
    return left, right


def _few(key: Key, seed: str, turn: int, half: int) -> int:
    """Noise for small halves, four of them from one MAC that is remembered."""
    block = _block(key.secret, seed, turn, half >> 2)
    place = (half & 3) * 8
    return int.from_bytes(block[place : place + 8])


@lru_cache(maxsize=32768)
def _block(secret: bytes, seed: str, turn: int, block: int) -> bytes:
    """A memo of a pure function: small halves come again in other numbers."""
    return mac(secret, f"{seed}/{turn}/{block}")


def _noise(key: Key, seed: str, turn: int, half: int) -> int:
    return int.from_bytes(mac(key.secret, f"{seed}/{turn}/{half}"))


def _number(letters: str) -> int:
    total = 0
    for letter in letters:
        total = total * _LETTERS + ord(letter) - _A
    return total


def _word(number: int, count: int) -> str:
    letters = []
    for _ in range(count):
        number, letter = divmod(number, _LETTERS)
        letters.append(chr(letter + _A))
    return "".join(reversed(letters))
