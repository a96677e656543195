"""Keyed permutations of letters and digits: no two numbers get the same surrogate.

Digits stay digits and letters stay letters; one permutation covers the whole string. Small domains
(up to 10,000 strings) are shuffled into one cycle by Sattolo's algorithm, which leaves no string
fixed. Larger domains use an alternating Feistel network over two halves (Black and Rogaway
2002; the structure of NIST SP 800-38G's FF1, which has 10 rounds) with HMAC-SHA256 as round
function, 24 rounds below a million strings and 12 above, and cycle-walk until a result fits.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

from adapter.surrogates.drawing.keys import joined, mac

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.surrogates.drawing.keys import Key

ROUNDS = 12
MORE_ROUNDS = 24
"""Rounds for domains smaller than NIST SP 800-38G allows."""
FEWEST = 10**6
"""Fewest strings of a domain that NIST SP 800-38G allows."""
SHUFFLED = 10**4
"""Most strings of a domain that is shuffled whole."""
LONGEST = 60
"""Most characters to permute; a longer string is derived, since collisions are negligible."""
RADIX = {"0": 10, "1": 9, "a": 26}
"""Characters of a pattern (a digit, a digit except 0, a letter) -> number of their values."""

_A = ord("a")
_FEW = 10**4
"""Largest half for which round outputs are memoised."""
_DIGITS = "0" * LONGEST


def shuffled(key: Key, digits: str, tweak: str) -> str:
    """Permute digits among all digit strings of their length, by key and tweak."""
    count = len(digits)
    if not 4 < count <= LONGEST:  # noqa: PLR2004 (few enough for one table, or too many)
        return permuted(key, digits, "0" * count, tweak)
    cut = count // 2
    halves = int(digits[:cut]), int(digits[cut:])
    left, right = _network(key, *halves, (10**cut, 10 ** (count - cut)), _DIGITS[:count], tweak)
    return f"{left:0{cut}d}{right:0{count - cut}d}"


def permuted(key: Key, text: str, pattern: str, tweak: str) -> str:
    """Permute letters a-z and digits among all strings of the pattern, by key and tweak."""
    if len(text) > LONGEST:
        return _long(key, text, pattern, tweak)
    radices = [RADIX[kind] for kind in pattern]
    size = prod(radices)
    if size <= SHUFFLED:
        return _written(_table(key.secret, tweak, pattern, size)[_number(text, pattern)], pattern)
    cut = len(text) // 2
    halves = _number(text[:cut], pattern[:cut]), _number(text[cut:], pattern[cut:])
    sizes = prod(radices[:cut]), prod(radices[cut:])
    left, right = _network(key, *halves, sizes, pattern, tweak)
    return _written(left, pattern[:cut]) + _written(right, pattern[cut:])


def walked(key: Key, digits: str, tweak: str, fits: Callable[[str], bool]) -> str:
    """Permute digits that satisfy ``fits`` among the strings of their length that satisfy it."""
    result = shuffled(key, digits, tweak)
    while not fits(result):
        result = shuffled(key, result, tweak)
    return result


def _long(key: Key, text: str, pattern: str, tweak: str) -> str:
    """Derive the characters of a pattern from a long text, two bytes of MAC for each."""
    noise = key.numbers(2 * len(text), "long", tweak, pattern, text)
    draws = (int.from_bytes(noise[at : at + 2]) for at in range(0, len(noise), 2))
    return "".join(_written(n % RADIX[k], k) for n, k in zip(draws, pattern, strict=True))


@lru_cache(maxsize=64)
def _table(secret: bytes, tweak: str, pattern: str, size: int) -> Sequence[int]:
    """Return a cyclic permutation of all numbers below ``size``; memoised."""
    prefix = joined("shuffle", tweak, pattern)
    noise = b"".join(mac(secret, f"{prefix}\x1f{block}") for block in range(-(-size // 4)))
    table = array("H", range(size))
    for last in range(size - 1, 0, -1):
        other = int.from_bytes(noise[last * 8 : last * 8 + 8]) % last
        table[last], table[other] = table[other], table[last]
    return table


def _network(  # noqa: PLR0917 (the halves and what they are permuted by)
    key: Key, left: int, right: int, sizes: tuple[int, int], pattern: str, tweak: str
) -> tuple[int, int]:
    first, second = sizes
    seed = joined("feistel", tweak, pattern)
    noise = _few if second <= _FEW else _noise
    for turn in range(0, ROUNDS if first * second >= FEWEST else MORE_ROUNDS, 2):
        left = (left + noise(key, seed, turn, right)) % first
        right = (right + noise(key, seed, turn + 1, left)) % second
    return left, right


def _few(key: Key, seed: str, turn: int, half: int) -> int:
    """Return the round output for small halves; one memoised MAC serves four of them."""
    block = _block(key.secret, seed, turn, half >> 2)
    place = (half & 3) * 8
    return int.from_bytes(block[place : place + 8])


@lru_cache(maxsize=32768)
def _block(secret: bytes, seed: str, turn: int, block: int) -> bytes:
    """Return the MAC for four small halves; memoised, as small halves recur in other numbers."""
    return mac(secret, f"{seed}\x1ffew\x1f{turn}\x1f{block}")


def _noise(key: Key, seed: str, turn: int, half: int) -> int:
    return int.from_bytes(mac(key.secret, f"{seed}\x1f{turn}\x1f{half}"))


def pattern_of(text: str) -> str:
    """Return the pattern of lower-case letters and digits; no run of digits may begin with 0."""
    kinds = ["a" if c > "9" else "0" for c in text]
    runs = [at for at, (before, kind) in enumerate(pairwise(("a", *kinds))) if before > kind]
    for at in runs:
        kinds[at] = "1"
    return "".join(kinds)


def _number(text: str, pattern: str) -> int:
    """Return text as a mixed-radix number."""
    total = 0
    for character, kind in zip(text, pattern, strict=True):
        value = ord(character) - _A if kind == "a" else int(character) - (kind == "1")
        total = total * RADIX[kind] + value
    return total


def _written(number: int, pattern: str) -> str:
    """Return a mixed-radix number as text."""
    characters = []
    for kind in reversed(pattern):
        number, value = divmod(number, RADIX[kind])
        characters.append(chr(value + _A) if kind == "a" else str(value + (kind == "1")))
    return "".join(reversed(characters))
