"""Golden messages: what comes out of the shipped rules, byte for byte."""

from __future__ import annotations

import hashlib

import pytest

from tests.golden.cases import CASES, outcome
from tests.processes import printed

IDS = [f"{case.parent.name}/{case.name}" for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_golden(case):
    """The outcome of a golden message is the recorded one; `make golden` records anew."""
    found = outcome(case)
    assert {path.name for path in case.iterdir() if not path.name.startswith("in.")} == set(found)
    for name, content in found.items():
        assert (case / name).read_bytes() == content, name


SCRIPT = """
import hashlib, sys
from tests.golden.cases import CASES, outcome
state = hashlib.sha256()
for case in CASES:
    for _, content in sorted(outcome(case).items()):
        state.update(content)
print(state.hexdigest())
"""


@pytest.mark.slow
def test_same_in_another_process():
    """A replay in a new process with another hash seed gives the recorded bytes."""
    state = hashlib.sha256()
    for case in CASES:
        for name in outcome_names(case):
            state.update((case / name).read_bytes())
    assert state.hexdigest() == printed(SCRIPT)


def outcome_names(case):
    """The recorded files of a case, in order of name."""
    return sorted(path.name for path in case.iterdir() if not path.name.startswith("in."))
