"""Misspellings of names."""

from __future__ import annotations

import pytest

from adapter.taggers.trusted.variants.spelling import close, sound


@pytest.mark.parametrize(
    ("word", "name", "expected"),
    [
        ("smtih", "smith", True),
        ("smyth", "smith", True),
        ("paine", "pain", True),
        ("maria", "marta", True),
        ("dean", "jean", False),
        ("lena", "elna", True),
        ("rash", "nash", False),
        ("katherine", "catherine", True),
        ("kathryn", "katherine", True),
        ("okafro", "okafor", True),
        ("lisinopril", "wisniewski", False),
        ("smith", "smith", False),
    ],
)
def test_closeness_depends_on_length(word, name, expected):
    """Short names need the same first letter or swapped letters."""
    assert expected is close(word, name)


def test_like_sounds_share_a_key():
    """Consonants of one class are one, vowels and doubles do not count."""
    assert sound("stephen") == sound("steven")
    assert sound("philips") == sound("fillips")
    assert sound("smith") != sound("jones")
