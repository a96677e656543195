"""A trial: adapters under load with faults, after which every offset is accounted for."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.config.settings import load_settings
from adapter.runtime.service import memory
from adapter.sealing.escrow import Opener, read_deposit
from adapter.sealing.keyring import Ring, new_entry, write_ring
from adapter.sealing.quarantine import Sealer
from adapter.types import Position
from adapter.types import Record as Message
from tests.chaos.checker import Deposited, Findings, Topics, account, showing
from tests.chaos.fleet import Fleet
from tests.chaos.load import DOCTORS, message
from tests.chaos.pages import PATHS, Pages
from tests.integration import cluster

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from tests.chaos.checker import Memory, Record

KAFKA_LOCAL = Path(__file__).parents[2] / "deploy/kafka-local"
SESSION = 6.0
"""Session timeout of the group in seconds, as `cluster.settings_file` sets it."""
AHEAD = 4_000
"""Messages written ahead of the committed ones, so that every fault occurs under load."""
PORTION = 500
LOOK = 2.0
"""Seconds between two fetches of the pages of the health ports."""


async def _of_partition(records: Sequence[Record], number: int) -> AsyncIterator[Message]:
    """Yield the records of one partition, as the adapter reads them."""
    for each in records:
        if each.partition == number:
            yield Message(each.value, Position("state", number, each.offset), each.key)


class StalledError(Exception):
    """Nothing was committed for a long time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The numbers of messages, adapters and faults of a trial."""

    messages: int
    kills: int = 0
    rebalances: int = 0
    pauses: int = 0
    worker_kills: int = 0
    broker_restarts: int = 0
    partitions: int = 4
    processes: int = 1
    seed: int = 7
    stall: int = 120
    """Seconds without progress after which a trial has failed."""

    def faults(self) -> list[str]:
        """Return the faults in the order in which they happen, drawn with the seed."""
        named = (
            ["kill"] * self.kills
            + ["rebalance"] * self.rebalances
            + ["pause"] * self.pauses
            + ["worker"] * self.worker_kills
            + ["broker"] * self.broker_restarts
        )
        random.Random(self.seed).shuffle(named)
        return named


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a trial."""

    findings: Findings
    codes: tuple[int, ...]
    """Exit codes of adapters that were asked to end."""
    fallen: int
    """Number of adapters that ended without being asked to."""
    shown: tuple[str, ...]
    """Lines of logs, fetched pages and settings that contain a patient's data."""
    pages: Mapping[str, int]
    """Number of pages fetched from health ports, by path."""
    chains: tuple[str, ...]
    """Problems of the signed chains of audit records."""
    seconds: float

    @property
    def sound(self) -> bool:
        """Whether the trial found no fault."""
        failed = set(self.codes) - {0, -signal.SIGTERM}  # the latter before it had started
        faults = self.fallen or self.shown or self.chains or failed
        searched = all(self.pages.get(path) for path in PATHS)
        return self.findings.sound and searched and not faults


@dataclass(slots=True)
class Broker:
    """The broker of a trial; its data folder and port are in the scripts' environment."""

    env: dict[str, str] = field(repr=False)
    address: str = ""

    def start(self) -> None:
        """Start the broker, or restart it on its data."""
        script = [str(KAFKA_LOCAL / "start")]
        done = subprocess.run(script, env=self.env, capture_output=True, text=True, check=True)
        self.address = done.stdout.strip().splitlines()[-1]

    def stop(self) -> None:
        """Stop the broker, and keep its data."""
        subprocess.run([str(KAFKA_LOCAL / "stop")], env=self.env, check=True)

    @classmethod
    def local(cls, folder: Path, port: int) -> Broker:
        """Return a broker on this machine."""
        return cls(
            os.environ | {"KAFKA_LOCAL_PORT": str(port), "KAFKA_LOCAL_DATA": str(folder / "kafka")}
        )


