"""A command as a user runs it, and one small message of each kind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adapter.cli import app
from tests import processes
from tests.conftest import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
SECRET = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
SEALING = "HxwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEAHx4="
ADT = (
    b"MSH|^~\\&|A|B|C|D|20240102||ADT^A01|1|P|2.5\r"
    b"PID|1||8841277^^^H1^MR||QUILLFEATHER^JOHN||19600102|M\r"
)
ORU = (
    b"MSH|^~\\&|A|B|C|D|20240105||ORU^R01|2|P|2.5\r"
    b"PID|1||8841277^^^H1^MR||QUILLFEATHER^JOHN||19600102|M\r"
    b"OBX|1|TX|1^Note||Mr. Quillfeather was seen by||||||F\r"
    b"OBX|2|TX|1^Note||Dr. Wexcombe on 01/03/2024.||||||F\r"
)
PATIENT = (
    b'{"resourceType":"Patient","identifier":[{"value":"8841277"}],'
    b'"name":[{"family":"Quillfeather","given":["John"]}]}'
)
REAL = (b"uillfeather", b"UILLFEATHER", b"8841277", b"Wexcombe")
"""What no output may have."""


@pytest.fixture(scope="session")
def key(tmp_path_factory):
    """A file with a secret."""
    file = tmp_path_factory.mktemp("keys") / "surrogates.key"
    file.write_text(SECRET + "\n")
    file.chmod(0o600)
    return file


@pytest.fixture(scope="session")
def run_cli():
    """Runs a command in a process of its own: ``run_cli("file", "-", "-o", "-", stdin=b"...")``."""

    def run(*arguments, stdin=b"", cwd=None):
        environment = {
            name: value
            for name, value in os.environ.items()
            if name == LANGUAGES or not name.startswith("DEID_ADAPTER__")
        }
        shown = environment | {"PYTHONPATH": str(ROOT), "COLUMNS": "200"}
        return processes.run(
            ["-m", "adapter", *arguments], stdin=stdin, timeout=120, cwd=cwd, env=shown
        )

    return run


@pytest.fixture(scope="session")
def invoke():
    """Runs a command inside the test's process: cheaper, for those that start no workers."""

    def run(*arguments, stdin=None):
        return CliRunner().invoke(app, [str(a) for a in arguments], input=stdin)

    return run


@pytest.fixture(scope="session")
def messages():
    """A message by name: adt, oru (HL7 v2), patient (FHIR)."""
    return {"adt": ADT, "oru": ORU, "patient": PATIENT}


@pytest.fixture(scope="session")
def real():
    """What no output may have."""
    return REAL


@pytest.fixture
def settings_file(tmp_path, key):
    """Settings over files, both keys and a quarantine; text is appended to them."""
    sealing = tmp_path / "quarantine.key"
    sealing.write_text(SEALING + "\n")
    sealing.chmod(0o600)

    def write(text="", inputs=("-",)):
        file = tmp_path / "adapter.toml"
        listed = ", ".join(f'"{path}"' for path in inputs)
        file.write_text(
            'transport = "files"\n'
            f'[keys.surrogates]\nid = "s"\nfile = "{key}"\n'
            f'[keys.quarantine]\nid = "q"\nfile = "{sealing}"\n'
            f'[files]\ninputs = [{listed}]\noutput = "{tmp_path / "out"}"\n'
            f'quarantine = "held"\naudit = "audit.jsonl"\n{text}'
        )
        return file

    return write
