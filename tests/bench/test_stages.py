"""The table of stages can be made: each stage runs on the message that it times."""

from __future__ import annotations

from tests.bench.messages import ORU
from tests.bench.stages import stages
from tests.corpus.runs import ruleset


def test_each_stage_runs():
    """Every stage around and of tagging can be run by itself."""
    around, tagging, tokens = stages(ORU, ruleset())
    for work in (*around.values(), *tagging.values()):
        work()
    assert tokens > 300
