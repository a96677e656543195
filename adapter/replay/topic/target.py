"""Topics as the target of a replay, with each lane's outcomes and progress in one transaction.

Progress is stored in a separate compacted topic by name of replay and lane. Each lane has its own
transactional id, so a resumed replay fences the run before.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiokafka import AIOKafkaProducer, TopicPartition
from aiokafka.errors import KafkaError

from adapter.errors import RuleError
from adapter.replay.errors import ReplayError
from adapter.replay.progress import Progress, chained
from adapter.replay.storage import Storage
from adapter.replay.topic.lane import LANE, TopicLane
from adapter.replay.topic.reading import committed, make
from adapter.transports.kafka.client import input_pattern, producer_options
from adapter.transports.kafka.failures import quietly
from adapter.transports.protocol import Channel, TransportError

if TYPE_CHECKING:
    from adapter.config.kafka import Kafka
    from adapter.config.replay import Replay
    from adapter.config.settings import Settings
    from adapter.replay.manifest import Account
    from adapter.replay.survey import LaneRange

PLAN, MANIFEST = "plan", "manifest"


@dataclass(slots=True)
class TopicTarget:
    """Output topics, which are created if missing."""

    kafka: Kafka
    replay: Replay
    resumes: bool
    _made: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, settings: Settings, *, sealed: bool) -> TopicTarget:
        """Create the topic target; ``sealed`` says that there is a key for patient state.

        Raises:
            RuleError: an output would be a source or a topic of the live run, or two would be one.
        """
        replay, kafka = settings.replay, settings.kafka
        target = cls(kafka, replay, sealed)
        sources = set(replay.source.topics) | set(kafka.topics)
        for topic in sources or {"x"}:
            named = [target.topic(channel, topic) for channel in _TEMPLATES]
            names = [name for name in (*named, replay.target.progress) if name]
            for name in names:
                if name in sources or lives(kafka, topic, name):
                    raise RuleError("replay.target.topic", f"{name} is a topic of the live service")
            if len(set(names)) < len(names):
                raise RuleError("replay.target.topic", "two outputs have the same name")
        return target

    def topic(self, channel: Channel, source: str) -> str | None:
        """Return the topic for records of a channel, or None if they are dropped."""
        template = getattr(self.replay.target, _TEMPLATES[channel])
        name = template.replace("{topic}", source).replace("{name}", self.replay.name)
        if channel is Channel.RELEASED and self.replay.knowledge == "hindsight":
            name += ".hindsight"
        return name or None

    async def start(self) -> None:
        """Create the topic of progress if it is missing.

        Raises:
            ReplayError: the broker does not answer, or refuses.
        """
        try:
            await make(self.kafka, self.replay.target.progress, 1, compacted=True)
        except (KafkaError, TimeoutError) as error:
            raise ReplayError("kafka", f"cannot be written to ({type(error).__name__})") from None

    async def told(self) -> dict[str, bytes]:
        """Return this replay's latest records in the topic of progress, by name.

        Raises:
            TransportError: the broker does not answer.
        """
        prefix = f"{self.replay.name}/"
        told: dict[str, bytes] = {}
        try:
            partition = TopicPartition(self.replay.target.progress, 0)
            async for record in committed(self.kafka, partition):
                name = (record.key or b"").decode("utf-8", "replace")
                if name.startswith(prefix):
                    told.pop(name.removeprefix(prefix), None)
                    if record.value is not None:
                        told[name.removeprefix(prefix)] = record.value
        except (KafkaError, TimeoutError) as error:
            raise TransportError("send-failed") from error
        return told

    async def _json(self, name: str) -> dict[str, Any] | None:
        try:
            raw = (await self.told()).get(name)
        except TransportError:
            raise ReplayError(self.replay.target.progress, "cannot be read") from None
        return None if raw is None else json.loads(raw)

    async def begun(self) -> dict[str, Any] | None:
        """Return the plan in the topic of progress, or None."""
        return await self._json(PLAN)

    async def finished(self) -> dict[str, Any] | None:
        """Return the manifest in the topic of progress, which is written last, or None."""
        return await self._json(MANIFEST)

    async def settled(self) -> dict[str, Progress]:
        """Return the progress of each lane in the topic of progress."""
        told = await self.told()
        cut = len(LANE) + 1
        lanes = {name[cut:]: raw for name, raw in told.items() if name.startswith(f"{LANE}/")}
        return {name: Progress.unpack(raw) for name, raw in lanes.items()}

    async def begin(self, plan: dict[str, Any]) -> None:
        """Write the plan, and delete the records of earlier runs.

        Raises:
            ReplayError: the broker does not accept them.
        """
        old = dict.fromkeys(await self.told())
        await self._write({**old, PLAN: json.dumps(plan).encode()})

    async def _write(self, told: dict[str, bytes | None]) -> None:
        producer = AIOKafkaProducer(**producer_options(self.kafka, f"{self._id()}-plan"))
        try:
            await producer.start()
            async with producer.transaction():
                for name, value in told.items():
                    key = f"{self.replay.name}/{name}".encode()
                    await producer.send_and_wait(self.replay.target.progress, value, key, 0)
        except (KafkaError, TimeoutError) as error:
            place = self.replay.target.progress
            raise ReplayError(place, f"cannot be written ({type(error).__name__})") from None
        finally:
            await quietly(producer.stop())

    def _id(self) -> str:
        return f"{self.kafka.app}-replay-{self.replay.name}"

    def lane(self, lane: LaneRange) -> TopicLane:
        """Return a lane with its own producer."""
        return TopicLane(self, lane, f"{self._id()}-{lane.name}")

    async def made(self, lane: LaneRange, partitions: int) -> None:
        """Create missing topics of a lane."""
        for channel in _TEMPLATES:
            name = self.topic(channel, lane.topic)
            if name and name not in self._made:
                compacted = channel is Channel.STATE
                await make(self.kafka, name, partitions, compacted=compacted)
                self._made.add(name)

    async def finish(self, account: Account) -> dict[str, Any]:
        """Write the manifest to the topic of progress and to the journal."""
        topics = sorted({self.topic(Channel.RELEASED, lane.topic) or "" for lane in account.lanes})
        digests = [account.progress[lane.name].digest for lane in account.lanes]
        output = {"topics": topics, "sha256": chained(digests)}
        whole = json.dumps(account.whole(output), indent=2).encode() + b"\n"
        Storage.at(self.replay.journal, private=True).write("manifest.json", [whole])
        await self._write({MANIFEST: whole})
        return output

    async def stop(self) -> None:
        """Do nothing: lanes close their own producers."""


def lives(kafka: Kafka, topic: str, name: str) -> bool:
    """Return whether the settings' live service writes a topic, or reads it by its pattern."""
    templates = (kafka.output, kafka.quarantine, kafka.escrow, kafka.audit, kafka.state)
    written = {t.replace("{topic}", of) for t in templates if t for of in (topic, kafka.app)}
    written |= set(kafka.outputs.values())
    read = kafka.pattern is not None and re.match(input_pattern(kafka), name) is not None
    return name in written or read


_TEMPLATES = {
    Channel.RELEASED: "topic",
    Channel.HELD: "quarantine",
    Channel.AUDIT: "audit",
    Channel.STATE: "state",
}
"""Channel -> setting with the name of its topic."""
