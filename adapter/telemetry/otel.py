"""Traces batches as OpenTelemetry spans, whose attributes are a closed set without message data.

A span begins a trace of its own: a trace context in a record's headers is neither used nor passed
on, since any sender of messages could choose it.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.types import Hold

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider

    from adapter.config.settings import Traces as TracesSettings
    from adapter.runtime.runner import Runner
    from adapter.telemetry.traces import Settled

SECONDS = 2.0
"""Time limit in seconds of sending spans, and so of waiting for them at a stop."""
BATCH, PROCESS, COMMIT = "batch", "process", "commit"
ATTRIBUTES = frozenset(
    {
        "deid.lane",
        "deid.topics",
        "deid.partitions",
        "deid.first_offsets",
        "deid.last_offsets",
        "deid.records",
        "deid.bytes",
        "deid.released",
        "deid.held",
        "deid.hold_codes",
        "deid.worker_milliseconds",
        "deid.ruleset",
        "deid.code",
        "deid.attempt",
    }
)
"""All attributes of spans: the operator's names, numbers, codes and a digest."""


class OtelTraces:
    """Makes spans for a runner's batches."""

    def __init__(self, provider: TracerProvider) -> None:
        """Keep the provider that exports the spans; the process's global provider is not set."""
        from opentelemetry.context import Context  # noqa: PLC0415 - an extra
        from opentelemetry.trace import Status, StatusCode, set_span_in_context  # noqa: PLC0415

        self._tracer = provider.get_tracer("adapter")
        self._root, self._within = Context(), set_span_in_context
        self._failed = Status(StatusCode.ERROR)

    def settled(self, lane: str, done: Settled, public: Callable[[str], str]) -> None:
        """Make a span for the batch, and in it one for each of its two stages."""
        end, now = time.time_ns(), time.monotonic()
        begun, ready = (end - round((now - at) * 1e9) for at in (done.begun, done.ready))
        batch = self._tracer.start_span(
            BATCH,
            context=self._root,
            attributes={"deid.lane": lane, **_attributes(done, public)},
            start_time=begun,
        )
        inside = self._within(batch, self._root)
        for name, start, stop in ((PROCESS, begun, ready), (COMMIT, ready, end)):
            self._tracer.start_span(name, context=inside, start_time=start).end(stop)
        batch.end(end)

    def failed(self, lane: str, code: str, attempt: int) -> None:
        """Make a span of no duration with the failure's code."""
        attributes: dict[str, Any] = {
            "deid.lane": lane,
            "deid.code": code,
            "deid.attempt": attempt,
        }
        span = self._tracer.start_span(BATCH, context=self._root, attributes=attributes)
        span.set_status(self._failed)
        span.end()


def _attributes(done: Settled, public: Callable[[str], str]) -> dict[str, Any]:
    ends: dict[tuple[str, int], tuple[int, int]] = {}
    for record in done.batch:
        at = record.position
        first, _ = ends.get((at.topic, at.partition), (at.offset, 0))
        ends[at.topic, at.partition] = first, at.offset
    held = Counter(
        f"{each.outcome.stage}/{each.outcome.code}"
        for each in done.outcomes
        if isinstance(each.outcome, Hold)
    )
    return {
        "deid.topics": [public(topic) for topic, _ in ends],
        "deid.partitions": [partition for _, partition in ends],
        "deid.first_offsets": [first for first, _ in ends.values()],
        "deid.last_offsets": [last for _, last in ends.values()],
        "deid.records": len(done.batch),
        "deid.bytes": sum(len(record.value or b"") for record in done.batch),
        "deid.released": len(done.batch) - held.total(),
        "deid.held": held.total(),
        "deid.hold_codes": sorted(held),
        "deid.worker_milliseconds": round(sum(each.milliseconds for each in done.outcomes)),
        "deid.ruleset": done.ruleset,
    }


def provider_of(settings: TracesSettings, processor: SpanProcessor | None = None) -> TracerProvider:
    """Return a provider that exports a share of the batches to the collector, or to ``processor``.

    Raises:
        RuleError: the extra is not installed.
    """
    try:
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.sampling import TraceIdRatioBased  # noqa: PLC0415

        processor = processor or _to_collector(settings.endpoint)
    except ImportError:
        raise RuleError("traces.endpoint", "needs the extra 'otel'") from None
    name = "clinical-deid-adapter"
    told = {"service.name": name, "service.version": version(name)}
    sampler, resource = TraceIdRatioBased(settings.share), Resource(told)
    provider = TracerProvider(sampler=sampler, resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(processor)
    return provider


def _to_collector(endpoint: str) -> SpanProcessor:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415 - an extra
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    return BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint, timeout=SECONDS))


@asynccontextmanager
async def tracing(settings: TracesSettings, runner: Runner) -> AsyncIterator[None]:
    """Trace the runner's batches while the block runs; send the remaining spans at its end.

    Raises:
        RuleError: the extra is not installed.
    """
    if not settings.endpoint:
        yield
        return
    provider = provider_of(settings)
    runner.traces = OtelTraces(provider)
    try:
        yield
    finally:
        await asyncio.to_thread(provider.shutdown)
