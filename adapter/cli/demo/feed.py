"""The sample feed, and its processing by the production runner."""

from __future__ import annotations

import base64
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapter.codecs import detect
from adapter.config.settings import Settings, load_settings
from adapter.rules.formats import codecs_of
from adapter.runtime.service import serve, split_by
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.protocol import Channel
from adapter.types import Position, Record, Release

if TYPE_CHECKING:
    from adapter.transports.protocol import Transport
    from adapter.types import Processed

MESSAGES = Path(__file__).resolve().parents[2] / "demo" / "messages"
TOPIC = "demo.in"
SECRET = base64.b64encode(b"a key for demonstrations only ..").decode("ascii")
"""Public, so that the demo's output is the same everywhere; real keys are secret."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One message of the feed and its file; all people in it are fictional."""

    file: str = field(repr=False)
    value: bytes = field(repr=False)


@dataclass(slots=True)
class Outcomes:
    """The outcomes of the samples, by their index in the feed."""

    messages: list[Sample]
    done: dict[int, Processed] = field(default_factory=dict)
    broker: Broker | None = None
    read_back: int | None = None
    status: int = 0
    seconds: float = 0.0
    settings: Settings | None = None

    def released(self, number: int) -> bytes | None:
        """Return the sanitized message, or None if it is held."""
        found = self.done[number].outcome
        return found.value if isinstance(found, Release) else None

    def write(self, out: Path) -> None:
        """Write the sanitized messages to files of the original names, in order within a file."""
        for number, sample in enumerate(self.messages):
            value = self.released(number) if number in self.done else None
            if value is not None:
                target = out / "messages" / sample.file
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("ab") as stream:
                    stream.write(value)


def feed() -> list[Sample]:
    """Return every message of every sample file, in order of file name."""
    split = split_by(codecs_of(demo_settings()))
    return [
        Sample(str(path.relative_to(MESSAGES)), frame.value)
        for path in sorted(MESSAGES.rglob("*"))
        if path.is_file()
        for frame in split(path.read_bytes())
    ]


def demo_settings(
    kafka: dict[str, Any] | None = None, rules: dict[str, Any] | None = None
) -> Settings:
    """Return the demo's settings: the shipped rules, overridden by ``rules``, and a public key."""
    keys = {name: {"id": "demo", "value": SECRET} for name in ("surrogates", "quarantine")}
    transport = "kafka" if kafka else "memory"
    return load_settings(
        None,
        said={"rules": rules or {}},
        transport=transport,
        keys=keys,
        kafka=kafka or {},
        log={"level": "error"},
    )


def _key(sample: Sample) -> bytes:
    """Return the record key, which messages of one patient share, as in a real feed."""
    return Path(sample.file).stem.partition("-")[0].encode()


async def through_memory(
    messages: list[Sample], out: Path, rules: dict[str, Any] | None = None
) -> Outcomes:
    """Process the feed over the embedded broker; write held messages (sealed) and audit."""
    settings = demo_settings(rules=rules)
    broker = Broker()
    for number, sample in enumerate(messages):
        broker.append(TOPIC, Record(sample.value, Position(TOPIC, 0, number), _key(sample)))
    outcomes = Outcomes(messages, broker=broker, settings=settings)
    await _served(outcomes, MemoryTransport(broker, (TOPIC,)))
    _fresh(out)
    held = broker.records(Channel.HELD.value)
    (out / "quarantine.jsonl").write_bytes(b"".join((r.value or b"") + b"\n" for r in held))
    audit = broker.records(Channel.AUDIT.value)
    (out / "audit.jsonl").write_bytes(b"".join((r.value or b"") + b"\n" for r in audit))
    return outcomes


async def _served(outcomes: Outcomes, over: Transport) -> None:
    def watch(record: Record, processed: Processed) -> None:
        outcomes.done[record.position.offset] = processed

    assert outcomes.settings is not None
    outcomes.status = await serve(outcomes.settings, over=over, watch=watch)


def _fresh(out: Path) -> None:
    """Empty the output folder of an earlier demo's messages, or create it."""
    shutil.rmtree(out / "messages", ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)


async def through_kafka(
    messages: list[Sample], address: str, out: Path, rules: dict[str, Any] | None = None
) -> Outcomes:
    """Process the feed over a Kafka broker with topics of its own, and count the output."""
    from adapter.cli.demo.kafka import count, produce, transport  # noqa: PLC0415 - Kafka only

    name = await produce(address, TOPIC, [(_key(s), s.value) for s in messages])
    kafka = {"bootstrap_servers": address, "app": f"demo-{name}", "topics": (name,)}
    settings = demo_settings(kafka | {"audit": f"{name}.audit"}, rules)
    outcomes = Outcomes(messages, settings=settings)
    await _served(outcomes, transport(settings))
    outcomes.read_back = await count(address, f"{name}.deid")
    _fresh(out)
    return outcomes


def kinds(outcomes: Outcomes) -> dict[str, int]:
    """Return format -> number of messages."""
    found: dict[str, int] = {}
    for sample in outcomes.messages:
        form = detect(sample.value) or "unknown"
        found[form] = found.get(form, 0) + 1
    return found
