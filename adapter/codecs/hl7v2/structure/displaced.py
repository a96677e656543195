"""Detects fields displaced by a separator that was lost or is one too many."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from adapter.codecs.hl7v2.structure.grammar import misfit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.codecs.hl7v2.structure.grammar import Field


def displaced(values: Sequence[str], fields: Sequence[Field], farthest: int) -> bool:
    """Whether a personal value is displaced into a place that is not personal.

    After each lost separator, values are one place too early; after each extra one, one too late.
    An explanation by more than one separator must correct more than one value. Of equal
    explanations, the one with the smallest shift counts. Shifts up to ``farthest`` are tried.
    """
    if not any(map(_astray, values, fields)):
        return False
    placed = _misfits(values, fields, 0)
    return any(
        _explains(values, fields, placed, shift)
        for distance in range(1, farthest + 1)
        for shift in (distance, -distance)
    )


def _explains(
    values: Sequence[str], fields: Sequence[Field], placed: Sequence[int], shift: int
) -> bool:
    left, start = _split(values, fields, placed, shift)
    gained = placed[-1] - left
    return gained >= min(abs(shift), 2) and _exposed(values, fields, -start, shift)


def _split(
    values: Sequence[str], fields: Sequence[Field], placed: Sequence[int], shift: int
) -> tuple[int, int]:
    """Return the fewest misfits if values from some index on are shifted; the last such index."""
    moved = _misfits(values, fields, shift)
    total = moved[-1]
    return min((placed[i] + total - moved[i], -i) for i in range(1, len(values) + 1))


def _misfits(values: Sequence[str], fields: Sequence[Field], shift: int) -> list[int]:
    """Return for each index how many values before it do not fit shifted by ``shift`` places."""
    last = len(fields)
    found = []
    for index, value in enumerate(values, shift):
        found.append(0 <= index < last and misfit(value, fields[index]))
    return list(accumulate(found, initial=0))


def _exposed(values: Sequence[str], fields: Sequence[Field], start: int, shift: int) -> bool:
    """Whether a value from ``start`` on fits a personal place, but not the place that it is in."""
    last = len(fields)
    return any(
        0 <= index + shift < last
        and fields[index + shift].personal
        and _astray(values[index], fields[index])
        and not misfit(values[index], fields[index + shift])
        for index in range(start, min(len(values), last))
    )


def _astray(value: str, field: Field) -> bool:
    """Whether a value does not fit its place, and part of it would be kept there."""
    return (not field.personal or "^" in value) and misfit(value, field)
