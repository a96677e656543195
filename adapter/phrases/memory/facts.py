"""What a message teaches about its patients, for later ones; and what is known of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import TYPE_CHECKING

from adapter.normalize.folding import squeeze
from adapter.phrases.groups import referred
from adapter.phrases.identity import Numbers, bare
from adapter.phrases.memory.entries import Entry, Recollection, taught
from adapter.types import PatientFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.phrases.memory.memory import Memory
    from adapter.phrases.patients import MessageSubjects

Mac = Callable[[str, str], bytes]
"""The MAC of a value under the domain's key, for a purpose: 32 bytes."""


def patient_facts(counted: MessageSubjects, mac: Mac) -> tuple[PatientFacts, ...]:
    """What a message teaches about each of its patients, in their order."""
    return tuple(
        PatientFacts(
            _hidden(mac, f"subject:{patient.identity}"),
            tuple(_hidden(mac, number) for number in patient.strong),
            tuple(_hidden(mac, number) for number in patient.weak),
            tuple(_hidden(mac, number) for number in patient.prior),
            taught(patient.identity, groups),
        )
        for patient, groups in zip(counted.patients, counted.parts(), strict=True)
    )


def erasing(raw: bytes, mac: Mac, authorities: Iterable[str] = ()) -> PatientFacts:
    """What a tombstone under a patient's number, or a reference to the patient, teaches.

    A key tells no authority: of those that are told apart, each one's patient is erased.
    """
    number = squeeze(referred(raw.decode("utf-8", "replace")))
    charts = (f"{Numbers.CHART}:{own}|{number}" for own in sorted(set(authorities)))
    numbers = (*(f"{kind}:{number}" for kind in Numbers), *charts)
    return PatientFacts("", tuple(_hidden(mac, each) for each in numbers))


def _hidden(mac: Mac, number: str) -> str:
    """A number as records of state are named by it: its MAC under the domain's key, 128 bits."""
    return mac("known", number)[:16].hex()


def recollect(
    counted: MessageSubjects, told: Sequence[PatientFacts], memory: Memory | None
) -> Recollection:
    """What is known of a message's patients, and of their records that end.

    Of a record that nobody remembers only the identity is known that its number gives.
    """
    recalled = tuple(memory.recall(facts) for facts in told) if memory else ()
    ended: dict[str, Entry] = {}
    for patient, facts in zip_longest(counted.patients, told):
        if patient.prior:
            known = memory.ended(facts) if memory and facts else {}
            hidden = facts.prior if facts else patient.prior
            for number, name in zip(patient.prior, hidden, strict=True):
                ended[number] = known.get(name) or Entry("", f"id:{bare(number)}")
    return Recollection(recalled, ended)
