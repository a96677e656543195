"""Surrogate telephone numbers, e-mail and network addresses that can belong to nobody.

Fiction ranges: 555-0100..0199 (NANP), 01632 960xxx and 07700 900xxx (Ofcom), 5550 xxxx and 0491 570
xxx (ACMA), the numbers the Bundesnetzagentur keeps for films. Names: RFC 2606. Addresses: RFC 5737,
RFC 3849, RFC 7042 (locally administered).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.checkdigits import digits_of
from adapter.normalize.folding import fold, squeeze
from adapter.surrogates.case import fill_digits
from adapter.surrogates.numbers.identifiers import plain
from adapter.surrogates.uris.hosts import DOMAIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.languages.field_words import FieldWords
    from adapter.surrogates.drawing.keys import Key

_TOLL_FREE = ("800", "833", "844", "855", "866", "877", "888")
_AREAS = tuple(
    str(area)
    for area in range(201, 990)
    if str(area)[1:] != "11"
    and str(area)[1] != "9"
    and str(area)[:2] not in {"37", "96", "55"}
    and str(area) not in _TOLL_FREE
)
"""Area codes of valid form (NXX, not N11, N9X, 37X, 96X)."""
_WORD = re.compile(r"[A-Za-z]+")
_SPELT = re.compile(r"[^\W\d_]+")
_BRITISH = re.compile(r"(44|0044|0)0?([1-9][0-9]{8,9})")
_AUSTRALIAN = re.compile(r"(61|0061|0)0?([23478])[0-9]{8}")
_GERMAN = re.compile(r"(49|0049)0?([1-9][0-9]{6,10})")
_GERMAN_FICTION = ("3023125", "6990009", "4066969", "22147108", "8999998")
_NANP_DIGITS = 10


@lru_cache(maxsize=8192)
def phone(key: Key, words: FieldWords, text: str, attempt: int = 0) -> str:
    """Return a telephone, fax or pager number in a fiction range, in the layout of text.

    Memoised. The surrogate depends on the digits alone, and seven digits get the same surrogate as
    the last seven of ten. Extensions and short or unknown numbers keep their number of digits.
    """
    digits = digits_of(text)
    if not digits:
        return _spoken(key, words, text, attempt)
    if cut := words.extended.search(text):
        number, mark, own = text[: cut.start()], cut[0], text[cut.end() :]
        return phone(key, words, number, attempt) + mark + plain(key, own, attempt)
    new = _number(key, text.lstrip().startswith("+"), digits, str(attempt))
    letters = _WORD.sub(lambda m: plain(key, m[0], attempt), text) if _vanity(text) else text
    return fill_digits(letters, new)


def _vanity(text: str) -> bool:
    return any(len(word) > 1 for word in _WORD.findall(text))


def _number(key: Key, plus: bool, digits: str, tweak: str) -> str:  # noqa: FBT001
    """Return fictional digits, as many as ``digits`` has; ``plus``: the number begins with "+"."""
    count = len(digits)
    if count == 7 or (count == _NANP_DIGITS and digits[0] != "0" and not plus):  # noqa: PLR2004
        return _nanp(key, digits, tweak)
    if count == _NANP_DIGITS + 1 and digits[0] == "1":
        return "1" + _nanp(key, digits[1:], tweak)
    for shape, fiction in _COUNTRIES:
        if (plus or digits[0] == "0") and (found := shape.fullmatch(digits)):
            national = fiction(found, key.draw("phone", digits[-8:], tweak))
            head = digits[: count - len(found[2]) if shape is not _AUSTRALIAN else count - 9]
            return (head + national + digits)[: max(count, len(head))][:count].ljust(count, "0")
    kept = digits[: 2 if plus else int(digits[0] == "0")]
    rest = "".join(str(b % 10) for b in key.numbers(count, "phone", digits, tweak))
    return (kept + rest)[:count]


def _nanp(key: Key, digits: str, tweak: str) -> str:
    line = f"55501{key.draw('phone', digits[-7:], tweak) % 100:02d}"
    if len(digits) == len(line):
        return line
    areas = _TOLL_FREE if digits[:3] in _TOLL_FREE else _AREAS
    return key.choose(areas, "area", digits, tweak) + line


def _uk(found: re.Match[str], drawn: int) -> str:
    if found[2][0] == "7":
        return f"7700900{drawn % 1000:03d}"
    return f"1632960{drawn % 1000:03d}"


def _australia(found: re.Match[str], drawn: int) -> str:
    if found[2] == "4":
        return f"491570{drawn % 1000:03d}"
    return f"{found[2]}5550{drawn % 10000:04d}"


def _germany(found: re.Match[str], drawn: int) -> str:
    base = _GERMAN_FICTION[drawn % len(_GERMAN_FICTION)]
    tail = f"{drawn // 8 % 10**6:06d}"
    return (base + tail)[: len(found[2])]


_COUNTRIES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], int], str]], ...] = (
    (_AUSTRALIAN, _australia),
    (_BRITISH, _uk),
    (_GERMAN, _germany),
)


def _spoken(key: Key, words: FieldWords, text: str, attempt: int) -> str:
    """Rewrite a number in words ("six oh one") as words; text with other words goes to `plain`."""
    said = [fold(word) for word in _SPELT.findall(text)]
    meanings = next((own for own in words.digits if own.keys() >= set(said)), None)
    if meanings is None or not said:
        return plain(key, text, attempt)
    usual: dict[int, str] = {}
    for word, digit in meanings.items():
        usual.setdefault(digit, word)
    digits = "".join(str(meanings[word]) for word in said)
    new = iter(_number(key, False, digits, str(attempt)))  # noqa: FBT003
    return _SPELT.sub(lambda _: usual[int(next(new))], text)


_AT = re.compile(r"@|\s?[(\[{]\s?(?:at|ät|arroba)\s?[)\]}]\s?", re.IGNORECASE)
_SERVER = re.compile(r"(?<=@)[^\s@;,<>()\[\]|/]+\.[^\W\d_]{2,}")


def email(key: Key, text: str, local: str | None, attempt: int = 0) -> str:
    """Return an address at example.org; ``local`` is the part before the @, drawn if None."""
    name = local if local is not None else username(key, _AT.split(text)[0] or "mail", attempt)
    return f"{name}@{DOMAIN}".upper() if text.isupper() else f"{name}@{DOMAIN}"


def reserved(text: str) -> str:
    """Return a surrogate with each mail address in it moved to example.org."""
    return _SERVER.sub(DOMAIN.upper() if text.isupper() else DOMAIN, text)


def username(key: Key, text: str, attempt: int = 0) -> str:
    """Return a user name in the layout of text: letters for letters, digits for digits."""
    return plain(key, text, attempt)


_CONTACT = re.compile(r"(mailto|tel|fax|sms):(.+)", re.IGNORECASE | re.DOTALL)


def is_contact(text: str) -> bool:
    """Whether a text is a URI of a mail address or number ("mailto:", "tel:", "fax:", "sms:")."""
    return _CONTACT.fullmatch(text) is not None


def contact(key: Key, words: FieldWords, text: str, attempt: int = 0) -> str:
    """Return the surrogate of a mail address or number with its scheme ("mailto:", "tel:")."""
    kind, _, rest = text.partition(":")
    if kind.lower() == "mailto":
        return f"{kind}:{email(key, rest, None, attempt)}"
    return f"{kind}:{phone(key, words, rest, attempt)}"


_V4 = re.compile(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}")
_MAC = re.compile(
    r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}", re.IGNORECASE
)
_NETS = ("192.0.2", "198.51.100", "203.0.113")


def network_address(key: Key, text: str, attempt: int = 0) -> str:
    """Return a documentation address (IPv4 or IPv6), or a locally administered hardware address.

    A port or prefix length after an IPv4 address keeps its number of digits.
    """
    if _MAC.fullmatch(text):
        return _hardware(key, text, attempt)
    tweak = str(attempt)
    if found := _V4.search(text):
        drawn = key.draw("ipv4", found[0], tweak)
        new = f"{_NETS[drawn % 3]}.{drawn // 3 % 254 + 1}"
        return text[: found.start()] + new + plain(key, text[found.end() :], attempt)
    drawn = key.draw("ipv6", squeeze(text), tweak)
    return f"2001:db8::{drawn % 65536:x}:{drawn // 65536 % 65536:x}"


def _hardware(key: Key, text: str, attempt: int) -> str:
    drawn = list(key.mac("hardware", squeeze(text), str(attempt)).hex()[:12])
    drawn[1] = "26ae"[int(drawn[1], 16) & 3]
    supply = iter(drawn)
    new = "".join(next(supply) if c.isalnum() else c for c in text)
    return new if text.islower() or text.isdigit() else new.upper()
