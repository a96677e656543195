"""Laws over whole messages: the samples of the demo, the real ones, and generated patients."""

from __future__ import annotations

import hashlib
import importlib
import json
import logging
import re
from dataclasses import astuple, dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapter.cli.demo.feed import MESSAGES
from adapter.errors import AdapterError
from adapter.pipeline.examining import Examined, examine, written
from adapter.pipeline.opening import codec_for
from adapter.pipeline.process import process
from adapter.types import Label, Position, Record, Release
from tests.conftest import data_folder
from tests.corpus.runs import ruleset
from tests.e2e import generated
from tests.processes import printed

EVERY = 16
"""One in so many files of real messages; all of them are in tests/corpus."""
LONGEST = 60_000


@dataclass(frozen=True)
class Done:
    """One message, what was decided about it, and what came out."""

    name: str
    raw: bytes = field(repr=False)
    examined: Examined = field(repr=False)
    released: bytes = field(repr=False)


@pytest.fixture(scope="module")
def rules():
    """The shipped rules under a fixed key."""
    return ruleset()


def demo_messages():
    """(name, bytes) of the demo's messages."""
    for path in sorted(MESSAGES.glob("*/*")):
        yield path.name, path.read_bytes()


def real_messages(every):
    """(name, bytes) of one in so many files of real messages."""
    folder = data_folder() / "messages"
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    for path in [path for path in files if path.suffix != ".jsonl"][::every]:
        if path.stat().st_size < LONGEST:
            yield str(path.relative_to(folder)), path.read_bytes()


@pytest.fixture(scope="module", params=["demo", "real"])
def done(request, rules):
    """Every message of one source that is released."""
    if request.param == "real":
        request.getfixturevalue("shared_data")
    found = []
    for name, raw in demo_messages() if request.param == "demo" else real_messages(EVERY):
        try:
            codec = codec_for(raw, rules)
            for frame in codec.split(raw):
                examined = examine(codec, frame.value, rules)
                found.append(Done(name, frame.value, examined, written(codec, examined)))
        except AdapterError:
            continue
    assert len(found) > 100
    return found


def mentions(examined):
    """(label, text, surrogate) of everything that was replaced."""
    spans = {(path, s.start): s.label for path, found in examined.spans.items() for s in found}
    texts = {segment.path: segment.text for segment in examined.message.segments}
    for edit in examined.edits:
        label = spans.get((edit.path, edit.start))
        if label is not None and edit.text is not None:
            yield label, texts[edit.path][edit.start : edit.end], edit.text


def plain(text):
    """Letters and digits in lower case."""
    return re.sub(r"[\W_]", "", text).casefold()


BY_CHANCE = {Label.DATE, Label.AGE, Label.STATE}
"""A shifted date may fall on another, "90" becomes "90+", a state follows its surrogate town."""


def bare(reference):
    """The id of a reference: "o7" of "Observation/o7" is too short to tell anybody."""
    return reference.rpartition("/")[2]


def test_no_surrogate_is_a_real_value(done):
    """P8: nothing that replaces a value equals any value that was replaced or named by a field."""
    met = []
    for one in done:
        real = {plain(text) for _, text, _ in mentions(one.examined)}
        real |= {plain(text) for e in one.examined.extraction.entities for _, text in e.parts}
        met += [
            (one.name, label)
            for label, _, new in mentions(one.examined)
            if label not in BY_CHANCE and len(plain(bare(new))) > 2 and plain(new) in real
        ]
    assert met == []


def test_social_security_numbers_were_never_assigned(done):
    """Nine digits begin with 000, 666 or 9, or have a group or serial of zeros (SSA RM 10201)."""
    broken = []
    for one in done:
        for label, _, new in mentions(one.examined):
            digits = re.sub(r"\D", "", new)
            if label is Label.SSN and len(digits) == 9 and assignable(digits):
                broken.append(one.name)
    assert broken == []


