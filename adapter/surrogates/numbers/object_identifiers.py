"""Surrogates of object identifiers (ISO/IEC 9834-1, HL7's and DICOM's OIDs and UIDs)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.surrogates.drawing.permutations import permuted

if TYPE_CHECKING:
    from adapter.surrogates.drawing.keys import Key

OID = re.compile(r"[0-2](?:\.(?:0|[1-9][0-9]*)){2,}")
_UUID_ARC = "2.25."
"""Arc of object identifiers made from a UUID (ITU-T X.667), followed by at most 39 digits."""


def object_identifier(key: Key, text: str, attempt: int = 0) -> str:
    """Return another OID with as many digits in each arc; the first two arcs and 2.25 stay.

    OIDs whose arcs have the same numbers of digits go through one permutation: no two collide.
    """
    if text.startswith(_UUID_ARC) and text.count(".") == 2:  # noqa: PLR2004 (2.25 and a UUID)
        return f"{_UUID_ARC}{int.from_bytes(key.mac('oid', text, str(attempt))[:16])}"
    first, second, *arcs = text.split(".")
    pattern = "".join("0" if len(arc) == 1 else "1" + "0" * (len(arc) - 1) for arc in arcs)
    lengths = ".".join(str(len(arc)) for arc in arcs)
    drawn = permuted(key, "".join(arcs), pattern, f"oid/{first}.{second}/{lengths}/{attempt}")
    pieces, place = [first, second], 0
    for arc in arcs:
        pieces.append(drawn[place : place + len(arc)])
        place += len(arc)
    return ".".join(pieces)
