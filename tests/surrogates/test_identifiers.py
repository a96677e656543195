"""Numbers: layout kept, check digits valid, the same everywhere."""

from __future__ import annotations

import re
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import SurrogateError
from adapter.surrogates.checkdigits import dea, gtin, luhn, nhs, npi, scheme_of, vin
from adapter.surrogates.identifiers import distinct, identifier, plain, social
from adapter.surrogates.keys import Key

KEY = Key("k", b"0123456789abcdef")
IDS = st.from_regex(r"[A-Za-z0-9]{1,3}[-A-Za-z0-9 ./]{0,18}[A-Za-z0-9]", fullmatch=True)


def pattern(text: str) -> str:
    """Digits as 9, capitals as A, small letters as a."""
    return re.sub("[a-z]", "a", re.sub("[A-Z]", "A", re.sub("[0-9]", "9", text)))


@given(IDS)
def test_layout_is_kept(text):
    """Digits stay digits, letters letters of the same case, marks where they are."""
    assert pattern(text) == pattern(plain(KEY, text))


@given(IDS)
def test_never_the_original(text):
    """A surrogate in use is never its original."""
    surrogate = distinct(lambda attempt: identifier(KEY, text, attempt), text)

    assert surrogate.lower() != text.lower()


@given(st.from_regex(r"[1-9][0-9]{3,9}", fullmatch=True))
def test_digits_agree_over_layouts(digits):
    """Dashes, leading zeros and letters in front do not change the digits' surrogate."""
    surrogate = plain(KEY, digits)
    forms = (f"{digits[:2]}-{digits[2:]}", f"000{digits}", f"MRN{digits}")

    assert [surrogate] * 3 == [re.sub(r"\D", "", plain(KEY, form)).lstrip("0") for form in forms]


@given(IDS)
def test_case_does_not_matter(text):
    """Upper and lower case of a number agree."""
    assert plain(KEY, text.upper()) == plain(KEY, text.lower()).upper()


def test_no_two_numbers_meet():
    """Surrogates of 20,000 neighbouring numbers are all different."""
    numbers = [f"{number:07d}" for number in range(4_000_000, 4_020_000)]

    assert len(numbers) == len({identifier(KEY, number) for number in numbers})


@given(st.from_regex(r"[12][0-9]{8}", fullmatch=True))
def test_npi_stays_valid(body):
    """A valid National Provider Identifier gets a valid one."""
    surrogate = plain(KEY, body + npi(body))

    assert npi(surrogate[:-1]) == surrogate[-1]
    assert surrogate[0] in "12"


@pytest.mark.parametrize(
    ("check", "size"), [(luhn, 15), (luhn, 14), (gtin, 13), (gtin, 11), (dea, 6)]
)
@given(st.data())
def test_check_digits_stay_valid(check, size, data):
    """Card numbers, IMEIs, GTINs and DEA digits stay valid under their own scheme."""
    body = data.draw(st.from_regex(f"[1-9][0-9]{{{size - 1}}}", fullmatch=True))
    surrogate = plain(KEY, body + check(body))

    assert check(surrogate[:-1]) == surrogate[-1]


@given(st.from_regex(r"[3-9][0-9]{8}", fullmatch=True).filter(nhs))
def test_nhs_number_stays_valid(body):
    """A valid NHS number gets a valid one, blanks kept."""
    number = body + nhs(body)
    surrogate = plain(KEY, f"{number[:3]} {number[3:6]} {number[6:]}")

    assert re.fullmatch(r"\d{3} \d{3} \d{4}", surrogate)
    assert nhs(surrogate.replace(" ", "")[:-1]) == surrogate[-1]


@given(st.from_regex(r"[1-9][0-9]{9}", fullmatch=True).filter(lambda d: scheme_of(d) is None))
def test_numbers_of_no_scheme_stay_so(digits):
    """A number that is no NPI and no NHS number does not become one by chance."""
    assert scheme_of(plain(KEY, digits)) is None


def test_vehicle_number_stays_valid():
    """A VIN keeps a valid check character."""
    surrogate = identifier(KEY, "1HGCM82633A004352")

    assert "1HGCM82633A004352" != surrogate
    assert vin(surrogate) == surrogate[8]


def test_uuid_keeps_version_and_variant():
    """A UUID stays one of the same version, with or without dashes alike."""
    text = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
    surrogate = identifier(KEY, text)

    assert 4 == uuid.UUID(surrogate).version
    assert surrogate.replace("-", "") == identifier(KEY, text.replace("-", ""))
    assert surrogate.upper() == identifier(KEY, text.upper())


@pytest.mark.parametrize("text", ["1.2.840.113619.2.55.3.0.17", "2.25.3298007356985866292956419"])
def test_object_identifier_stays_valid(text):
    """An OID keeps its first two arcs and has no leading zeros."""
    surrogate = identifier(KEY, text)

    assert text.split(".")[:2] == surrogate.split(".")[:2]
    assert re.fullmatch(r"[0-2](\.(0|[1-9]\d*))+", surrogate)
    assert text != surrogate


@given(st.from_regex(r"[0-9]{3}-[0-9]{2}-[0-9]{4}", fullmatch=True))
def test_social_security_number_is_never_assignable(text):
    """Area 9xx with groups that no ITIN has, written as it was."""
    area, group, serial = identifier(KEY, text).split("-")

    assert "9" == area[0]
    assert int(group) in {*range(50), *range(66, 70), 89}
    assert "0000" != serial


def test_masked_social_security_number():
    """Of a masked or cut number the end is replaced."""
    assert re.fullmatch(r"xxx-xx-\d{4}", social(KEY, "xxx-xx-0142"))


def test_device_identifier_is_replaced_by_parts():
    """A UDI keeps its application identifiers, a valid GTIN and a date; its serial agrees alone."""
    text = "(01)00844588003288(17)141120(10)7654321D(21)10987654d321"
    surrogate = identifier(KEY, text)
    found = re.fullmatch(r"\(01\)(\d{14})\(17\)(\d{6})\(10\)(\d{7}D?.?)\(21\)(\w+)", surrogate)

    assert found
    assert gtin(found[1].lstrip("0")[:-1]) == found[1][-1]
    assert identifier(KEY, "10987654d321") == found[4]


def test_other_scripts_become_ascii():
    """Digits and letters of any script are replaced."""
    assert re.fullmatch(r"[0-9]{3} [A-Z][a-z]", identifier(KEY, "٣٤٥ Ñö"))


def test_real_values_are_avoided():
    """A surrogate that is real in the message is drawn again."""
    first = plain(KEY, "4088213")
    second = distinct(lambda n: plain(KEY, "4088213", n), "4088213", frozenset({first}))

    assert first != second


def test_no_candidate_is_an_error():
    """Where every draw is the original there is no surrogate."""
    with pytest.raises(SurrogateError):
        distinct(lambda _: "same", "SAME")
