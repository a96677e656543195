"""Groups records by patient: connected components over MACs of patients' numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adapter.types import PatientFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from adapter.phrases.memory import Facts

    Numbers = NDArray[np.int64]

_BITS = 63
"""Bits of a MAC that are used; a collision only joins two groups and changes no result."""


def of_patients(known_facts: Iterable[Facts]) -> Iterator[PatientFacts]:
    """Yield the facts without those about staff, who would join most patients to one group."""
    return (facts for facts in known_facts if isinstance(facts, PatientFacts))


def nodes(known_facts: Iterable[Facts]) -> list[int]:
    """Return the distinct numbers of a record's patients: 63 bits of the MACs of patient memory."""
    names = (
        name
        for facts in of_patients(known_facts)
        for name in (facts.subject, *facts.strong, *facts.weak, *facts.prior)
        if name
    )
    return list(dict.fromkeys(int(name[:16], 16) >> (64 - _BITS) for name in names))


def components(first: Numbers, second: Numbers) -> tuple[Numbers, Numbers]:
    """Return all numbers of the pairs, ascending, and the least number of each one's component.

    All arrays are int64; ``first`` and ``second`` are (pairs,). Labels are hooked to the lesser
    label of each pair, then paths are halved, so that the number of rounds is logarithmic in a
    component's diameter.
    """
    numbers, at = np.unique(np.concatenate([first, second]), return_inverse=True)
    one, other = at[: len(first)], at[len(first) :]
    label = np.arange(len(numbers))
    while True:
        least = np.minimum(label[one], label[other])
        hooked = label.copy()
        np.minimum.at(hooked, label[one], least)
        np.minimum.at(hooked, label[other], least)
        hooked = _shortened(hooked)
        if np.array_equal(hooked, label):
            return numbers, numbers[label]
        label = hooked


def _shortened(label: Numbers) -> Numbers:
    while not np.array_equal(label, further := label[label]):
        label = further
    return label
