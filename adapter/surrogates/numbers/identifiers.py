"""Numbers of persons, things and events: format kept, value permuted under the key.

The surrogate depends on letters and digits alone, not on the label: a number has the same surrogate
in every field, text, format and record key, with or without punctuation or leading zeros, in any
case.
Letters and digits go through one permutation of the whole, so that the same digits beside other
letters reveal nothing. Only words that name the kind of number ("MRN", "patient-") stay, and the
digits beside them become those of the bare number's surrogate. Letters stay letters and digits stay
digits; leading zeros stay. Digests, UUIDs and other tokens without a layout are drawn whole.
Limits: a bare nine-digit number is a social security number only by its label; a surrogate that
collides with a real value of its message is drawn again.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from adapter import checkdigits
from adapter.checkdigits import digits_of
from adapter.errors import SurrogateError
from adapter.normalize.folding import fold, squeeze
from adapter.surrogates.case import fill_digits
from adapter.surrogates.drawing.permutations import pattern_of, permuted, shuffled, walked
from adapter.surrogates.numbers.digests import HEX, UUID, both_cases, digest, is_token, token, uuid
from adapter.surrogates.numbers.object_identifiers import OID, object_identifier

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.surrogates.drawing.keys import Key

TRIES = 64
"""Most draws of a candidate."""

_OWN = 5
"""Fewest digits or letters of a number that may have its own random code."""
_SHORTEST_SHAPE = 11
"""Fewest characters of a special shape without dots and brackets."""
_VIN = re.compile(r"[A-HJ-NPR-Z0-9]{17}", re.IGNORECASE)
_SOCIAL = re.compile(r"[0-9]{3}([- ])[0-9]{2}\1[0-9]{4}")
_UDI = re.compile(r"(\([0-9]{2,4}\))")
_ALNUM = re.compile(r"[A-Za-z0-9]")
_LETTERS = re.compile(r"[A-Za-z]+")
_HAS_DIGIT = re.compile(r"[0-9]").search
_DEA = 9
"""Characters of a DEA registration (21 CFR 1301)."""
_NEITHER = re.compile(r"[^a-z0-9]+")
_ZEROS = re.compile(r"(?<![0-9])0+")
_GROUPS = (*range(50), *range(66, 70), 89)
"""Middle digits that no number beginning with 9 has, not even an ITIN or ATIN."""
_DATES_OF_UDI = frozenset(("(11)", "(13)", "(15)", "(16)", "(17)"))


@lru_cache(maxsize=16384)
def identifier(key: Key, text: str, attempt: int = 0) -> str:
    """Return the surrogate of a number; memoised. Another ``attempt`` gives another surrogate.

    UUIDs become random UUIDs. Object identifiers keep their first two arcs; vehicle, NPI, DEA, NHS
    and card numbers, GTINs and IMEIs keep a valid check digit; UDIs keep their application
    identifiers. Social security numbers with dashes become numbers that were never assigned.
    """
    if len(text) >= _SHORTEST_SHAPE or "." in text or "(" in text:
        for shape, render in _SHAPES:
            if shape.fullmatch(text):
                return render(key, text, attempt)
        if is_token(text):
            return _with_own_code(token, "token", key, text, attempt)
    return plain(key, text, attempt)


def distinct(render: Callable[[int], str], text: str, real: frozenset[str] = frozenset()) -> str:
    """Return the first attempt's surrogate that is neither the original nor a real value.

    Raises:
        SurrogateError: 64 attempts give none.
    """
    own = squeeze(text)
    for attempt in range(TRIES):
        surrogate = render(attempt)
        if (value := squeeze(surrogate)) != own and value not in real:
            return surrogate
    raise SurrogateError("no-candidate")


def plain(key: Key, text: str, attempt: int = 0) -> str:
    """Return the surrogate of a number without a special shape."""
    tweak = _tweak(attempt)
    if text.isdigit() and text.isascii():
        return _digits(_own(key, text, attempt), text, tweak)
    form = text if text.isascii() else _ascii(text)
    value = _NEITHER.sub("", form.lower())
    if value.isdigit() or is_worded(key.words, form):
        digits = digits_of(form)
        return fill_digits(form, _digits(_own(key, digits, attempt), digits, tweak))
    supply = iter(_mixed(key, value, attempt))
    return _ALNUM.sub(lambda found: _cased(next(supply), found[0]), form)


def is_worded(words: frozenset[str], text: str) -> bool:
    """Whether all letters of a number are words that name the kind of number."""
    runs = _LETTERS.findall(text)
    return (
        bool(words) and all(run.lower() in words for run in runs) and _HAS_DIGIT(text) is not None
    )


def _own(key: Key, digits: str, attempt: int) -> Key:
    """Return a number's own key, which depends on its digits and not on words beside them.

    A short number gets the common key: codes for numbers of its length could run out.
    """
    number = digits.lstrip("0")
    if key.codes is None or len(number) < _OWN:
        return key
    return key.own("digits", number, attempt, lambda own: _digits(own, number, _tweak(attempt)))


def _mixed(key: Key, value: str, attempt: int) -> str:
    """Permute lower-case letters and digits together; leading zeros of a run stay in front."""
    core = _ZEROS.sub("", value)
    if key.codes is not None and len(core) >= _OWN:
        key = key.own("letters", core, attempt, lambda own: _walked(own, core, _tweak(attempt)))
    supply = iter(_walked(key, core, _tweak(attempt)))
    zeros = {at for found in _ZEROS.finditer(value) for at in range(*found.span())}
    return "".join("0" if at in zeros else next(supply) for at in range(len(value)))


def _walked(key: Key, core: str, tweak: str) -> str:
    """Permute letters and digits to a string of their pattern without words for kinds of number."""
    if dea := _registration(core):
        return dea(key, tweak)
    pattern = pattern_of(core)
    result = permuted(key, core, pattern, tweak)
    while is_worded(key.words, result) or _registration(result):
        result = permuted(key, result, pattern, tweak)
    return result


def _registration(core: str) -> Callable[[Key, str], str] | None:
    """Return a function that draws another US DEA registration if ``core`` is one, else None."""
    if len(core) != _DEA or not (core[:2].isalpha() and core[2:].isdigit()):
        return None
    if checkdigits.dea(core[2:-1]) != core[-1]:
        return None
    return lambda key, tweak: _registered(permuted(key, core[:-1], "aa100000", f"{tweak}dea"))


def _registered(body: str) -> str:
    return body + checkdigits.dea(body[2:])


def _cased(letter: str, original: str) -> str:
    return letter.upper() if original.isupper() else letter


def social(key: Key, text: str, attempt: int = 0) -> str:
    """Return a social security number that is never assigned (area 9xx, no ITIN), in its layout.

    A shorter number is treated as the end of one ("0142"); the mask of a masked number stays.
    """
    digits = digits_of(text)
    if len(digits) > 9:  # noqa: PLR2004 (no social security number)
        return plain(key, text, attempt)
    if len(digits) > 4:  # noqa: PLR2004
        whole = digits.zfill(9)
        key = key.own("social", whole, attempt, lambda own: _unassigned(own, whole, attempt))
        return fill_digits(text, _unassigned(key, whole, attempt)[9 - len(digits) :])
    return fill_digits(text, _unassigned(key, digits, attempt)[9 - len(digits) :])


def _unassigned(key: Key, digits: str, attempt: int) -> str:
    drawn = key.draw("social", digits, str(attempt))
    drawn, serial = divmod(drawn, 9999)
    drawn, group = divmod(drawn, len(_GROUPS))
    return f"9{drawn % 100:02d}{_GROUPS[group]:02d}{serial + 1:04d}"


def _digits(key: Key, digits: str, tweak: str) -> str:
    """Permute digits among numbers of their length and check scheme; leading zeros stay."""
    number = digits.lstrip("0")
    zeros = digits[: len(digits) - len(number)]
    if not number:
        return shuffled(key, digits, tweak)
    scheme = checkdigits.scheme_of(number)
    if scheme is None:
        return zeros + walked(key, number, tweak, _is_plain)
    body = partial(_with_check_digit, key, scheme, tweak)
    result = body(number)
    while result[0] == "0" or checkdigits.scheme_of(result) is not scheme:
        result = body(result)
    return zeros + result


def _is_plain(digits: str) -> bool:
    return digits[0] != "0" and checkdigits.scheme_of(digits) is None


def _with_check_digit(key: Key, scheme: Callable[[str], str], tweak: str, number: str) -> str:
    """Permute the digits before the check digit and replace it; keep it if the scheme has none."""
    head = number[0] if scheme is checkdigits.npi else ""
    body = head + shuffled(key, number[len(head) : -1], f"{tweak}{scheme.__name__}")
    return body + (scheme(body) or number[-1])


def _tweak(attempt: int) -> str:
    return f"id{attempt or ''}"


def _ascii(text: str) -> str:
    """Return a text of the same length with letters and digits of any script in ASCII."""
    return "".join(c if c.isascii() else _ascii_character(c) for c in text)


def _ascii_character(character: str) -> str:
    if character.isdecimal():
        return str(int(character))
    if not character.isalnum():
        return character
    plain_letter = fold(character)
    letter = plain_letter if plain_letter.isascii() and plain_letter.isalpha() else "x"
    return letter.upper() if character.isupper() else letter


def numbers_of(text: str, words: frozenset[str] = frozenset()) -> tuple[tuple[str, str], ...]:
    """Return each (kind, value) under which a number, or its patient, may have a random code."""
    value, digits = squeeze(text), digits_of(text)
    letters = _ZEROS.sub("", _NEITHER.sub("", _ascii(text).lower()))
    same = (("person", f"id:{value}"), ("letters", letters), ("oid", text), ("token", text))
    shapes = tuple((kind, value) for kind in ("uuid", "hex", "vin", "token"))
    if not (value.isdigit() or is_worded(words, text)):
        return (*same, *shapes)
    return (*same, *shapes, ("digits", digits.lstrip("0")), ("social", digits.zfill(9)))


def _with_own_code(
    render: Callable[[Key, str, int], str], kind: str, key: Key, text: str, attempt: int
) -> str:
    """Render a number of a domain large enough for each number to have its own random code."""
    if key.codes is not None:
        same = str if kind == "oid" or (kind == "token" and both_cases(text)) else squeeze
        key = key.own(kind, same(text), attempt, lambda own: same(render(own, text, attempt)))
    return render(key, text, attempt)


def _vehicle(key: Key, text: str, attempt: int) -> str:
    upper = text.upper()
    if checkdigits.vin(upper) != upper[8]:
        return plain(key, text, attempt)
    return _with_own_code(_proven_vehicle, "vin", key, text, attempt)


def _proven_vehicle(key: Key, text: str, attempt: int) -> str:
    upper = text.upper()
    noise = key.numbers(17, "vin", upper, str(attempt))
    letters = checkdigits.VIN_LETTERS
    new = "".join(
        str(n % 10) if c.isdigit() else letters[n % len(letters)]
        for c, n in zip(upper, noise, strict=True)
    )
    new = new[:8] + checkdigits.vin(new) + new[9:]
    return new.lower() if text.islower() else new


def _udi(key: Key, text: str, attempt: int) -> str:
    """Render a GS1 element string: each value after its application identifier separately."""
    pieces = _UDI.split(text)
    for place in range(2, len(pieces), 2):
        value, name = pieces[place], pieces[place - 1]
        if name in _DATES_OF_UDI and len(value) == 6:  # noqa: PLR2004 (YYMMDD)
            drawn = key.draw("udi", value, str(attempt))
            pieces[place] = f"{drawn % 90 + 10:02d}{drawn // 90 % 12 + 1:02d}{drawn % 28 + 1:02d}"
        elif value:
            pieces[place] = identifier(key, value, attempt)
    return "".join(pieces)


_SHAPES: tuple[tuple[re.Pattern[str], Callable[[Key, str, int], str]], ...] = (
    (_SOCIAL, social),
    (UUID, partial(_with_own_code, uuid, "uuid")),
    (HEX, partial(_with_own_code, digest, "hex")),
    (_VIN, _vehicle),
    (OID, partial(_with_own_code, object_identifier, "oid")),
    (re.compile(r"(?:\([0-9]{2,4}\)[^()]*)+"), _udi),
)
