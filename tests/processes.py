"""What a program prints in a process of its own, with another hash seed."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.conftest import ROOT


def printed(program: str) -> str:
    """The standard output of a Python program that sees this tree."""
    environment = os.environ | {"PYTHONHASHSEED": "4711", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
