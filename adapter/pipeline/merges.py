"""Merges: surrogate numbers that are one patient's after a message that ends a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.normalize.folding import squeeze
from adapter.phrases.groups import referred, unpadded
from adapter.phrases.identity import bare
from adapter.types import Merge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.phrases.memory import Recollection
    from adapter.phrases.patients import MessageSubjects
    from adapter.surrogates import Surrogates
    from adapter.types import Edit, Message


def merges(
    message: Message,
    subjects: MessageSubjects,
    recalled: Recollection,
    edits: Iterable[Edit],
    surrogates: Surrogates,
) -> Iterator[Merge]:
    """Yield the pairs of surrogate numbers that belong to one patient from this message on."""
    identities = recalled.identities([patient.identity for patient in subjects.patients])
    shown: dict[str, str] | None = None
    for patient, now in zip(subjects.patients, identities, strict=True):
        for number in patient.prior if patient.strong else ():
            shown = shown or _shown(message, edits)
            survivor = shown.get(_key(patient.strong[0]))
            if survivor and (prior := shown.get(_key(number))):
                yield Merge(
                    prior, survivor, surrogates.days_between(recalled.ended[number].identity, now)
                )


def _key(number: str) -> str:
    """Return the number in "kind:authority|number" as `_shown` has it."""
    return unpadded(bare(number).rpartition("|")[2])


def _shown(message: Message, edits: Iterable[Edit]) -> dict[str, str]:
    """Map original numbers, and ids of references, to their surrogates in the output.

    The originals are squeezed and without leading zeros.
    """
    new = {edit.path: edit.text for edit in edits}
    return {
        unpadded(squeeze(referred(segment.text))): referred(new[segment.path] or "")
        for segment in message.segments
        if segment.path in new
    }
