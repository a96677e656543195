"""Known numbers within longer runs of digits."""

from __future__ import annotations

import pytest

from adapter.taggers.document.tokens import tokenize
from adapter.taggers.trusted.embedded import Embedded
from adapter.types import Label, TrustedPhrase


def found(number, text, label=Label.MEDICALRECORD):
    """The runs of digits of a text in which a number is recognised."""
    phrase = TrustedPhrase(number, label, "patient", "{id}", ordinary=False)
    spans = Embedded({number: phrase}).spans(tokenize(text))
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("2.25.4145625300000001", "4145625300000001"),
        ("=414562530000=", "414562530000"),
        ("x 2024061141456253", "2024061141456253"),
        ("0004145625301", "0004145625301"),
    ],
)
def test_a_number_at_an_end_of_a_longer_run_takes_the_whole_run(text, run):
    """The rest of the run belongs to the number: an arc of a UID, a padded barcode."""
    assert [run] == found("41456253", text)


@pytest.mark.parametrize("text", ["41456253", "00041456253", "941456254", "7741456253771"])
def test_the_number_alone_or_amid_other_digits_is_not_embedded(text):
    """The number itself, with leading zeros too, is found as a phrase."""
    assert [] == found("41456253", text)


def test_short_numbers_days_and_postal_codes_are_not_looked_for():
    """Seven digits, or a day that begins every time stamp, occur by chance."""
    assert [] == found("4145625", "41456250001")
    assert [] == found("20240611", "20240611093000")
    assert [] == found("558061234", "5580612340001", Label.ZIP)
