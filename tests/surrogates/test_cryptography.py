"""Claims of docs/surrogate-cryptography.md about how surrogates are made."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from adapter.surrogates import Key
from adapter.surrogates.contacts import email, network_address, phone
from adapter.surrogates.drawing import keys, permutations
from adapter.surrogates.numbers.identifiers import identifier, plain, social
from adapter.surrogates.options import SurrogateOptions
from adapter.surrogates.uris.hosts import host
from adapter.types import Label, Span
from tests.wording import FIELDS

if TYPE_CHECKING:
    from pathlib import Path

KEY = Key("k", b"0123456789abcdef", words=frozenset({"mrn"}))
OTHER = Key("k", b"0123456789abcdeg")
PAGE = "docs/surrogate-cryptography.md"
SAMPLES = (
    "7", "42", "4088213", "AB-4088213", "abc", "MRN 4088213", "1.2.840.113619.2.55", "0",
    "2.25.3298007356985866292956419", "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709", "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "1HGCM82633A004352", "123-45-6789", "(17)141120(10)7654321D", "x" * 70, "9" * 70,
)  # fmt: skip

TEXTS = (
    (Label.HOSPITAL, "Alder Clinic"), (Label.PROFESSION, "baker"), (Label.CITY, "Two Harbors"),
    (Label.STATE, "MN"), (Label.COUNTRY, "France"), (Label.ZIP, "55616-1234"),
    (Label.STREET, "12 Autumn Hill Rd"), (Label.PATIENT, "Maren Bell"), (Label.DOCTOR, "J. Roe"),
    (Label.URL, "https://a.example/b"), (Label.DATE, "2024-03-14"), (Label.EMAIL, "a@b.org"),
)  # fmt: skip


def chi_squared(counts, cells):
    """Pearson's statistic against an even draw."""
    total = sum(counts.values())
    return sum((counts[cell] - total / cells) ** 2 / (total / cells) for cell in range(cells))


@pytest.fixture
def inputs(monkeypatch):
    """Every text that a MAC is made of while a test runs."""
    seen = []
    for module in (keys, permutations):
        made = module.mac
        monkeypatch.setattr(module, "mac", lambda s, t, made=made: (seen.append(t), made(s, t))[1])
    for memo in (keys._drawn, permutations._block, permutations._table, identifier, phone, host):
        memo.cache_clear()
    return seen


def test_every_purpose_is_documented(repository: Path, inputs, surrogates, extraction):
    """A MAC's input begins with one of the purposes the page lists: none shares another's."""
    renderer = surrogates.renderer(extraction, frozenset())
    for text in SAMPLES:
        identifier(KEY, text)
    for text in ("(207) 555-0142", "+49 30 1234567", "02079460000", "12345"):
        phone(KEY, FIELDS, text)
    for text in ("10.1.2.3", "fe80::1", "00:1b:44:11:3a:b7"):
        network_address(KEY, text)
    email(KEY, "a.b@c.org", None)
    host(KEY, "a.org")
    SurrogateOptions().shift(KEY, "id:1")
    for label, text in (*TEXTS, *((label, "Smith 12") for label in Label)):
        renderer.render(text, Span(0, len(text), label, "x"))
    purposes = {text.partition("\x1f")[0] for text in inputs}
    page = (repository / PAGE).read_text("utf-8")
    listed = set(re.findall(r"^\| `([a-z0-9-]+)` \|", page, re.MULTILINE))

    assert purposes
    assert set() == purposes - listed


def test_every_test_the_page_names_is_there(repository: Path):
    """Each claim of the page has its test."""
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (repository / PAGE).read_text("utf-8"))

    assert len(named) > 20
    assert [] == [
        (file, name) for file, name in named
        if f"def {name}(" not in (repository / file).read_text("utf-8")
    ]  # fmt: skip