def assignable(digits):
    """Whether nine digits can be a social security number."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"


FICTION = re.compile(
    r"1?[2-9]\d\d55501\d\d|55501\d\d|\d*1632960\d{2,3}|\d*7700900\d{3}|\d*491570\d{3}"
    r"|\d*[2378]5550\d{4}|49\d+|0049\d+|1?8(00|33|44|55|66|77|88)55501\d\d"
)


def test_telephone_numbers_are_of_fiction(done):
    """Seven, ten or eleven digits of North America, and British ones, are in a range for films."""
    broken = []
    for one in done:
        for label, old, new in mentions(one.examined):
            digits = [re.sub(r"\D", "", t.partition("x")[0].partition(":")[0]) for t in (old, new)]
            sure = re.fullmatch(r"\d{7}|1?[1-9]\d{9}|0[127]\d{9}", digits[0])
            phone = label in (Label.PHONE, Label.FAX) and "@" not in old and "." not in old
            if phone and sure and not FICTION.fullmatch(digits[1]):
                broken.append((one.name, new))
    assert broken == []


def test_addresses_are_of_example_org(done):
    """Whatever label a mail address came under, its surrogate is at example.org."""
    broken = [
        (one.name, new)
        for one in done
        for _, old, new in mentions(one.examined)
        if re.fullmatch(r"[^@\s:/]+@[^@\s:/]+\.[A-Za-z]{2,}", old)
        and not new.casefold().endswith("@example.org")
    ]
    assert broken == []


def test_check_digits_stay_valid(done):
    """An identifier that proves itself by a check digit is replaced by one that does."""
    broken = []
    for one in done:
        for label, old, new in mentions(one.examined):
            if label.category == "ID" and label is not Label.SSN:
                for valid, length in (
                    (generated.npi, 10),
                    (generated.nhs, 10),
                    (generated.luhn, 16),
                ):
                    was = re.fullmatch(rf"[1-9]\d{{{length - 1}}}", old) and valid(old)
                    if was and not (valid(new) or also(old, new)):
                        broken.append((one.name, valid.__name__))
    assert broken == []


def also(old, new):
    """A ten-digit number may be both an NPI and an NHS number; one of the two is kept."""
    return generated.npi(old) and generated.nhs(old) and (generated.npi(new) or generated.nhs(new))


LONGEST_FIELDS = {
    "MSH": {3: 227, 4: 227, 5: 227, 6: 227, 10: 20},
    "EVN": {5: 250, 7: 241},
    "PID": {2: 20, 3: 250, 4: 20, 5: 250, 6: 250, 7: 26, 9: 250, 11: 250, 13: 250, 14: 250,
            18: 250, 19: 16, 20: 25, 21: 250, 23: 250},
    "PD1": {3: 250, 4: 250},
    "NK1": {2: 250, 4: 250, 5: 250, 6: 250, 13: 250, 30: 250, 31: 250, 32: 250},
    "PV1": {3: 80, 6: 80, 7: 250, 8: 250, 9: 250, 17: 250, 19: 250},
    "GT1": {3: 250, 5: 250, 6: 250, 12: 11},
    "IN1": {3: 250, 4: 250, 5: 250, 8: 12, 16: 250, 19: 250, 36: 15, 49: 250},
    "MRG": {1: 250, 7: 250},
    "ORC": {2: 22, 3: 22, 4: 22, 10: 250, 12: 250, 14: 250, 21: 250, 22: 250},
    "OBR": {2: 22, 3: 22, 10: 250, 16: 250, 17: 250},
    "OBX": {16: 250},
    "TXA": {5: 250, 9: 250, 12: 30},
}  # fmt: skip
"""Characters of one repetition of fields that surrogates go into (HL7 v2.5.1, attribute tables)."""


def sized(raw):
    """(line, segment, field, repetition) -> text of the fields above, read naively."""
    text = raw.decode("utf-8", "replace")
    start = text.find("MSH")
    if start < 0:
        return {}
    separator, repetition = text[start + 3], text[start + 5]
    found = {}
    for number, line in enumerate(re.split(r"[\r\n]+", text[start:])):
        cells = line.split(separator)
        if cells[0] == "MSH":
            cells.insert(1, separator)
        for place in LONGEST_FIELDS.get(cells[0], ()):
            items = cells[place].split(repetition) if place < len(cells) else ()
            found |= {(number, cells[0], place, n): item for n, item in enumerate(items)}
    return found


def test_fields_keep_to_the_standards_lengths(done):
    """A field that was no longer than HL7 allows is none after its values were replaced."""
    longer, checked = [], 0
    for one in done:
        if one.examined.message.format == "hl7v2":
            before, after = sized(one.raw), sized(one.released)
            checked += len(before)
            for where, text in before.items():
                most = LONGEST_FIELDS[where[1]][where[2]]
                if len(text) <= most < len(after.get(where, "")):
                    longer.append((one.name, where))
    assert checked > 1000
    assert longer == []


def test_what_hl7apy_parses_it_parses_after(done):
    """The segments that the field's usual library reads before, it reads after, of every third."""
    logging.disable(logging.CRITICAL)
    broken, checked = [], 0
    for one in done[::3]:
        if one.examined.message.format == "hl7v2" and len(one.raw) < 10_000:
            before = segments(one.raw)
            checked += before is not None
            if before is not None and before != segments(one.released):
                broken.append(one.name)
    logging.disable(logging.NOTSET)
    assert checked > 20
    assert broken == []


