"""The security label of a released HL7 v2 message: a code in a field of its MSH."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.codecs.hl7v2.lines import Line
    from adapter.codecs.hl7v2.places import Change
    from adapter.types import SecurityLabel


def labelled(
    changes: Iterable[Change], header: Line, separator: str, label: SecurityLabel
) -> Iterable[Change]:
    """Return the changes plus the label's code as the whole of its field.

    MSH-1 is the separator itself, so MSH-n is the n-th piece (HL7 v2.9, 2.14.9). A shorter header
    is filled up with separators; one of a batch (FHS, BHS) has no place for a label.
    """
    at, line = header
    if not line.startswith("MSH"):
        return changes
    pieces = line.split(separator)
    before = int(label.place.rpartition("-")[2]) - 1
    missing = before - len(pieces) + 1
    if missing > 0:
        low = high = at + len(line)
    else:
        low = at + sum(len(piece) + 1 for piece in pieces[:before])
        high = low + len(pieces[before])
    others = [change for change in changes if not (low <= change[0] and change[1] <= high)]
    return [*others, (low, high, separator * missing + label.code)]
