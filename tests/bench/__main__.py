"""``make bench``: speed on one core, each figure beside one measured in the same run."""

from __future__ import annotations

import statistics
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from adapter.codecs import detect
from adapter.pipeline.examining import examine
from adapter.pipeline.process import process
from adapter.runtime.service import LoadRuleset
from adapter.types import Position, Record, Release
from tests.bench.messages import ADT, ORU
from tests.corpus.runs import settings

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 7
SECONDS = 0.6


def rate(work: Callable[[], object]) -> float:
    """Calls a second: the median over rounds."""
    work()
    rates = []
    for _ in range(ROUNDS):
        count, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < SECONDS:
            work()
            count += 1
        rates.append(count / spent)
    return statistics.median(rates)


def main() -> None:
    """Print calls a second and ratios to a hl7apy parse of the same message."""
    rules = LoadRuleset(settings())().ruleset  # as a worker has it
    yardstick: dict[str, float] = {}
    for name, raw in (("1 KB ADT", ADT), ("300-word ORU", ORU)):
        record = Record(raw, Position("bench", 0, 0))
        assert isinstance(process(record, rules), Release)
        codec = rules.codecs[detect(raw) or "hl7v2"]
        message = codec.decode(raw)
        edits = examine(codec, raw, rules).edits
        encode = partial(codec.encode, message, edits)
        steps: dict[str, Callable[[], object]] = {
            "process": partial(process, record, rules),
            "decode": partial(codec.decode, raw),
            "encode": encode,
            "hl7apy parse": partial(parse, raw),
        }
        rates = {step: rate(work) for step, work in steps.items()}
        yardstick[name] = rates["process"]
        print(f"{name} ({len(raw)} bytes)")
        for step, value in rates.items():
            print(f"  {step:14} {value:10,.0f}/s   {value / rates['hl7apy parse']:8.1f} x hl7apy")
    if "--aims" in sys.argv:
        assert yardstick["1 KB ADT"] >= 2000
        assert yardstick["300-word ORU"] >= 150


def parse(raw: bytes) -> object:
    """The same message through hl7apy's parser, the field's usual library."""
    from hl7apy.parser import parse_message  # noqa: PLC0415 - only the yardstick needs it

    return parse_message(raw.decode("utf-8"), find_groups=False)


if __name__ == "__main__":
    main()