@pytest.mark.parametrize(
    "numbers",
    [range(10**6, 10**6 + 3000), range(10**4, 10**4 + 3000)],
    ids=["seven digits", "five digits"],
)
def test_known_pairs_tell_nothing_of_neighbours(numbers):
    """The surrogates of n and n + 1 differ by an even draw."""
    drawn = [int(plain(KEY, str(number))) for number in numbers]
    steps = [one - other for one, other in pairwise(drawn)]
    last = Counter(step % 10 for step in steps)
    parity = Counter(step % 2 for step in steps)

    assert chi_squared(last, 10) < 27.9  # p = .001 with 9 degrees of freedom
    assert chi_squared(parity, 2) < 10.8
    assert len({drawn[0] - numbers[0], drawn[1] - numbers[1], drawn[2] - numbers[2]}) == 3


@cache
def every_other(count):
    """Surrogates of as many numbers under both keys."""
    numbers = [str(number) for number in range(10**6, 10**6 + count)]
    return [[plain(key, number) for number in numbers] for key in (KEY, OTHER)]


def test_two_keys_have_nothing_to_do_with_each_other():
    """Under two secrets that differ by a bit, digits agree by chance only."""
    one, other = every_other(3000)
    alike = sum(a == b for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True))

    assert abs(alike - 3000 * 7 / 10) < 5 * (3000 * 7 * 0.09) ** 0.5 + 3000 * 0.03


@pytest.mark.parametrize("place", range(7))
def test_one_digit_changes_all(place):
    """Where one digit differs, the others of the surrogate agree by chance only."""
    numbers = [str(number) for number in range(10**6, 10**6 + 40_000, 97)]
    changed = [n[:place] + str(int(n[place]) % 9 + 1) + n[place + 1 :] for n in numbers]
    pairs = [
        (plain(KEY, a), plain(KEY, b)) for a, b in zip(numbers, changed, strict=True) if a != b
    ]
    alike = sum(a == b for x, y in pairs for a, b in zip(x[1:], y[1:], strict=True))

    assert abs(alike - len(pairs) * 0.6) < 5 * (len(pairs) * 0.6) ** 0.5


def test_words_for_numbers_and_others_never_meet():
    """The image of a number with other letters is none with a word for numbers."""
    numbers = {plain(KEY, f"{a}{b}{c}1") for a in "abmn" for b in "nrst" for c in "lmo"}

    assert not [number for number in numbers if number.startswith("mrn")]


def test_shifts_are_drawn_evenly():
    """Every allowed shift is as likely."""
    options = SurrogateOptions(min_days=1, max_days=20)
    counts = Counter(options.shift(KEY, f"id:{n}") for n in range(8000))
    at = Counter({place: counts[days] for place, days in enumerate(options.shifts)})

    assert chi_squared(at, len(options.shifts)) < 75  # p = .001 with 39 degrees of freedom


def test_names_are_drawn_evenly(surrogates):
    """Patients of one name have family names from all of the table, none of them favoured."""
    families = surrogates.tables.families
    drawn = Counter(
        families.index(surrogates.key.choose(families, "family", f"subject/{n}", "primary", "0"))
        % 32
        for n in range(6000)
    )

    assert chi_squared(drawn, 32) < 62  # p = .001 with 31 degrees of freedom


def test_hosts_never_meet():
    """Of 20,000 hosts no two have one surrogate."""
    assert 20_000 == len({host(KEY, f"ward{n}.harrowgate.example") for n in range(20_000)})


def test_social_security_numbers_seldom_meet():
    """They are drawn, not permuted: of 2,000 about 0.04 pairs meet."""
    drawn = {social(KEY, f"{n:09d}") for n in range(123_000_000, 123_002_000)}

    assert len(drawn) > 1995


def test_staff_of_one_initial_share_a_letter(surrogates):
    """What is told of staff beyond a name of its own: one letter stands for an initial."""
    tables, key = surrogates.tables, surrogates.key
    letters = {
        initial: key.choose(tables.initials.replace(initial, ""), "initial", "staff", initial)
        for initial in "abcdefghijklmnopqrstuvwxyz"
    }

    assert not [initial for initial, letter in letters.items() if initial == letter]
    assert len(set(letters.values())) < len(letters)
