"""Who is meant by a name: other names of a message that share its words vote."""

from __future__ import annotations

from itertools import accumulate
from operator import attrgetter

import pytest

from adapter.resolve.reconcile import reconcile
from adapter.types import Label, Span
from tests.wording import WORDS

PATIENT, DOCTOR = Label.PATIENT, Label.DOCTOR


def labels(*names: tuple[str, Label, float, int, bool]) -> list[Label]:
    """Return the labels of names, each a line of one text, after reconciliation."""
    texts = [name[0] for name in names]
    starts = [0, *accumulate(len(text) + 1 for text in texts)]
    spans = [
        Span(start, start + len(text), label, "test", score, priority, sure=sure)
        for start, (text, label, score, priority, sure) in zip(starts, names, strict=False)
    ]
    (row,) = reconcile(["\n".join(texts)], [spans], [[]], frozenset(), WORDS.context)
    return [span.label for span in sorted(row, key=attrgetter("start"))]


def test_a_part_of_a_name_has_the_label_of_the_whole():
    """A given name alone is that of the nurse who is named in full, if that is likelier."""
    full, part = ("Tasha Whitcomb", DOCTOR, 1.0, 75, False), ("Tasha", PATIENT, 0.9, 75, False)
    assert [DOCTOR, DOCTOR] == labels(full, part)
    assert [PATIENT, DOCTOR] == labels(part, ("Tasha Whitcomb", DOCTOR, 0.6, 75, False))


@pytest.mark.parametrize(("priority", "sure"), [(100, False), (75, True)])
def test_a_name_that_a_field_or_title_tells_keeps_its_label(priority, sure):
    """The physician and the patient may share a family name; who is told weighs more."""
    told = ("Moss", DOCTOR, 1.0, priority, sure)
    ruth = ("Ruth Moss", PATIENT, 0.9, 75, False)
    assert [DOCTOR, PATIENT] == labels(told, ruth)
    assert [DOCTOR, PATIENT, PATIENT] == labels(told, ruth, ("Ruth", PATIENT, 0.9, 75, False))


def test_only_labels_of_people_are_voted_on_by_words():
    """A street that is called like a physician stays a street."""
    doctor, street = ("Oak", DOCTOR, 1.0, 75, False), ("Oak Street", Label.STREET, 0.5, 75, False)
    assert [DOCTOR, Label.STREET] == labels(doctor, street)
