"""``deid-adapter mart release`` that dies at a step: ``stopped_process.py CONFIG STEP``."""

from __future__ import annotations

import os
import sys

from adapter.cli import app
from adapter.mart.release import files, mart, pending
from adapter.mart.release.postgres import ReleaseSchema

DIED = 9
STEPS = {
    "written": (pending, "note", False),
    "noted": (pending, "note", True),
    "committed": (ReleaseSchema, "write", True),
    "named": (files, "complete", True),
    "kept": (mart, "forget", False),
}
"""Where it dies: owner and name of a function, and whether that has done its work then."""


def die_at(step):
    """Have the process end at a step, as SIGKILL ends it: nothing is cleaned up."""
    owner, name, after = STEPS[step]
    whole = getattr(owner, name)

    def dying(*arguments, **kinds):
        if after:
            whole(*arguments, **kinds)
        os._exit(DIED)

    setattr(owner, name, dying)


def main():
    """Make the release "first", and die."""
    die_at(sys.argv[2])
    app(["mart", "release", "-c", sys.argv[1], "first", "--approved-by", "Dr. A. Steward"])


if __name__ == "__main__":
    main()
