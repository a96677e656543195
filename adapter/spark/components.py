"""Records of one patient: connected components over MACs of their numbers, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adapter.types import PatientFacts

    Numbers = NDArray[np.int64]

_BITS = 63
"""Of a MAC: two that agree in them are taken together, which changes no byte of a result."""


def nodes(patient_facts: tuple[PatientFacts, ...]) -> list[int]:
    """The numbers of a record's patients, each once: 63 bits of the MACs that memory goes by."""
    names = (
        name
        for facts in patient_facts
        for name in (facts.subject, *facts.strong, *facts.weak, *facts.prior)
        if name
    )
    return list(dict.fromkeys(int(name[:16], 16) >> (64 - _BITS) for name in names))


def components(first: Numbers, second: Numbers) -> tuple[Numbers, Numbers]:
    """Return every number of the pairs, ascending, and the least number of its component.

    Labels hook to the lesser of each pair and then halve their way to it, so that rounds are
    logarithmic in a component's diameter.
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