def segments(raw):
    """The names of the standard segments hl7apy reads, None where it refuses the message."""
    from hl7apy.exceptions import HL7apyException  # noqa: PLC0415 - slow to import
    from hl7apy.parser import parse_message  # noqa: PLC0415

    text = re.sub(r"\r\n|\n", "\r", raw.decode("utf-8", "replace").strip("\x0b\x1c\r\n"))
    try:
        names = [child.name for child in parse_message(text, find_groups=False).children]
    except (HL7apyException, ValueError, IndexError, KeyError, AttributeError, TypeError):
        return None
    return [name for name in names if re.fullmatch(r"[A-Y][A-Z0-9]{2}", name)]


def test_valid_resources_stay_valid(done):
    """What fhir.resources accepts before, it accepts after, labels included."""
    broken, checked = [], 0
    for one in done:
        if one.examined.message.format == "fhir" and accepted(one.raw):
            checked += 1
            broken += [] if accepted(one.released) else [one.name]
    assert checked > 20
    assert broken == []


def accepted(raw):
    """Whether fhir.resources validates a resource as R4B."""
    from pydantic import ValidationError  # noqa: PLC0415 - for this test only

    document = json.loads(raw)
    kind = document["resourceType"]
    try:
        module = importlib.import_module(f"fhir.resources.R4B.{kind.lower()}")
        getattr(module, kind).model_validate(document)
    except (ImportError, ValidationError, ValueError, TypeError):
        return False
    return True


HASHES = """
import hashlib
from tests.e2e.test_laws import outcomes
print(outcomes())
"""


def outcomes():
    """One digest of the outcomes of some of the demo's messages and, if there are, real ones."""
    rules, state = ruleset(), hashlib.sha256()
    real = real_messages(8 * EVERY) if data_folder().is_dir() else ()
    for name, raw in (*list(demo_messages())[::4], *real):
        outcome = process(Record(raw, Position(name, 0, 0), raw[:40]), rules)
        shown = (outcome.value, outcome.key, outcome.counts) if isinstance(outcome, Release) else (
            outcome.stage, outcome.code
        )  # fmt: skip
        state.update(repr(shown).encode())
    return state.hexdigest()


@pytest.mark.slow
def test_another_process_and_hash_seed_give_the_same_bytes():
    """P4: no order of a set or dict, no state of a process gets into an outcome."""
    assert outcomes() == printed(HASHES)


MESSAGES_OF = {"hl7": generated.hl7, "fhir": generated.fhir}


@pytest.mark.parametrize("form", MESSAGES_OF)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    people=st.tuples(generated.PERSONS, generated.PERSONS, generated.PERSONS),
    numbers=generated.NUMBERS,
)
def test_generated_people_are_nobody_real(rules, form, people, numbers):
    """P8 where it is hardest: real names and towns are themselves of the surrogates' tables."""
    raw = MESSAGES_OF[form](*people, numbers)
    outcome = process(Record(raw, Position("in", 0, 0)), rules)
    assert isinstance(outcome, Release), outcome
    after = outcome.value.decode()
    examined = examine(codec_for(raw, rules), raw, rules)
    real = {plain(v) for p in people for v in astuple(p)} | {plain(v) for v in astuple(numbers)}
    found = list(mentions(examined))
    assert len(found) > 15
    assert [] == [
        (label, new)
        for label, _, new in found
        if label not in BY_CHANCE and len(plain(new)) > 2 and plain(new) in real
    ]
    assert not any(v in after for p in people for v in (p.number, p.social, p.phone, p.mail)
                   if v in raw.decode())  # fmt: skip


@pytest.mark.parametrize("form", MESSAGES_OF)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(patient=generated.PERSONS, numbers=generated.NUMBERS)
def test_generated_numbers_prove_themselves(rules, form, patient, numbers):
    """NPI, NHS, card and vehicle numbers stay valid; social ones are none; contacts are fiction."""
    raw = MESSAGES_OF[form](patient, patient, patient, numbers)
    codec = codec_for(raw, rules)
    new = {old: new for _, old, new in mentions(examine(codec, raw, rules))}
    assert generated.npi(new[numbers.npi]) or generated.nhs(numbers.npi)
    assert generated.nhs(new[numbers.nhs]) or generated.npi(numbers.nhs)
    assert generated.luhn(new[numbers.card])
    assert generated.vin(new[numbers.vin])
    assert not assignable(re.sub(r"\D", "", new[patient.social]))
    assert FICTION.fullmatch(re.sub(r"\D", "", new[patient.phone]))
    assert new[patient.mail].endswith("@example.org")
