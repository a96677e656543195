"""Over real sample messages, the product does not crash, leak, or lose data.

Every fourth is processed, and all of them by ``make slow``.
"""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from adapter.pipeline.process import prepare
from adapter.types import Hold, Position, Record, Release
from tests.conftest import ROOT
from tests.corpus import oracle
from tests.corpus.runs import ruleset, run_all

README = (ROOT / "README.md").read_text("utf-8")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module", params=[4, pytest.param(1, marks=pytest.mark.slow)])
def every(request):
    """One of how many messages is processed."""
    return request.param


@pytest.fixture(scope="module")
def runs(shared_data, every):
    """The outcome of the sample messages."""
    return run_all(shared_data, every)


def test_no_message_meets_a_bug(runs):
    """No sample message, valid or not, ends in an unexpected error."""
    bugs = [f"{run.file}#{run.number}" for run in runs if run.outcome == Hold("bug", "unexpected")]
    assert bugs == []


def test_few_valid_messages_are_held(runs, every):
    """Of messages that could be decoded, fewer than 1 % are held; the README counts them."""
    decoded = [run for run in runs if not _undecodable(run.outcome)]
    held = Counter(str(run.outcome) for run in decoded if isinstance(run.outcome, Hold))
    assert sum(held.values()) < 0.01 * len(decoded), held
    assert every > 1 or f"| {held.total()} of {len(decoded):,} (" in README


def _undecodable(outcome):
    return isinstance(outcome, Hold) and outcome.stage == "decode"


def test_nothing_of_the_patient_is_left(runs, every):
    """No name, street, phone or id of PID, NK1, Patient or RelatedPerson is in any output."""
    leaking = Counter()
    checked = 0
    for run in runs:
        if not isinstance(run.outcome, Release):
            continue
        values = _values(run)
        checked += bool(values)
        if values and (count := oracle.leaks(values, oracle.decodings(run.outcome.value))):
            leaking[f"{run.file}#{run.number}"] = count
    assert every > 1 or f"| {checked:,} released sample messages with a patient" in README
    assert checked > 1000 / every
    assert leaking == Counter()


def test_every_release_is_read_again(runs):
    """The codec of a release reads it again, and one message stays one message."""
    unreadable = []
    for run in runs:
        if isinstance(run.outcome, Release) and run.outcome.value:
            again = prepare(Record(run.outcome.value, Position("again", 0, 0)), ruleset())
            if again.hold is not None or len(again.opened) != 1:
                unreadable.append(f"{run.file}#{run.number} {again.hold}")
    assert unreadable == []


def _values(run):
    if run.file.startswith("hl7v2"):
        return oracle.hl7_values(run.raw)
    return oracle.fhir_values(oracle.load_json(run.raw))


def test_codes_values_and_units_are_kept(runs, every):
    """Every numeric OBX-5 comes out as it went in, with OBX-3 code, OBX-6 unit and OBX-8 flag.

    The bound is that of all messages, whose losses may all be in the part that is processed.
    """
    lost = Counter()
    seen = 0
    for run in runs:
        if run.file.startswith("hl7v2") and isinstance(run.outcome, Release):
            before, after = _observations(run.raw), _observations(run.outcome.value)
            seen += len(before)
            lost[f"{run.file}#{run.number}"] += len(before) - sum((before & after).values())
    assert seen > 2500 / every
    assert sum(lost.values()) <= 0.001 * every * seen, +lost


def _observations(raw):
    """Counter of (code, value, unit, flag) of numeric observations."""
    text = raw.decode("utf-8", "replace")
    found = Counter()
    for line in re.split(r"[\r\n]+", text):
        cells = line.split("|")
        if cells[0] == "OBX" and len(cells) > 8 and cells[2] == "NM":
            found[cells[3].split("^")[0], cells[5], cells[6].split("^")[0], cells[8]] += 1
    return found


def test_fhir_values_are_kept(runs, every):
    """Codes, quantities and units of FHIR resources come out as they went in."""
    lost = Counter()
    seen = 0
    for run in runs:
        if run.file.startswith("fhir") and isinstance(run.outcome, Release):
            before = _clinical(oracle.load_json(run.raw))
            after = _clinical(oracle.load_json(run.outcome.value))
            seen += sum(before.values())
            lost[f"{run.file}#{run.number}"] += sum((before - after).values())
    assert seen > 20_000 / every
    assert sum(lost.values()) <= 0.001 * seen, +lost


def _clinical(node, key=""):
    found = Counter()
    if isinstance(node, dict):
        plain = str | int | float
        coding = {k: node[k] for k in ("code", "value", "unit") if isinstance(node.get(k), plain)}
        if _DAY.match(str(coding.get("value", ""))):
            del coding["value"]  # a date beside a code, as of a dateCriterion, is to move
        if coding and ("unit" in node or "code" in node):
            found[json.dumps(coding, sort_keys=True)] += 1
        for name, value in node.items():
            if name not in ("extension", "contained"):
                found += _clinical(value, name)
    elif isinstance(node, list):
        for item in node:
            found += _clinical(item, key)
    return found


def test_valid_fhir_stays_valid(runs, every):
    """What fhir.resources accepts before, it accepts after."""
    broken = []
    checked = 0
    for run in runs:
        if run.file.startswith("fhir") and isinstance(run.outcome, Release):
            version = _valid_as(run.raw)
            checked += version is not None
            if version is not None and not _is_valid(run.outcome.value, version):
                broken.append(f"{run.file}#{run.number}")
    assert checked > 500 / every
    assert broken == []


VERSIONS = ("R4B.", "", "STU3.")


def _valid_as(raw):
    return next((version for version in VERSIONS if _is_valid(raw, version)), None)


def _is_valid(raw, version):
    from importlib import import_module  # noqa: PLC0415 - a slow library, for this test only

    from pydantic import ValidationError  # noqa: PLC0415

    document = oracle.load_json(raw)
    kind = document.get("resourceType") if isinstance(document, dict) else None
    if not isinstance(kind, str) or not kind.isalpha():
        return False
    try:
        module = import_module(f"fhir.resources.{version}{kind.lower()}")
        getattr(module, kind).model_validate(document)
    except (ImportError, AttributeError, LookupError, ValidationError, ValueError, TypeError):
        return False
    return True
