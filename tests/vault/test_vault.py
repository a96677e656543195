"""Random codes in place of keyed ones: consistent, never shared, forgotten on demand."""

from __future__ import annotations

import random
import re
import sqlite3
import uuid
from collections import Counter
from contextlib import closing
from datetime import date

import pytest

from adapter.checkdigits import digits_of
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.normalize.folding import squeeze
from adapter.pipeline.process import process
from adapter.rules.compile import load_ruleset
from adapter.surrogates import Key, SurrogateOptions, compile_surrogates
from adapter.surrogates.numbers.identifiers import identifier
from adapter.types import Extraction, Hold, Label, Position, Record, Release, Span
from adapter.vault.sqlite import SqliteVault
from adapter.vault.store import erase, open_vault
from tests.wording import WORDS

KEY = {"id": "k", "value": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}
SECRET = bytes(range(32))
ADT = (
    b"MSH|^~\\&|A|B|C|D|20240102||ADT^A01|1|P|2.5\r"
    b"PID|1||8841277^^^H1^MR||QUILLFEATHER^JOHN||19600102|M|||||||||||448770192\r"
    b"NTE|1||Mr. Quillfeather, MRN 88-412-77, came on 01/02/2024.\r"
)
PATIENT = (
    b'{"resourceType":"Patient","identifier":[{"value":"8841277"}],'
    b'"name":[{"family":"Quillfeather","given":["John"]}],"birthDate":"1960-01-02"}'
)


def ruleset(url=""):
    """The shipped rules in English, with the vault at an address."""
    return load_ruleset(
        load_settings(keys={"surrogates": KEY}, vault={"url": url}, rules={"languages": ["en"]})
    )


def out(raw, rules):
    """The sanitized message."""
    outcome = process(Record(raw, Position("t", 0, 0)), rules)
    assert isinstance(outcome, Release), outcome
    return outcome.value


def facts_of(value):
    """Number, family name and birth date of a sanitized message of either format."""
    pid = re.search(rb"PID\|1\|\|(\w+).*?\|\|(\w+)\^.*?\|\|(\d+)", value)
    number, name, birth = (
        pid or re.search(rb'e":"(\d+)".*ly":"(\w+)".*te":"([\d-]+)"', value)
    ).groups()
    return number, name.lower(), birth.replace(b"-", b"")


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """The address of a vault that lives through the module."""
    return f"sqlite:///{tmp_path_factory.mktemp('vault') / 'vault.db'}"


@pytest.fixture(scope="module")
def rules(url):
    """The rules with that vault."""
    return ruleset(url)


def test_one_vault_gives_the_same_bytes(rules, url):
    """A second process with the same vault and key writes what the first wrote."""
    assert out(ADT, rules) == out(ADT, rules) == out(ADT, ruleset(url))


def test_formats_and_text_agree(rules):
    """Number, name and dates of a patient are the same in HL7 v2, FHIR and free text."""
    value = out(ADT, rules)
    number, name, _ = facts_of(value)
    assert facts_of(value) == facts_of(out(PATIENT, rules))
    note = value.split(b"\rNTE")[1].lower()
    assert (True, True) == (name in note, b"-".join((number[:2], number[2:5], number[5:])) in note)


def test_the_key_alone_tells_nothing(rules, tmp_path):
    """Number, name and dates are other ones with no vault and with another vault."""
    others = [ruleset(f"sqlite:///{tmp_path / f'{n}.db'}") for n in range(4)]
    values = [out(ADT, r) for r in (rules, ruleset(), *others)]
    numbers, *rest = zip(*map(facts_of, values), strict=True)
    assert len(values) == len(set(numbers))
    # Names and shifts are drawn from few enough values that two vaults may agree.
    assert [] == [facts for facts in rest if len(set(facts)) < 3]
    assert len(values) == len({re.search(rb"\|(\d{9})\r", value)[1] for value in values})


def test_an_original_is_in_no_vault(rules, url):
    """What identified the patient is not among the database's bytes."""
    out(ADT, rules)
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        rows = repr(connection.execute("SELECT * FROM deid_code").fetchall()).lower()
    assert [] == [text for text in ("8841277", "quillfeather", "448770192") if text in rows]


def test_a_vault_that_fails_holds_the_message(tmp_path):
    """Nothing is released with a keyed code instead."""
    path = tmp_path / "v.db"
    rules = ruleset(f"sqlite:///{path}")
    path.write_bytes(b"no database" * 1000)
    assert Hold("surrogate", "no-vault") == process(Record(ADT, Position("t", 0, 0)), rules)


def test_a_forgotten_patient_is_somebody_else(tmp_path):
    """After erasure the same message has other surrogates, and nobody gets the ones it had."""
    url = f"sqlite:///{tmp_path / 'v.db'}"
    first = ruleset(url)
    before = facts_of(out(ADT, first))
    assert 2 == erase(first.surrogates.key.codes, first.surrogates.key, "8841277")
    identifier.cache_clear()
    after = facts_of(out(ADT, ruleset(url)))
    assert [] == [old for old, new in zip(before, after, strict=True) if old == new]


def test_the_vault_is_part_of_the_digest(rules):
    """An audit record tells whether codes were random."""
    assert rules.digest != ruleset().digest


@pytest.mark.parametrize(
    ("address", "why"),
    [("mysql://x", "must be"), ("sqlite:///", "must be"), ("x", "must be")],
)
def test_an_address_of_nothing_known_is_refused(address, why):
    """Only SQLite and PostgreSQL keep codes."""
    with pytest.raises(RuleError, match=rf"vault\.url: .*{why}"):
        load_settings(vault={"url": address})


