"""Acknowledgements (HL7 v2.8.2, 2.9: message response using the original and the enhanced rules).

Original mode: one answer, MSA-1 AA, AE or AR. Enhanced mode, where MSH-15 or MSH-16 has a value:
an accept acknowledgement (CA, CE, CR) if MSH-15 asks for it, followed by an application
acknowledgement (AA, AE, AR) if MSH-16 does.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapter.transports.mllp.header import Header


class Letter(StrEnum):
    """The second letter of MSA-1 (table 0008)."""

    ACCEPT = "A"
    ERROR = "E"
    REJECT = "R"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to a message; ``text`` is empty or a stage and code."""

    letter: Letter = Letter.ACCEPT
    text: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Receiver:
    """The adapter's own names: MSH-3 and MSH-4."""

    application: str = ""
    facility: str = ""


def answers(header: Header, verdict: Verdict, receiver: Receiver) -> list[bytes]:
    """Return the acknowledgements of a message, in order; an acknowledgement gets none."""
    if header.kind == "ACK":
        return []
    if not header.enhanced:
        codes = [f"A{verdict.letter}"]
    else:
        conditions = {"C": header.accept, "A": header.application}
        codes = [
            f"{first}{verdict.letter}"
            for first, condition in conditions.items()
            if _wanted(condition, verdict.letter)
        ]
    return [_acknowledgement(header, code, verdict.text, receiver) for code in codes]


def _wanted(condition: str, letter: Letter) -> bool:
    """Return whether a condition of table 0155 holds; an empty condition never does."""
    success = letter is Letter.ACCEPT
    return {"AL": True, "ER": not success, "SU": success}.get(condition, False)


def _acknowledgement(header: Header, code: str, text: str, receiver: Receiver) -> bytes:
    mark = header.encoding[0]
    never = "NE" if header.enhanced else ""
    msh = [
        f"MSH{header.separator}{header.encoding}",
        receiver.application,
        receiver.facility,
        "",
        "",
        datetime.now(UTC).strftime("%Y%m%d%H%M%S+0000"),
        "",
        mark.join(("ACK", header.event, "ACK")) if header.event else "ACK",
        secrets.token_hex(10),
        header.processing,
        header.version,
        "",
        "",
        never,
        never,
        "",
        header.charset,
    ]
    msa = ["MSA", code, header.control_id, text]
    lines = (header.separator.join(fields).rstrip(header.separator) for fields in (msh, msa))
    return "".join(f"{line}\r" for line in lines).encode(header.codec, "replace")
