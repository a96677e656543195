"""Known names with digits for letters are found, words that only look mixed are not."""

from __future__ import annotations

import pytest

from adapter.taggers.trusted.variants.misread import misread_names
from adapter.types import Label, TrustedPhrase

NAMES = {
    name: [TrustedPhrase(name, Label.PATIENT, "patient", "{family}")]
    for name in ("okonjidele", "thistlewaite", "solis", "bellini")
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0konjidele notified", ["0konjidele"]),
        ("told ok0njidele-", ["ok0njidele"]),
        ("th1st1ewaite, e", ["th1st1ewaite"]),
        ("thist1e-waite", ["thist1e-waite"]),
        ("0konjidele's wife", ["0konjidele"]),
        ("s0lis", []),
        ("be11in1 now", []),
        ("be1lini now", ["be1lini"]),
        ("hba1c 5.6, b12", []),
        ("okonjidele", []),
        ("0konjidelex", []),
    ],
)
def test_a_known_name_with_digits_for_letters_is_found(text, expected):
    """Six letters and more, at most one digit for two letters, and the whole word."""
    assert expected == [text[start:end] for start, end, _ in misread_names(text, NAMES)]
