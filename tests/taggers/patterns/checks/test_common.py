"""Check digits and calendars."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.taggers.patterns.checks.common import VALIDATORS, validator_of


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("calendar", "2/29/2020", "13/32/20"),
        ("calendar", "2023-03-14", "2023-13-14"),
        ("calendar", "14.03.1951", "3/14"),
        ("month-day", "3/14", "14/3"),
        ("month-year", "03/2019", "13/2019"),
        ("either-date", "3/14", "120/80"),
        ("fraction", "4/5, 5/5", "6/5"),
        ("compact-date", "20230314", "20231314"),
        ("luhn", "4111 1111 1111 1111", "4111 1111 1111 1112"),
        ("npi", "1234567893", "1234567890"),
        ("dea", "AB1234563", "AB1234560"),
        ("nhs", "943 476 5919", "943 476 5910"),
        ("ssn", "123-45-6789", "666-45-6789"),
        ("ipv4", "10.44.7.119", "10.44.7.256"),
        ("iban", "GB82 WEST 1234 5698 7654 32", "GB82 WEST 1234 5698 7654 33"),
        ("iban", "ES91-2100-0418-4502-0005-1332", "ES91-2100-0418-4502-0005-1333"),
        ("dni", "12.345.678-Z", "12.345.678-A"),
        ("dni", "X-1234567-L", "Y-1234567-L"),
        ("social-security", "28 12345678 40", "28 12345678 41"),
        ("vin", "1M8GDM9AXKP042788", "1M8GDM9A0KP042788"),
        ("age", "120", "121"),
        ("rising", "0-450", "450-0"),
        ("rising", "10,450 to 11,200.5", "24-10877"),
        ("code", "AB1", "AB"),
        ("coded", "AB123", "0015-0415"),
        ("identifier", "123", "2019"),
        ("headed", "204418", "3/14/2023"),
        ("telling", "S23-14409", "T9-10"),
    ],
)
def test_validator(name, right, wrong):
    """A validator accepts the right value and refuses the wrong one."""
    assert VALIDATORS[name](right)
    assert not VALIDATORS[name](wrong)


@pytest.mark.parametrize("name", sorted(VALIDATORS))
@given(text=st.text(max_size=30))
def test_validators_are_total(name, text):
    """A validator gives a verdict on any text and never raises."""
    assert VALIDATORS[name](text) in (True, False)


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [({"digits": 11, "luhn": True}, "10000000017", True),
     ({"digits": 11, "luhn": True}, "10000000018", False),
     ({"digits": 11, "luhn": True}, "1000000009", False),
     ({"digits": 6, "modulus": 97, "key": 2, "complement": True}, "123426", False),
     ({"digits": 6, "modulus": 97, "key": 2, "complement": True}, f"1234{97 - 1234 % 97:02}", True),
     ({"digits": 6, "modulus": 97, "key": 2}, f"1234{1234 % 97:02}", True),
     ({"digits": 6, "modulus": 97, "key": 2, "replace": {"a": "4"}}, f"123A{1234 % 97:02}", True)],
)  # fmt: skip
def test_a_check_may_be_described(asked, text, expected):
    """A rule file says of a number its digits, and Luhn's check or the modulus of its key."""
    assert validator_of(asked)(text) is expected


@pytest.mark.parametrize(
    "asked", [{"luhn": True}, {"digits": 3}, {"digits": 3, "luhn": True, "key": 1}, {"sum": 1}]
)
def test_a_check_described_badly_is_refused(asked):
    """Neither an unknown key nor one that is missing is passed over."""
    with pytest.raises(ValueError, match="validator"):
        validator_of(asked)
