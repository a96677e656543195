"""Nothing a run writes beside released values and sealed payloads holds text of its input."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from adapter.audit import configure_logs
from adapter.cli.demo.feed import MESSAGES
from adapter.config.settings import load_settings
from adapter.pipeline.process import process
from adapter.runtime.service import serve
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.protocol import Channel
from adapter.types import Hold, Position, Record, Release
from tests.corpus.runs import KEY, ruleset
from tests.e2e.faults import STEPS, Faulty, faulty_by_offset

FILES = (
    "hl7/p03-3-oru-note.hl7",
    "hl7/p01-1-adt-a04.hl7",
    "hl7/y-held-unknown.txt",
    "hl7/x-mdm-rtf.hl7",
)
CANARIES = (
    "Hill", "Abernathy", "Rosalind", "40018824", "V7700123", "Littleton", "555-0176", "Castellan",
    "Haugen", "Solveig", "Sugar", "WINTERS", "19310702",
)  # fmt: skip


def records():
    """Sample messages, with telling keys and headers."""
    for number, name in enumerate(FILES):
        raw = (MESSAGES / name).read_bytes()
        headers = (("patient", b"Hill^Rose"), ("content-type", b"hl7"))
        yield Record(raw, Position("in", 0, number), b"40018824", headers, 1)


def silent(text: str) -> list[str]:
    """The canaries that sing in a text."""
    return [bird for bird in CANARIES if re.search(re.escape(bird), text, re.IGNORECASE)]


@pytest.mark.parametrize("step", STEPS)
def test_outcome_says_nothing(step):
    """A step that breaks while quoting its input gives a Hold of stage and code only."""
    run = Faulty(step)()
    outcomes = [run(record) for record in records()]
    assert silent(repr(outcomes)) == []
    holds = [outcome for outcome in outcomes if isinstance(outcome, Hold)]
    assert (len(holds) > 1) == (step != "none")
    for outcome in outcomes:
        assert isinstance(outcome, Hold | Release)
        if step not in ("none", "surrogates.identifier") and isinstance(outcome, Hold):
            assert outcome.stage in ("bug", "decode", "tag", "resolve")


def test_nothing_written_tells(capfd):
    """Logs at debug, audit, envelopes' clear parts, keys and headers hold no canary.

    Each message meets each step broken.
    """
    broker = Broker()
    sent = [record for record in records() for _ in STEPS]
    for record in sent:
        broker.append("in", record)
    settings = load_settings(
        None,
        transport="memory",
        keys=KEY | {"quarantine": KEY["surrogates"]},
        log={"level": "debug"},
        workers={"processes": 1},
    )
    transport = MemoryTransport(broker, ("in",))
    status = asyncio.run(serve(settings, over=transport, factory=faulty_by_offset, digest="d"))
    configure_logs("error")
    assert status == 0
    printed = capfd.readouterr()
    assert silent(printed.out + printed.err) == []
    held = [json.loads(r.value) for r in broker.records(Channel.HELD.value)]
    assert len(held) + len(broker.records(Channel.RELEASED.value)) == len(sent)
    clear = [{k: v for k, v in one.items() if k not in ("payload", "nonce")} for one in held]
    audit = [r.value.decode() for r in broker.records(Channel.AUDIT.value)]
    assert len(audit) == len(sent)
    outward = [r for topic in Channel for r in broker.records(topic.value)]
    keys = [(r.key, r.headers) for r in outward]
    values = [r.value.decode() for r in broker.records(Channel.RELEASED.value)]
    assert silent(json.dumps(clear) + "".join(audit) + repr(keys) + "".join(values)) == []


def test_the_canaries_can_sing():
    """The test can fail: every canary but two is in the input."""
    text = "".join(record.value.decode() for record in records())
    assert len(silent(text)) >= len(CANARIES) - 2


def test_a_canary_in_the_rules_is_found():
    """A message left as it is would be noticed."""
    rules = ruleset()
    record = next(records())
    released = process(record, rules)
    assert isinstance(released, Release)
    assert silent(record.value.decode())
    assert silent(released.value.decode()) == []
