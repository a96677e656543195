"""UTC offsets and time zone names, which reveal summer or winter wherever clocks change.

The local time of day stays; its offset from UTC becomes the same all year.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.languages import Words

KEEP, NORMALISE, DROP = "keep", "normalise", "drop"
"""Treatment of offsets: keep them, make all UTC, or drop them where the format allows it."""
NAMES = (
    r"(?:[AECMP][SD]T|AK[SD]T|H[SD]T|NZ[SD]T|AE[SD]T|CES?T|MES?Z|WES?T|EES?T|BST|GMT|UTC)"
    r"(?![A-Za-z])"
)
"""Abbreviations; recognised only in capitals and after a time of day."""
_SIGNED = r"[+-](?:0[0-9]|1[0-4])(?::?[0-5][0-9])"
_CLOCK = r"(?<![0-9:])[0-2]?[0-9]:[0-5][0-9]"
_FRACTION = r"(?:[.,][0-9]{1,9})?"
_HALF = r"[AaPp]\.?[Mm]"
_FIELD = re.compile(r"[+-][0-9]{2}:?[0-9]{2}$|[Zz]$")
_DIGIT = re.compile(r"[0-9]")


@lru_cache(maxsize=8)
def _zone(words: Words) -> re.Pattern[str]:
    """Return the pattern of an offset or zone name; memoised."""
    clocked = (
        (
            rf"(?:{_CLOCK}(?::[0-5][0-9]{_FRACTION})?|\b(?:1[0-2]|0?[1-9])(?=[ ]?{_HALF}))"
            rf"(?:[ ]?{_HALF}\.?)?(?:[ ]?(?i:{words.said('hours')})\b)?[ ]?"
            rf"(?P<name>(?:{NAMES})(?:[ ]?[+-][0-9]{{1,2}}(?::?[0-5][0-9])?)?)"
        ),
        (
            rf"(?:[Tt][0-2][0-9]:?[0-5][0-9](?::?[0-5][0-9])?|{_CLOCK}:[0-5][0-9]){_FRACTION}[ ]?"
            rf"(?P<signed>{_SIGNED})(?![0-9:])"
        ),
        rf"{_CLOCK}(?P<plus>\+(?:0[0-9]|1[0-4]):[0-5][0-9]|[+-](?:0[0-9]|1[0-4])(?:00|30|45))(?![0-9:])",
        rf"(?<![0-9])(?:[01][0-9]|2[0-3])[0-5][0-9][ ](?P<bare>{NAMES})",
    )
    apart = (
        r"(?:(?<=:[0-9]{2})|(?<=\.[0-9]{3})|(?<=[+-][0-9]{4})|(?<=[0-9][Zz])"
        r"|(?<=[AaPp][Mm])|(?<=UTC)|(?<=GMT))"
        rf"[ ]?\((?P<apart>{NAMES})\)"
    )
    # A cheap look-ahead comes first, because no time of day begins at most positions.
    zoned = (rf"(?=[0-9Tt])(?:{'|'.join(clocked)})", rf"(?=[ ]?\(){apart}")
    long = words.patterns("zones")
    return re.compile("|".join((*zoned, *((rf"(?P<long>{'|'.join(long)})",) if long else ()))))


def found(text: str, words: Words) -> Iterator[tuple[int, int]]:
    """Yield start and end of each offset or zone name in free text.

    "10:15-11:00" is two times of day, not an offset.
    """
    for match in _zone(words).finditer(text):
        kind = match.lastgroup or "long"
        yield match.span(kind)


def zone(text: str, offsets: str) -> str:
    """Return the replacement of a lone offset or zone name, in its layout."""
    if offsets == KEEP:
        return text
    if offsets == DROP:
        return ""
    if text[0] in "+-":
        return "+" + _DIGIT.sub("0", text[1:])
    return text if text in ("Z", "z") else "UTC"


def zoned(text: str, offsets: str, words: Words) -> str:
    """Return free text with every offset and zone name replaced as by `zone`."""
    if offsets == KEEP:
        return text
    pieces: list[str] = []
    place = 0
    for start, end in found(text, words):
        pieces += text[place:start], zone(text[start:end], offsets)
        place = end
    return "".join((*pieces, text[place:]))


def field(text: str, offsets: str, *, required: bool = False) -> str:
    """Return a field's time of day with its offset replaced as by `zone`.

    Where FHIR requires an offset (R4 dateTime), it becomes Z instead of being dropped.
    """
    if offsets == KEEP:
        return text
    match = _FIELD.search(text)
    if match is None:
        return text
    if offsets == DROP:
        return text[: match.start()] + ("Z" if required else "")
    return text[: match.start()] + zone(match[0], offsets)
