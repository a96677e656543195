"""A day of the message's fields is a date in a text without any word beside it."""

from __future__ import annotations

import pytest

from adapter.taggers.trusted.known_days import known_days

DAYS = frozenset({"20240609", "19631118"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("adm 6-9-24 CAP", ["6-9-24"]),
        ("adm 06.09.2024", ["06.09.2024"]),
        ("adm 9/6/24,", ["9/6/24"]),
        ("born 18-11-1963.", ["18-11-1963"]),
        ("adm 6-10-24", []),
        ("ratio 6-9/24", []),
        ("version 6.9.24.1", []),
        ("arc 1.6.9.24", []),
        ("6-9-24%", []),
        ("6-9-24mg", []),
        ("A6-9-24", []),
    ],
)
def test_only_a_whole_row_of_numbers_with_a_known_day_is_a_date(text, expected):
    """Month or day first, two or four digits of the year, one separator throughout."""
    assert expected == [text[span.start : span.end] for span in known_days(text, DAYS)]


def test_nothing_is_a_date_in_a_message_without_days():
    """Digits alone are no evidence."""
    assert [] == list(known_days("adm 6-9-24", frozenset()))
