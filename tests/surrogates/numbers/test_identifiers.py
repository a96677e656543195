"""Numbers: layout kept, check digits valid, the same everywhere."""

from __future__ import annotations

import itertools
import re
import time
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.checkdigits import dea, gtin, luhn, nhs, npi, scheme_of, vin
from adapter.errors import SurrogateError
from adapter.surrogates.drawing.keys import Key
from adapter.surrogates.numbers.identifiers import distinct, identifier, plain, social

KEY = Key("k", b"0123456789abcdef", words=frozenset({"mrn", "patient"}))
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
    """Dashes, leading zeros and words for numbers do not change the digits' surrogate."""
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


@pytest.mark.parametrize("word", ["MRN", "mrn-", "Patient/mrn-", "patient "])
def test_words_for_numbers_stay(word):
    """What kind of number it is stays; the digits are those of the bare number."""
    assert word + plain(KEY, "90817263") == plain(KEY, f"{word}90817263")


@pytest.mark.parametrize("text", ["okonjo-90817263", "A90817263", "mrnx-90817263", "90817263b"])
def test_other_letters_change_the_digits(text):
    """Beside any other letters the digits are not those of the bare number."""
    assert plain(KEY, "90817263") != re.sub(r"\D", "", plain(KEY, text))


def differences(one, other):
    """Letter by letter, how far two texts are apart."""
    return tuple((ord(a) - ord(b)) % 26 for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("count", [pytest.param(400), pytest.param(4000, marks=pytest.mark.slow)])
def test_a_shared_number_tells_no_letter(count):
    """Surrogates of two names beside one number differ by what their letters do only by chance."""
    hits = 0
    for number in range(10**7, 10**7 + count):
        one, other = (plain(KEY, f"{name}-{number}")[:6] for name in ("okonjo", "keller"))
        hits += sum(
            a == b
            for a, b in zip(differences(one, other), differences("okonjo", "keller"), strict=True)
        )

    assert abs(hits - count * 6 / 26) < 5 * (count * 6 / 26) ** 0.5


@pytest.mark.parametrize("count", [pytest.param(400), pytest.param(4000, marks=pytest.mark.slow)])
def test_one_character_changes_all(count):
    """Where one letter or digit differs, each character of the surrogates agrees by chance only."""
    letters = digits = 0
    for number in range(10_000, 10_000 + count):
        one, other = plain(KEY, f"a{number}1kq7x"), plain(KEY, f"a{number}1kr7x")
        alike = [a == b for a, b in zip(one[:9], other[:9], strict=True)]
        letters += sum(map(int, (alike[0], *alike[7:9])))
        digits += sum(alike[2:7])

    assert abs(letters - count * 3 / 26) < 5 * (count * 3 / 26) ** 0.5
    assert digits < count * 5 * 0.13


def test_numbers_with_letters_never_meet():
    """Surrogates of 20,000 numbers with letters are all different, and none is of a known word."""
    numbers = [f"{letter}{n:04d}" for letter in ("a", "b") for n in range(1000, 10_000)]
    surrogates = {plain(KEY, number) for number in numbers}

    assert len(numbers) == len(surrogates)


def test_a_registration_stays_valid():
    """A DEA number keeps its two letters' place and has a valid check digit."""
    surrogate = plain(KEY, "AB1234563")

    assert dea(surrogate[2:-1]) == surrogate[-1]
    assert surrogate[:2].isalpha()
    assert surrogate != "AB1234563"


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", r"[0-7][0-9A-HJKMNP-TV-Z]{25}"),
        ("01arz3ndektsv4rrffq69g5fav", r"[0-7][0-9a-hjkmnp-tv-z]{25}"),
        ("dGhpcyBpcyBhbiBpZDogOTA4MTcyNjM", r"[0-9A-Za-z]{31}"),
        ("uX-3n_9QzL0bV7eR2tYw5A==", r"[0-9A-Za-z]{22}=="),
        ("5f4dcc3b5aa765d61d8327deb882cf99", r"[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}"),
        ("da39a3ee5e6b4b0d3255bfef95601890afd80709", r"[0-9a-f]{40}"),
        ("DA39A3EE5E6B4B0D3255BFEF95601890AFD80709", r"[0-9A-F]{40}"),
        ("21f7f8de-8051-5b89-8680-0195ef798b6a", r"[0-9a-f]{8}-[0-9a-f]{4}-4.{21}"),
    ],
)
def test_tokens_are_drawn_whole(text, shape):
    """Of a digest, UUID, ULID or base64url token not even the places of its digits stay."""
    surrogates = [identifier(KEY, text, attempt) for attempt in range(8)]

    assert all(re.fullmatch(shape, surrogate) for surrogate in surrogates)
    assert len({pattern(surrogate) for surrogate in surrogates}) > 1
    assert max(sum(a == b for a, b in zip(s, text, strict=True)) for s in surrogates) < 16


@pytest.mark.parametrize("text", ["1.2.3", "1.2.0.4", "1.2.84.0.7"])
def test_short_object_identifiers_never_meet(text):
    """OIDs with as many digits in each arc are permuted, those of a few digits too."""
    first, second, *arcs = text.split(".")
    lows = [(0 if len(arc) == 1 else 10 ** (len(arc) - 1)) for arc in arcs]
    ranges = [range(low, 10 ** len(arc)) for low, arc in zip(lows, arcs, strict=True)]
    every = {".".join((first, second, *map(str, arcs))) for arcs in itertools.product(*ranges)}

    assert every == {identifier(KEY, one) for one in every}


@pytest.mark.parametrize("unit", ["9", "a", "1.", "aB3-", "f0", "/a", "%41"])
def test_long_numbers_cost_what_they_are_long(unit):
    """A number, token, digest or OID of 400,000 characters has a surrogate within seconds."""
    text = "1.2." + unit * (400_000 // len(unit)) + "7"
    began = time.process_time()
    surrogate = identifier(KEY, text)

    assert len(text) == len(surrogate)
    assert time.process_time() - began < 8
