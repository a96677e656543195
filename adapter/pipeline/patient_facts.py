"""What a message says about its patients, for later ones; and which numbers are one patient's."""

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


def patient_facts(subjects: MessageSubjects, key: Key) -> tuple[PatientFacts, ...]:
    """Return what a message says about each of its patients, in the patients' order."""
    return tuple(
        PatientFacts(
            _hidden(key, f"subject:{patient.identity}"),
            tuple(_hidden(key, number) for number in patient.strong),
            tuple(_hidden(key, number) for number in patient.weak),
            tuple(_hidden(key, number) for number in patient.prior),
            taught(patient.identity, groups),
        )
        for patient, groups in zip(subjects.patients, subjects.parts(), strict=True)
    )


def erasing(raw: bytes, key: Key, authorities: Iterable[str] = ()) -> PatientFacts:
    """Return facts that erase the patient whose number or reference a tombstone has as its key.

    A key names no assigning authority: where authorities are told apart, the patient of each is
    erased.
    """
    number = squeeze(referred(raw.decode("utf-8", "replace")))
    charts = (f"{Numbers.CHART}:{own}|{number}" for own in sorted(set(authorities)))
    numbers = (*(f"{kind}:{number}" for kind in Numbers), *charts)
    return PatientFacts("", tuple(_hidden(key, each) for each in numbers))


def _hidden(key: Key, number: str) -> str:
    """Return the name of a number in records of state: its MAC under the domain's key, 128 bits."""
    return key.mac("known", number)[:16].hex()


def recollect(
    subjects: MessageSubjects, told: Sequence[PatientFacts], memory: Memory | None
) -> Recollection:
    """Return what is known of a message's patients, and of their records that end.

    Of a record that nobody remembers, only the identity that its number gives is known.
    """
    recalled = tuple(memory.recall(facts) for facts in told) if memory else ()
    ended: dict[str, Entry] = {}
    for patient, facts in zip_longest(subjects.patients, told):
        if patient.prior:
            known = memory.ended(facts) if memory and facts else {}
            hidden = facts.prior if facts else patient.prior
            for number, name in zip(patient.prior, hidden, strict=True):
                ended[number] = known.get(name) or Entry("", f"id:{_bare(number)}")
    return Recollection(recalled, ended)


def merges(
    message: Message,
    subjects: MessageSubjects,
    recalled: Recollection,
    edits: Iterable[Edit],
    surrogates: Surrogates,
) -> Iterator[Merge]:
    """Yield which numbers of the output belong to one patient from now on."""
    identities = recalled.identities([patient.identity for patient in subjects.patients])
    shown: dict[str, str] | None = None
    for patient, now in zip(subjects.patients, identities, strict=True):
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
    """Map squeezed numbers and the ids of references to what the output shows for them."""
    new = {edit.path: edit.text for edit in edits}
    return {
        squeeze(referred(segment.text)): referred(new[segment.path] or "")
        for segment in message.segments
        if segment.path in new
    }
