"""Prints the demo's report: before and after, counts, holds, speed, and next steps."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from adapter.types import Hold, Release

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rich.console import Console

    from adapter.cli.demo.feed import Outcomes, Sample

SHOWN = (
    "hl7/p03-1-adt-a04.hl7",
    "hl7/p03-1-adt-a01.hl7",
    "hl7/p03-3-oru-note.hl7",
    "fhir/p03-bundle.json",
    "hl7/p02-3-oru-note.hl7",
)
"""Samples shown side by side: a patient in HL7 v2 and FHIR, and a name cut at the end of a row."""
MOST_LINES = 14
SHAPE = re.compile(r'[A-Z][A-Z0-9]{2}\|[0-9]*|\s*"[^"]*"\s*:|\s*"')


def show(console: Console, outcomes: Outcomes, out: Path) -> None:
    """Print the report."""
    for number, sample in enumerate(outcomes.messages):
        value = outcomes.released(number) if number in outcomes.done else None
        if sample.file in SHOWN and value is not None:
            console.print(_side_by_side(sample, value))
    console.print(_labels(outcomes))
    console.print(_holds(outcomes))
    _closing(console, outcomes, out)


def _side_by_side(sample: Sample, value: bytes) -> Table:
    table = Table(title=sample.file, title_justify="left", show_lines=True, expand=True)
    table.add_column("before (invented people)", ratio=1, overflow="fold")
    table.add_column("after", ratio=1, overflow="fold")
    pairs = aligned(_lines(sample.value), _lines(value))
    for before, after in [pair for pair in pairs if pair[0] != pair[1]][:MOST_LINES]:
        table.add_row(*_marked(before, after))
    return table


def aligned(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pair lines by their invariant beginning; a removed or added line is paired with ""."""
    old, new = [_shape(line) for line in before], [_shape(line) for line in after]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for _, a, b, c, d in matcher.get_opcodes():
        yield from zip_longest(before[a:b], after[c:d], fillvalue="")


def _shape(line: str) -> str:
    """Return the invariant beginning of a line: segment name and number, or JSON name."""
    found = SHAPE.match(line)
    return found[0] if found else line


def _lines(raw: bytes) -> list[str]:
    return raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _marked(before: str, after: str) -> tuple[Text, Text]:
    """Return both lines with the words that differ in colour."""
    old, new = Text(before), Text(after)
    for text, other, style in ((old, after, "red"), (new, before, "green")):
        there = set(_words(other))
        for word in set(_words(text.plain)) - there:
            text.highlight_words([word], style)
    return old, new


def _words(line: str) -> list[str]:
    cut = "".join(c if c.isalnum() else " " for c in line)
    return [word for word in cut.split() if len(word) > 1]


def _labels(outcomes: Outcomes) -> Table:
    counts: Counter[str] = Counter()
    for processed in outcomes.done.values():
        if isinstance(processed.outcome, Release):
            for name, number in processed.outcome.counts:
                counts[name.partition("/")[0]] += number
    table = Table(title="mentions replaced, by label", title_justify="left")
    for _ in range(3):
        table.add_column("label")
        table.add_column("n", justify="right")
    cells = [(label, str(n)) for label, n in counts.most_common() if label != "veto"]
    cells += [("", "")] * (-len(cells) % 3)
    rows = len(cells) // 3
    for index in range(rows):
        table.add_row(*(text for column in range(3) for text in cells[index + column * rows]))
    return table


def _holds(outcomes: Outcomes) -> Table:
    table = Table(title="held, sealed in quarantine", title_justify="left")
    for name in ("message", "stage", "code"):
        table.add_column(name)
    for number, processed in sorted(outcomes.done.items()):
        if isinstance(processed.outcome, Hold):
            hold = processed.outcome
            table.add_row(outcomes.messages[number].file, hold.stage, hold.code)
    return table


def _closing(console: Console, outcomes: Outcomes, out: Path) -> None:
    released = sum(isinstance(p.outcome, Release) for p in outcomes.done.values())
    held = len(outcomes.done) - released
    busy = sum(p.milliseconds for p in outcomes.done.values()) / 1000
    console.print(f"[bold]{released} released, {held} held[/] of {len(outcomes.messages)} messages")
    console.print(
        f"{len(outcomes.done) / busy:,.0f} messages per second and core while working; "
        f"{outcomes.seconds:.1f} s in total, including the start of the workers"
    )
    if outcomes.read_back is not None:
        console.print(f"{outcomes.read_back} read back from the output topic (read_committed)")
        console.print(
            "Held messages and audit records are in its topics, not in files as with "
            "`demo`. Kafka keeps running and keeps the topics of this run (demo.in-...); "
            "stop one started by deploy/kafka-local/start with: make kafka-stop"
        )
    console.print(f"\nSanitized messages: [bold]{out / 'messages'}[/]")
    console.print("Next:  deid-adapter explain FILE          every decision in one message")
    console.print("       deid-adapter file IN... -o OUT     your own files or folders")
    console.print(
        "       deid-adapter run --config FILE     as a service on Kafka; see docs/operate.md"
    )
