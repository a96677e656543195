"""Facts about a message's patients, for later messages, and the recall of earlier facts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import TYPE_CHECKING

from adapter.normalize.folding import squeeze
from adapter.phrases.groups import referred, unpadded
from adapter.phrases.identity import Numbers, bare
from adapter.phrases.memory.entries import Entry, Recollection, pack_facts
from adapter.types import PatientFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.phrases.memory.entries import StaffFacts
    from adapter.phrases.memory.memory import Memory
    from adapter.phrases.patients import MessageSubjects

Mac = Callable[[str, str], bytes]
"""(purpose, value) -> the 32-byte MAC of the value under the domain's key."""


def patient_facts(subjects: MessageSubjects, mac: Mac) -> tuple[PatientFacts, ...]:
    """Return the facts that a message gives about its patients, parallel to its patients."""
    return tuple(
        PatientFacts(
            hidden(mac, f"subject:{patient.identity}"),
            tuple(hidden(mac, number) for number in patient.strong),
            tuple(hidden(mac, number) for number in patient.weak),
            tuple(hidden(mac, number) for number in patient.prior),
            pack_facts(patient.identity, groups),
        )
        for patient, groups in zip(subjects.patients, subjects.parts(), strict=True)
    )


def erasing(raw: bytes, mac: Mac, authorities: Iterable[str] = ()) -> PatientFacts:
    """Return the facts of a tombstone whose key is a patient's number or a reference to a patient.

    A key names no authority, so the patient with this number is erased under each known authority.
    """
    number = squeeze(referred(raw.decode("utf-8", "replace")))
    bare_number = unpadded(number)
    charts = (f"{Numbers.CHART}:{own}|{bare_number}" for own in sorted(set(authorities)))
    others = (f"{kind}:{bare_number}" for kind in Numbers if kind is not Numbers.RESOURCE)
    numbers = (f"{Numbers.RESOURCE}:{number}", *others, *charts)
    return PatientFacts("", tuple(hidden(mac, each) for each in numbers))


def hidden(mac: Mac, number: str) -> str:
    """Return the name of a number in records of state: 128 bits of its MAC, in hexadecimal."""
    return mac("known", number)[:16].hex()


def recollect(
    subjects: MessageSubjects,
    facts: Sequence[PatientFacts],
    memory: Memory | None,
    staff: StaffFacts | None = None,
) -> Recollection:
    """Return the entries of a message's patients and of their records that end, and staff.

    An ended record without an entry gets one with only the identity that its number gives.
    """
    recalled = tuple(memory.recall(each) for each in facts) if memory else ()
    ended: dict[str, Entry] = {}
    for patient, own in zip_longest(subjects.patients, facts):
        if patient.prior:
            known = memory.ended(own) if memory and own else {}
            hidden = own.prior if own else patient.prior
            for number, name in zip(patient.prior, hidden, strict=True):
                ended[number] = known.get(name) or Entry("", f"id:{unpadded(bare(number))}")
    known_staff = memory.staff.recall(staff) if memory and staff else ()
    return Recollection(recalled, ended, *known_staff)
