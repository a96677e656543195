"""What is only in extras is not needed by commands that say nothing of it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.every_language

EXTRAS = ("pycrfsuite", "spacy_lookups_data", "matplotlib", "hl7apy", "fhir", "sklearn", "seqeval")
"""Packages that a plain installation has not."""
RUN = f"""
import sys
sys.modules.update(dict.fromkeys({EXTRAS!r}))
from adapter.cli import main
sys.argv[0] = "deid-adapter"
main()
"""


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The command where no extra is installed."""
    return subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def test_texts_are_tagged_by_learned_models_too():
    """Models are run without the package that they were made with."""
    line = json.dumps({"id": 1, "text": "Pt was seen today by Dr. Amelia Wexcombe in clinic."})
    ended = run("tag", "-", "-o", "-", stdin=line)
    assert 0 == ended.returncode, ended.stderr
    (span,) = [s for s in json.loads(ended.stdout)["spans"] if s["type"] == "DOCTOR"]
    assert "crf" == span["source"]


@pytest.mark.parametrize("command", ["run", "file", "evaluate", "train", "schema"])
def test_every_command_can_be_asked_for_help(command):
    """Nothing is imported before it is needed."""
    assert 0 == run(command, "--help").returncode
