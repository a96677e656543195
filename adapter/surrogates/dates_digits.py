"""Dates written as six or eight digits without a mark: MMDDYY, DDMMYYYY, YYMMDD."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.surrogates.dates import full_year

if TYPE_CHECKING:
    from adapter.surrogates.dates import Calendar

_LAYOUTS = {
    ("mdy", 6): ("MMDDYY", "DDMMYY", "YYMMDD"), ("dmy", 6): ("DDMMYY", "MMDDYY", "YYMMDD"),
    ("ymd", 6): ("YYMMDD", "MMDDYY", "DDMMYY"),
    ("mdy", 8): ("MMDDYYYY", "DDMMYYYY"), ("dmy", 8): ("DDMMYYYY", "MMDDYYYY"),
    ("ymd", 8): ("MMDDYYYY", "DDMMYYYY"),
}  # fmt: skip
"""(order, digits) -> layouts, the likely one first; YYYYMMDD is HL7's, and read before."""


def digits(calendar: Calendar, text: str, order: str) -> str | None:
    """The surrogate of a date of six or eight digits in its layout; None if it is none."""
    if not (text.isascii() and text.isdigit()):
        return None
    for layout in _LAYOUTS.get((order, len(text)), ()):
        parts = {mark: int(_part(text, layout, mark)) for mark in "YMD"}
        if len(text) == 6:  # noqa: PLR2004
            parts["Y"] = full_year(parts["Y"], calendar)
        try:
            new = calendar.moved(parts["Y"], parts["M"] or -1, parts["D"] or -1)
        except ValueError:
            continue
        if calendar.shift is None:
            return f"{new[0]:04d}"
        return _written(layout, dict(zip("YMD", new, strict=True)))
    return None


def _part(text: str, layout: str, mark: str) -> str:
    return text[layout.index(mark) : layout.rindex(mark) + 1]


def _written(layout: str, parts: dict[str, int]) -> str:
    for mark, number in parts.items():
        width = layout.count(mark)
        layout = layout.replace(mark * width, f"{number:04d}"[-width:])
    return layout
