"""The policy as a whole: remembered verdicts, fail-closed laws, the sample messages."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.codecs import CODECS
from adapter.errors import AdapterError
from adapter.types import Handling, TextSegment

RULES = Path(__file__).resolve().parents[2] / "rules"


def test_a_verdict_is_remembered_by_element_and_datatype(policy):
    """The same element and datatype give the very same action, whatever path or text."""
    first = TextSegment("PID-5.1", "PID-5.1", "XPN.1", "A")
    second = TextSegment("PID-5[2].1", "PID-5.1", "XPN.1", "B")
    assert policy.action("hl7v2", first) is policy.action("hl7v2", second)


@given(element=st.text(max_size=40), datatype=st.text(max_size=12))
@pytest.mark.parametrize("form", ["hl7v2", "fhir"])
def test_an_unheard_of_place_never_passes(policy, form, element, datatype):
    """Whatever a sender invents, it is dropped and no exception escapes."""
    known = element.startswith(("text", "html", "rtf"))
    assert known or policy.verdict(form, f"Q{element}", datatype).handling is Handling.DROP


def _counts(policy, form: str, codec, folder: Path) -> Counter:
    counts: Counter[Handling] = Counter()
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name in {"manifest.jsonl", "index.jsonl"}:
            continue
        for frame in codec.split(path.read_bytes()):
            try:
                segments = codec.decode(frame.value).segments
            except AdapterError:
                continue
            counts.update(policy.action(form, s).handling for s in segments if s.datatype != "?")
    return counts


@pytest.mark.corpus
def test_real_hl7_messages_lose_little(policy, shared_data, hl7_tables):
    """Of the leaves the standard knows, fewer than one in a hundred is dropped."""
    codec = CODECS["hl7v2"](hl7_tables)
    counts = _counts(policy, "hl7v2", codec, shared_data / "messages" / "hl7v2")
    assert counts.total() > 400_000
    assert counts[Handling.DROP] / counts.total() < 0.01
    assert counts[Handling.KEEP] / counts.total() > 0.5


@pytest.mark.corpus
def test_real_fhir_resources_lose_little(policy, shared_data):
    """Of the leaves the schema knows, fewer than three in a hundred are dropped."""
    tables = {
        path.stem.removeprefix("fhir-"): json.loads(path.read_text("utf-8"))
        for path in (RULES / "schema").glob("fhir-*.json")
    }
    counts = _counts(policy, "fhir", CODECS["fhir"](tables), shared_data / "messages" / "fhir")
    assert counts.total() > 150_000
    assert counts[Handling.DROP] / counts.total() < 0.03
    assert counts[Handling.KEEP] / counts.total() > 0.4