def test_a_relative_file_lies_beside_the_settings(tmp_path):
    """``sqlite:///codes.db`` is relative to the settings file, as all paths are."""
    file = tmp_path / "adapter.toml"
    file.write_text('[vault]\nurl = "sqlite:///codes.db"\n')
    assert f"sqlite:///{tmp_path / 'codes.db'}" == load_settings(file).vault.url


# ---- codes of many patients ----


def numbers(count):
    """Distinct record numbers: plain, with leading zeros, letters, dashes; UUID, hex, OID."""
    draw = random.Random(5)
    whole = [str(n) for n in draw.sample(range(10**5, 10**8), count)]
    forms = (
        lambda n: n,
        lambda n: f"00{n}",
        lambda n: f"MRN{n}",
        lambda n: f"{n[:2]}-{n[2:5]}-{n[5:]}",
        lambda _: str(uuid.UUID(int=draw.getrandbits(128), version=4)),
        lambda _: f"{draw.getrandbits(96):023x}f1",
        lambda n: f"2.16.840.1.113883.{n}",
    )
    return [forms[at % len(forms)](number) for at, number in enumerate(whole)]


def same(number):
    """What two writings of one number have in common."""
    shaped = len(number) >= 24 or number.count(".") > 1
    return number if shaped else digits_of(number).lstrip("0")


def in_haste(path):
    """A vault that does not wait for the disk: only its codes are looked at."""
    vault = SqliteVault(path)
    vault._connection().execute("PRAGMA synchronous = OFF")
    return vault


@pytest.fixture
def coded(tables, tmp_path):
    """Surrogates whose codes a fresh vault keeps."""
    key = Key("k", SECRET, in_haste(tmp_path / "v.db"))
    return compile_surrogates(tables, WORDS, key, SurrogateOptions())


@pytest.fixture(scope="module")
def tables(repository):
    """Lines of every shipped table by name."""
    folders = (repository / "rules" / "surrogates").iterdir()
    return {f.name: tuple((f / "items.txt").read_text("utf-8").splitlines()) for f in folders}


@pytest.mark.parametrize("patients", [3_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_no_two_patients_share_a_code(coded, patients):
    """Record numbers of all forms: as many codes as numbers, none of them its own number."""
    originals = numbers(patients)
    codes = [coded.identifier(number) for number in originals]
    assert patients == len({same(number) for number in originals})
    assert patients == len({same(code) for code in codes})
    assert [] == [n for n, code in zip(originals, codes, strict=True) if same(n) == same(code)]


@pytest.mark.parametrize("patients", [2_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_no_two_patients_share_a_social_security_number(coded, patients):
    """Drawn keyed, 100,000 of them meet about 90 times; kept, never."""
    renderer = coded.renderer(Extraction((), (), {}), frozenset())
    drawn = random.Random(6).sample(range(10**8, 9 * 10**8), patients)
    span = Span(0, 9, Label.SSN, "field")
    assert patients == len({renderer.render(str(number), span) for number in drawn})


@pytest.mark.slow
def test_what_patients_share_with_the_key_alone(tables):
    """Without a vault: of 100,000 record numbers none, of social security numbers 173."""
    keyed = compile_surrogates(tables, WORDS, Key("k", SECRET), SurrogateOptions())
    codes = Counter(same(keyed.identifier(number)) for number in numbers(100_000))
    renderer = keyed.renderer(Extraction((), (), {}), frozenset())
    drawn = random.Random(6).sample(range(10**8, 9 * 10**8), 100_000)
    social = Counter(renderer.render(str(n), Span(0, 9, Label.SSN, "field")) for n in drawn)
    shared = [sum(n for n in each.values() if n > 1) for each in (codes, social)]
    assert [0, 173] == shared


def test_one_number_has_one_code_however_written(coded):
    """Punctuation, zeros in front and letters do not matter, and the layout stays."""
    first = coded.identifier("8841277")
    assert first == coded.identifier("88-412-77").replace("-", "")
    assert f"00{first}" == coded.identifier("008841277")
    assert first == digits_of(coded.identifier("MRN8841277"))
    assert coded.identifier("QWERTYUI") == coded.identifier("qwertyui").upper()
    text = "0a1b2c3d-0000-4000-8000-00000000beef"
    assert (
        squeeze(coded.identifier(text)) == coded.identifier(text.replace("-", "").upper()).lower()
    )


def test_short_numbers_are_permuted_not_kept(coded, tables):
    """There are too few for random codes: they would run out. They are as without a vault."""
    short = [str(n) for n in range(1, 10_000, 7)]
    keyed = compile_surrogates(tables, WORDS, Key("k", SECRET), SurrogateOptions())
    assert [keyed.identifier(n) for n in short] == [coded.identifier(n) for n in short]
    assert 0 == coded.key.codes.count()


def test_time_lines_of_merged_patients_are_told_apart(coded):
    """The days between two patients are those between their random shifts."""
    span, days = Span(0, 8, Label.DATE, "field"), []
    for subject in ("id:1", "id:2"):
        renderer = coded.renderer(Extraction((), (), {}, subject, "20240601"), frozenset())
        days.append(date.fromisoformat(renderer.render("20240601", span)))
    assert (days[1] - days[0]).days == coded.days_between("id:1", "id:2")


def test_a_value_of_the_message_is_nobodys_code(coded):
    """A code that is real in its message is drawn again, and kept too."""
    span = Span(0, 7, Label.MEDICALRECORD, "field")
    first = coded.identifier("8841277")
    renderer = coded.renderer(Extraction((), (), {}), frozenset({first}))
    again = coded.renderer(Extraction((), (), {}), frozenset({first}))
    assert first != renderer.render("8841277", span) == again.render("8841277", span)


def test_no_vault_is_no_store():
    """Without an address everything is drawn with the key."""
    assert open_vault("") is None
