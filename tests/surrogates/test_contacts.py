"""Telephone numbers and addresses nobody can have."""

from __future__ import annotations

import ipaddress
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.surrogates import contacts
from adapter.surrogates.contacts import email, network_address
from adapter.surrogates.drawing.keys import Key
from tests.wording import FIELDS

KEY = Key("k", b"0123456789abcdef")


def phone(key, text):
    """Return a number's surrogate, with the words of the shipped languages."""
    return contacts.phone(key, FIELDS, text)


def contact(text):
    """Return the surrogate of a contact, with the words of the shipped languages."""
    return contacts.contact(KEY, FIELDS, text)


NANP = st.from_regex(r"[2-9][0-9]{9}", fullmatch=True)


@given(NANP)
def test_north_american_numbers_are_fiction(digits):
    """Ten digits become NXX-555-01XX."""
    assert re.fullmatch(r"[2-9]\d\d55501\d\d", phone(KEY, digits))


@given(NANP)
def test_layouts_agree(digits):
    """Brackets, dots, +1 and the last seven digits alone give the same number."""
    area, office, line = digits[:3], digits[3:6], digits[6:]
    plain = phone(KEY, digits)

    assert plain == re.sub(r"\D", "", phone(KEY, f"({area}) {office}-{line}"))
    assert plain == re.sub(r"\D", "", phone(KEY, f"+1 {area}.{office}.{line}"))[1:]
    assert plain[3:] == re.sub(r"\D", "", phone(KEY, f"{office}-{line}"))


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("(832) 555-0167", r"\(\d{3}\) 555-01\d\d"),
        ("414 555 0155 x6120", r"\d{3} 555 01\d\d x\d{4}"),
        ("1-877-345-0158", r"1-8\d\d-555-01\d\d"),
        ("(123)456-7890", r"\([2-9]\d\d\)555-01\d\d"),
        ("7275550155:1:", r"[2-9]\d\d55501\d\d:\d:"),
        ("07700 900461", r"07700 900\d{3}"),
        ("+44 1524 496331", r"\+44 1632 960\d{3}"),
        ("(02) 9123 4472", r"\(02\) 5550 \d{4}"),
        ("0491 000 156", r"0491 570 \d{3}"),
        ("+49 30 1234567", r"\+49 \d\d \d{7}"),
        ("2207", r"\d{4}"),
        ("six oh one five five five oh one four two", r"(?:[a-z]+ ){9}[a-z]+"),
        ("+49 30 1234567 Durchwahl 22", r"\+49 \d\d \d{7} Durchwahl \d\d"),
        ("555-0167 ext. 22", r"555-01\d\d ext\. \d\d"),
    ],
)
def test_layout_is_kept(text, shape):
    """National numbers stay in their country's fiction range and their layout."""
    surrogate = phone(KEY, text)

    assert re.fullmatch(shape, surrogate)
    assert text != surrogate


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("seis uno siete tres cero cuatro cinco ocho dos", True),
        ("null drei null vier zwo zwei", True),
        ("zéro six douze", False),
    ],
)
def test_dictated_numbers_stay_words_of_their_language(text, digits):
    """A number in the digits of one language becomes one in the same words; others are replaced."""
    surrogate = phone(KEY, text)

    assert surrogate != text
    assert digits == any(set(surrogate.split()) <= own.keys() for own in FIELDS.digits)


def test_email_lies_in_example_org():
    """An address keeps its shape, not its domain."""
    assert re.fullmatch(
        r"[a-z]\.[a-z]{8}[0-9]{2}@example\.org", email(KEY, "j.sorensen42@x.com", None)
    )


def test_email_without_local_part():
    """What is only a domain gets a local part."""
    assert re.fullmatch(r"[a-z]{4}@example\.org", email(KEY, "@example.org", None))


def test_mail_addresses_and_numbers_behind_a_scheme():
    """The scheme stays, what follows is as it is alone."""
    assert re.fullmatch(
        r"mailto:[a-z]\.[a-z]@example\.org", contacts.contact(KEY, FIELDS, "mailto:a.b@c.d")
    )
    assert "tel:" + phone(KEY, "207 555 3813") == contact("tel:207 555 3813")


@given(st.ip_addresses())
def test_ip_addresses_are_documentation(address):
    """IPv4 and IPv6 addresses lie in the documentation ranges."""
    found = ipaddress.ip_address(network_address(KEY, str(address)))
    nets = ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")

    assert any(found in ipaddress.ip_network(net) for net in nets)


@pytest.mark.parametrize("text", ["00:1A:2B:3C:4D:5E", "00-1a-2b-3c-4d-5e", "001a.2b3c.4d5e"])
def test_hardware_addresses_are_local(text):
    """A MAC address becomes a locally administered unicast one in its layout."""
    surrogate = network_address(KEY, text)

    assert 0b10 == int(re.sub(r"\W", "", surrogate)[:2], 16) & 0b11
    assert re.sub(r"\w", "", text) == re.sub(r"\w", "", surrogate)
