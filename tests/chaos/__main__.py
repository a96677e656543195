"""``make chaos``: faults amid a load on a real Kafka, and what became of every message.

``python -m tests.chaos --messages 200000 --kills 50 --rebalances 20`` and the like. The broker of
``deploy/kafka-local`` needs Java 17 and Maven. Ends with 1 where anything was lost, doubled, out of
order, altered or shown (in a record, a log or a page of a health port), and where a planted loss
and a planted double are not found. With ``--keep FOLDER`` logs and pages stay there.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from argparse import ArgumentParser
from dataclasses import fields
from pathlib import Path

from tests.chaos.trial import Broker, Plan, Trial
from tests.integration.conftest import free_port

MOST_LINES = 20
"""Most lines with a patient that are named; all are counted."""
SHORT = Plan(messages=20_000, kills=5, rebalances=4, pauses=1, worker_kills=2, broker_restarts=1)


def planned(words: list[str]) -> tuple[Plan, Path | None]:
    """Return the plan of the options, and the folder for logs to keep."""
    parser = ArgumentParser(prog="python -m tests.chaos", description=__doc__.partition("\n")[0])
    for each in fields(Plan):
        option = "--" + each.name.replace("_", "-")
        parser.add_argument(option, type=int, default=getattr(SHORT, each.name))
    parser.add_argument("--keep", type=Path)
    said = vars(parser.parse_args(words))
    keep = said.pop("keep")
    return Plan(**said), keep


def main() -> int:
    """Run a trial, and print the findings."""
    plan, keep = planned(sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="chaos-") as name:
        folder = keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        broker = Broker.local(folder, free_port())
        broker.start()
        try:
            return asyncio.run(tried(plan, broker, folder))
        finally:
            broker.stop()


async def tried(plan: Plan, broker: Broker, folder: Path) -> int:
    """Run the plan, then plant a loss and a double."""
    trial = Trial(plan, broker, folder)
    done = await trial.run()
    print(plan)
    for name, count in (done.findings.counts() | {"shown": len(done.shown)}).items():
        print(f"{name:14} {count}")
    print(f"ended by themselves {done.fallen}; exit codes {sorted(set(done.codes))}")
    print(f"broken chains of the audit: {list(done.chains)}")
    print(f"pages of health ports: {dict(done.pages)}")
    print(f"lines with a patient: {list(done.shown[:MOST_LINES])}; {done.seconds:.0f} s in all")
    planted = await trial.plant()
    found = planted.counts()
    print(f"planted loss and double: lost {found['lost']}, doubled {found['doubled']}")
    return 0 if done.sound and found["lost"] == 1 and found["doubled"] == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
