"""What a message teaches about its patients, for later ones; and which of its numbers are one's."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from adapter.normalize.folding import squeeze
from adapter.phrases.entries import Entry, Recollection, taught
from adapter.phrases.groups import referred
from adapter.phrases.identity import Numbers
from adapter.types import Merge, PatientFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.phrases.memory import Memory
    from adapter.phrases.patients import MessageSubjects
    from adapter.surrogates import Key, Surrogates
    from adapter.types import Edit, Message


def patient_facts(counted: MessageSubjects, key: Key) -> tuple[PatientFacts, ...]:
    """What a message teaches about each of its patients, in their order."""
    return tuple(
        PatientFacts(
            _hidden(key, f"subject:{patient.identity}"),
            tuple(_hidden(key, number) for number in patient.strong),
            tuple(_hidden(key, number) for number in patient.weak),
            tuple(_hidden(key, number) for number in patient.prior),
            taught(patient.identity, groups),
        )
        for patient, groups in zip(counted.patients, counted.parts(), strict=True)
    )


def erasing(raw: bytes, key: Key, authorities: Iterable[str] = ()) -> PatientFacts:
    """What a tombstone under a patient's number, or a reference to the patient, teaches.

    A key tells no authority: of those that are told apart, each one's patient is erased.
    """
    number = squeeze(referred(raw.decode("utf-8", "replace")))
    charts = (f"{Numbers.CHART}:{own}|{number}" for own in sorted(set(authorities)))
    numbers = (*(f"{kind}:{number}" for kind in Numbers), *charts)
    return PatientFacts("", tuple(_hidden(key, each) for each in numbers))


def _hidden(key: Key, number: str) -> str:
    """A number as records of state are named by it: its MAC under the domain's key, 128 bits."""
    return key.mac("known", number)[:16].hex()


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
                ended[number] = known.get(name) or Entry("", f"id:{_bare(number)}")
    return Recollection(recalled, ended)


def merges(
    message: Message,
    counted: MessageSubjects,
    recalled: Recollection,
    edits: Iterable[Edit],
    surrogates: Surrogates,
) -> Iterator[Merge]:
    """Which numbers of the output are one patient's from now on."""
    identities = recalled.identities([patient.identity for patient in counted.patients])
    shown: dict[str, str] | None = None
    for patient, now in zip(counted.patients, identities, strict=True):
        for number in patient.prior if patient.strong else ():
            shown = shown or _shown(message, edits)
            survivor = shown.get(_bare(patient.strong[0]))
            if survivor and (prior := shown.get(_bare(number))):
                yield Merge(
                    prior, survivor, surrogates.days_between(recalled.ended[number].identity, now)
                )


def _bare(number: str) -> str:
    return number.partition(":")[2]


def _shown(message: Message, edits: Iterable[Edit]) -> dict[str, str]:
    """Squeezed numbers and ids of references -> as the output shows them."""
    new = {edit.path: edit.text for edit in edits}
    return {
        squeeze(referred(segment.text)): referred(new[segment.path] or "")
        for segment in message.segments
        if segment.path in new
    }