class Trial:
    """One run of a plan over a broker."""

    def __init__(self, plan: Plan, broker: Broker, folder: Path) -> None:
        """Prepare a trial whose settings and logs are written to a folder."""
        self.plan = plan
        self.broker = broker
        self.folder = folder
        self.app = f"chaos{os.getpid()}"
        self.pages = Pages(folder / "pages.log")
        self.escrow = new_entry(Ring(), "escrow", "default", "2026-01-01")
        self.committed = 0
        self.fallen = 0

    async def run(self) -> Done:
        """Run the whole trial.

        Raises:
            StalledError: the adapters got stuck.
        """
        began = time.monotonic()
        await cluster.make_topics(
            self.broker.address, *self.topics(), partitions=self.plan.partitions
        )
        codes = await self._disturbed()
        reference = await self._undisturbed()
        remembered = await self._remembered("ref.state")
        assert remembered, "nothing to compare the memory of patients with"
        findings = account(await self.seen(), reference, remembered)
        audit = await cluster.read_all(self.broker.address, f"{self.app}.audit")
        chains = tuple(cluster.chains(audit)[0])
        shown, spent = tuple(self.shown()), time.monotonic() - began
        return Done(findings, codes, self.fallen, shown, self.pages.counts, chains, spent)

    def topics(self) -> tuple[str, ...]:
        """Return the topics of input, releases, held messages, audit and escrow."""
        kinds = "deid", "quarantine", "audit", "escrow"
        return self.app, *(f"{self.app}.{kind}" for kind in kinds)

    def _settings(self) -> Path:
        file: Path = cluster.settings_file(
            self.folder, self.broker.address, self.app, processes=self.plan.processes, state=True
        )
        ring = self.folder / "ring.json"
        write_ring(ring, Ring((self.escrow,)).public("escrow"))
        with file.open("a") as more:
            more.write(f'ring = "{ring}"\n[escrow]\nenabled = true\n[log]\nlevel = "debug"\n')
            more.write(f"[known]\nstaff = {len(DOCTORS) - 2}\n")
        return file

    async def _disturbed(self) -> tuple[int, ...]:
        with (self.folder / "disturbed.log").open("ab") as log:
            fleet = Fleet(self._settings(), log, random.Random(self.plan.seed))
            fleet.start()
            watch = asyncio.create_task(self._watched(self.app))
            writer = asyncio.create_task(self._written())
            looker = asyncio.create_task(self._looked(fleet))
            try:
                await self._faults(fleet)
                await self._reached(fleet, self.plan.messages, watch, writer, looker)
            finally:
                for task in (watch, writer, looker):
                    task.cancel()
                await fleet.end()
        return tuple(fleet.codes)

    async def _faults(self, fleet: Fleet) -> None:
        faults = self.plan.faults()
        for number, fault in enumerate(faults, 1):
            await self._reached(fleet, self.plan.messages * number // (len(faults) + 1))
            await asyncio.sleep(fleet.dice.uniform(0, 0.5))
            print(f"{self.committed:>8} {fault}", flush=True)
            await self._suffer(fleet, fault)

    async def _suffer(self, fleet: Fleet, fault: str) -> None:
        if fault == "kill":
            await fleet.kill()
        elif fault == "rebalance":
            await fleet.join_or_leave()
        elif fault == "pause":
            await fleet.pause(SESSION * 2)
        elif fault == "worker":
            await fleet.kill_worker()
        else:
            await asyncio.to_thread(self.broker.stop)
            await asyncio.sleep(2)
            await asyncio.to_thread(self.broker.start)

    async def _reached(self, fleet: Fleet, goal: int, *tasks: asyncio.Task[None]) -> None:
        last, since = self.committed, time.monotonic()
        while self.committed < goal:
            await asyncio.sleep(0.1)
            for task in tasks:
                if task.done() and task.exception():
                    await task
            self._replace_fallen(fleet)
            if self.committed != last:
                last, since = self.committed, time.monotonic()
            elif time.monotonic() - since > self.plan.stall:
                raise StalledError(f"{self.committed} of {goal}")

    def _replace_fallen(self, fleet: Fleet) -> None:
        """Count adapters that ended by themselves, and restart them as a service manager would."""
        for process in list(fleet.running):
            if process.poll() is not None:
                self.fallen += 1
                fleet.running.remove(process)
                fleet.start()

    async def _watched(self, group: str) -> None:
        while True:
            try:
                self.committed = await cluster.committed(self.broker.address, group, self.app)
            except Exception:  # noqa: BLE001 - the broker may be down for a while
                await asyncio.sleep(0.5)
            await asyncio.sleep(0.3)

    async def _looked(self, fleet: Fleet) -> None:
        while True:
            await self.pages.fetch(fleet.ports())
            await asyncio.sleep(LOOK)

    async def _written(self) -> None:
        """Write messages ahead of progress; a portion is written completely or again."""
        total = self.plan.messages
        async with cluster.writer(self.broker.address) as producer:
            for first in range(0, total, PORTION):
                await self._near(first - AHEAD)
                part = [message(n) for n in range(first, min(first + PORTION, total))]
                await cluster.sent(producer, self.app, part)

    async def _near(self, goal: int) -> None:
        while self.committed < goal:  # noqa: ASYNC110 - a number that is asked for, not an event
            await asyncio.sleep(0.05)

    async def _undisturbed(self) -> Sequence[Record]:
        """Return the records that one undisturbed adapter releases of the same input."""
        folder = self.folder / "reference"
        folder.mkdir()
        text = self._settings().read_text()
        outputs = {"output": "ref"} | {
            name: f"ref.{name}" for name in ("quarantine", "state", "escrow")
        }
        names = "\n".join(f'{k} = "{{topic}}.{v}"' for k, v in outputs.items())
        text = text.replace(f'app = "{self.app}"', f'app = "{self.app}.ref"\n{names}')
        text = text.replace(f'audit = "{self.app}.audit"', f'audit = "{self.app}.ref.audit"')
        (folder / "adapter.toml").write_text(text)
        kinds = "quarantine", "audit", "escrow"
        made = [f"{self.app}.ref", *(f"{self.app}.ref.{kind}" for kind in kinds)]
        await cluster.make_topics(self.broker.address, *made, partitions=self.plan.partitions)
        with (self.folder / "reference.log").open("ab") as log:
            fleet = Fleet(folder / "adapter.toml", log, random.Random(0))
            fleet.start()
            self.committed, watch = 0, asyncio.create_task(self._watched(f"{self.app}.ref"))
            looker = asyncio.create_task(self._looked(fleet))
            try:
                await self._reached(fleet, self.plan.messages, watch, looker)
            finally:
                for task in (watch, looker):
                    task.cancel()
                await fleet.end()
        released: Sequence[Record] = await cluster.read_all(self.broker.address, made[0])
        return released

    async def seen(self) -> Topics:
        """Read all committed records."""
        source, released, held, audit, escrow = [
            await cluster.read_all(self.broker.address, topic) for topic in self.topics()
        ]
        state = await cluster.read_all(self.broker.address, f"{self.app}.state")
        sealer = Sealer("q1", {"q1": cluster.KEY})
        originals = [sealer.open(envelope.value)[1] for envelope in held]
        return Topics(
            source,
            released,
            [((r.position.partition, r.position.offset), r.value) for r in originals],
            [
                (entry["partition"], entry["offset"])
                for entry in (json.loads(r.value) for r in audit)
            ],
            [*held, *audit, *state, *escrow],
            [self._opened(record.value) for record in escrow],
            await self._remembered("state"),
        )

    async def _remembered(self, name: str) -> Memory:
        """Read what a topic of patient memory keeps, as an adapter that starts reads it."""
        topic = f"{self.app}.{name}"
        records = await cluster.read_all(self.broker.address, topic)
        empty = memory(load_settings(self._settings()))
        assert empty is not None
        found: Memory = {}
        for number in range(self.plan.partitions):
            store = empty()
            await store.restore(_of_partition(records, number), topic)
            kept = store.memory.entries | store.memory.staff.entries
            found |= {(number, name): entry for name, entry in kept.items()}
        return found

    def _opened(self, envelope: bytes) -> Deposited:
        assert self.escrow.secret is not None
        original = Opener({self.escrow.id: self.escrow.secret}).record(envelope)
        place = original.position.partition, original.position.offset
        return Deposited(place, original.value, read_deposit(envelope).sha256)

    def shown(self) -> list[str]:
        """Return lines with a patient's data in files beside the broker's: logs, pages, dumps."""
        files = [file for file in sorted(self.folder.rglob("*")) if file.is_file()]
        own = [file for file in files if "kafka" not in file.relative_to(self.folder).parts]
        return showing(own)

    async def plant(self) -> Findings:
        """Publish one release twice, lose one message, and run the checker again."""
        before = await self.seen()
        twice = before.released[len(before.released) // 2]
        again = (twice.key, twice.value, twice.headers)
        await cluster.write(self.broker.address, self.topics()[1], [again])
        await cluster.write(self.broker.address, self.app, [message(self.plan.messages + 1)])
        return account(await self.seen())
