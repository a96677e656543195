"""What a message teaches about its patients, for later ones; and which of its numbers are one's."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from adapter.folding import squeeze
from adapter.phrases.census import Patient
from adapter.phrases.groups import referred
from adapter.phrases.identity import Numbers
from adapter.phrases.known import taught
from adapter.types import Lesson, Merge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.phrases.census import Census
    from adapter.phrases.known import Memory
    from adapter.surrogates import Key, Surrogates
    from adapter.types import Edit, Message


def lessons(counted: Census, key: Key) -> tuple[Lesson, ...]:
    """What a message teaches about each of its patients, in their order."""
    return tuple(
        Lesson(
            _hidden(key, f"subject:{patient.identity}"),
            tuple(_hidden(key, number) for number in patient.strong),
            tuple(_hidden(key, number) for number in patient.weak),
            tuple(_hidden(key, number) for number in patient.prior),
            taught(patient.identity, counted.of(place)),
        )
        for place, patient in enumerate(counted.patients)
    )


def erasing(raw: bytes, key: Key, authorities: Iterable[str] = ()) -> Lesson:
    """What a tombstone under a patient's number, or a reference to the patient, teaches.

    A key tells no authority: of those that are told apart, each one's patient is erased.
    """
    number = squeeze(referred(raw.decode("utf-8", "replace")))
    charts = (f"{Numbers.CHART}:{own}|{number}" for own in sorted(set(authorities)))
    numbers = (*(f"{kind}:{number}" for kind in Numbers), *charts)
    return Lesson("", tuple(_hidden(key, each) for each in numbers))


def _hidden(key: Key, number: str) -> str:
    """A number as records of state are named by it: its MAC under the domain's key, 128 bits."""
    return key.mac("known", number)[:16].hex()


Ended = tuple[Patient, str, str]
"""A patient one of whose records ends; the identities it and the patient were known by."""


def recollect(counted: Census, told: Sequence[Lesson], memory: Memory | None) -> Iterator[Ended]:
    """The patients of whom a record ends, as far as told; there are no lessons without a memory."""
    for patient, lesson in zip_longest(counted.patients, told):
        if patient.prior and patient.strong:
            ended = memory.ended(lesson) if memory and lesson else []
            known = memory.recall(lesson) if memory and lesson else None
            before = ended[0].identity if ended else f"id:{_bare(patient.prior[0])}"
            yield patient, before, known.identity if known else patient.identity


def merges(
    message: Message, ended: Iterable[Ended], edits: Iterable[Edit], surrogates: Surrogates
) -> Iterator[Merge]:
    """Which numbers of the output are one patient's from now on."""
    shown: dict[str, str] | None = None
    for patient, before, now in ended:
        shown = shown or _shown(message, edits)
        number = shown.get(_bare(patient.strong[0]))
        for prior in map(_bare, patient.prior):
            if number and prior in shown:
                yield Merge(shown[prior], number, surrogates.days_between(before, now))


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
