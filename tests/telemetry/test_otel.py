"""Traces have attributes from a closed set, begin by themselves, and show nothing of messages."""

from __future__ import annotations

import asyncio
import sys
import time

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from adapter.audit import Audit
from adapter.config.settings import Traces, load_settings
from adapter.errors import RuleError
from adapter.runtime.runner import Runner
from adapter.telemetry.otel import ATTRIBUTES, OtelTraces, provider_of, tracing
from adapter.telemetry.traces import NO_TRACES
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.protocol import TransportError
from adapter.types import Hold, Position, Processed, Record, Release

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SENT = Record(
    b"Mr Quillfeather",
    Position("", 0, 0),
    key=b"Quillfeather",
    headers=(
        ("traceparent", f"00-{TRACE}-00f067aa0ba902b7-01".encode()),
        ("tracestate", b"v=Quillfeather"),
        ("baggage", b"patient=Quillfeather"),
    ),
)


class Inline:
    """A pool that holds every third record and releases the others with all that they came with."""

    restarts = 0

    async def run(self, batch, _notes=None):
        """Work at once."""
        held = Processed(Hold("leak", "pattern"), 2.0)
        return [
            held
            if record.position.offset % 3 == 0
            else Processed(Release(record.value, record.key, record.headers, format="text"), 2.0)
            for record in batch
        ]


def spans_of(records=9, step=None, share=1.0):
    """The spans of a service over some records."""
    exporter = InMemorySpanExporter()
    broker = Broker()
    for _ in range(records):
        broker.append("in", SENT)
    broker.step = step or broker.step
    transport = MemoryTransport(broker, batch_records=5)
    runner = Runner(transport, Inline(), None, Audit("d1"), retry_seconds=0)
    runner.traces = OtelTraces(provider_of(Traces(share=share), SimpleSpanProcessor(exporter)))
    asyncio.run(asyncio.wait_for(runner.run(asyncio.Event()), 30))
    return exporter.get_finished_spans()


def test_a_batch_is_a_trace_of_two_stages():
    """The workers' time and the commit lie within the batch, one after the other."""
    before = time.time_ns()
    spans = spans_of()
    assert ["process", "commit", "batch"] * 2 == [span.name for span in spans]
    process, commit, batch = spans[:3]
    assert batch.parent is None
    assert {batch.context.span_id} == {process.parent.span_id, commit.parent.span_id}
    assert before < batch.start_time <= process.end_time == commit.start_time <= batch.end_time
    told = dict(batch.attributes)
    assert (("in",), (0,), (0,), (4,)) == tuple(
        told[f"deid.{name}"] for name in ("topics", "partitions", "first_offsets", "last_offsets")
    )
    assert (5, 3, 2, ("leak/pattern",), 10, "d1") == tuple(
        told[f"deid.{name}"]
        for name in ("records", "released", "held", "hold_codes", "worker_milliseconds", "ruleset")
    )


def test_nothing_but_the_closed_set_is_told():
    """No other attribute, event or link; no byte of a message, key or header."""
    spans = spans_of()
    assert set().union(*(span.attributes for span in spans)) <= ATTRIBUTES
    assert [] == [part for span in spans for part in (*span.events, *span.links)]
    text = "".join(span.to_json() for span in spans)
    assert "uillfeather" not in text
    assert '"service.name": "clinical-deid-adapter"' in text
    assert {"service.name", "service.version"} == set(spans[0].resource.attributes)


def test_a_senders_trace_is_not_believed():
    """The context in a record's headers neither names the trace nor is its parent."""
    spans = spans_of()
    assert TRACE not in "".join(span.to_json() for span in spans)
    assert 2 == len({span.context.trace_id for span in spans})


def test_a_failure_has_its_code():
    """A batch that is done again is a span with an error, its code and the attempt."""
    failures = iter([True])

    def step(name):
        if name == "before-commit" and next(failures, False):
            raise TransportError("fenced")

    spans = spans_of(step=step)
    (failed,) = [span for span in spans if not span.status.is_ok and "deid.code" in span.attributes]
    assert ("fenced", 1) == (failed.attributes["deid.code"], failed.attributes["deid.attempt"])
    assert set(failed.attributes) <= ATTRIBUTES
    assert 2 == sum(span.name == "commit" for span in spans)


def test_a_share_is_traced():
    """Without a share there is no span."""
    assert () == spans_of(share=0.0)


def test_traces_are_off_by_default():
    """No endpoint, no spans, and nothing of the library is needed."""
    settings = load_settings().traces
    runner = Runner(MemoryTransport(Broker()), Inline(), None, Audit("d1"))

    async def go():
        async with tracing(settings, runner):
            return runner.traces

    assert asyncio.run(go()) is NO_TRACES


def test_a_missing_extra_is_named(monkeypatch):
    """Who asks for traces without the library hears which extra it is."""
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(RuleError, match=r"traces\.endpoint: needs the extra 'otel'"):
        provider_of(Traces(endpoint="http://localhost:4318/v1/traces"))


def test_a_collector_that_is_gone_delays_a_stop_by_seconds_only():
    """Spans that nobody takes are given up."""
    runner = Runner(MemoryTransport(Broker()), Inline(), None, Audit("d1"))

    async def go():
        async with tracing(Traces(endpoint="http://127.0.0.1:9/v1/traces"), runner):
            runner.traces.failed("in-0", "fenced", 1)

    since = time.monotonic()
    asyncio.run(go())
    assert time.monotonic() - since < 20
