"""``make golden``: write the golden outcomes and the README's example anew; review the diff."""

from __future__ import annotations

from pathlib import Path

from adapter.cli.demo.feed import MESSAGES, demo_settings
from adapter.pipeline.process import process
from adapter.rules.compile import load_ruleset
from adapter.types import Position, Record, Release
from tests.golden.cases import CASES, outcome
from tests.story.feed import RELEASED
from tests.story.feed import outcome as story

README = Path(__file__).resolve().parents[2] / "README.md"
SHOWN = "hl7/p03-3-oru-note.hl7"
FENCE = "```text\n"


def readme(page: str) -> str:
    """The page with its second example being what the demo makes of the lines in the first."""
    raw = (MESSAGES / SHOWN).read_bytes()
    released = process(Record(raw, Position("demo", 0, 0)), load_ruleset(demo_settings()))
    assert isinstance(released, Release)
    assert released.value is not None
    lines = released.value.decode().split("\r")
    before = page.split(FENCE)[1]
    example = before.partition("```")[0].splitlines()
    places = [raw.decode().split("\r").index(line) for line in example]
    made = "".join(lines[place] + "\n" for place in places)
    old = page.split(FENCE)[2].partition("```")[0]
    return page.replace(old, made)


if __name__ == "__main__":
    for case in CASES:
        found = outcome(case)
        for path in case.iterdir():
            if path.name not in found and not path.name.startswith("in."):
                path.unlink()
        for name, content in found.items():
            (case / name).write_bytes(content)
        print(case.relative_to(case.parents[1]))
    for name, content in story().items():
        (RELEASED / name).write_bytes(content)
    README.write_text(readme(README.read_text("utf-8")), "utf-8")
