"""``python -m tests.checks NAME FOLDER``: judge the program by a folder of checks of others.

Each NAME is a module of this folder with ``main(folder)``; its last line says "N of M ...".
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

NAMES = [name for name in ("pairs", "views") if (Path(__file__).parent / f"{name}.py").is_file()]


def main() -> int:
    """Run the named checks; what comes back is the exit status."""
    if len(sys.argv) != 3 or sys.argv[1] not in NAMES:
        print(f"usage: python -m tests.checks {{{','.join(NAMES)}}} FOLDER", file=sys.stderr)
        return 2
    module = importlib.import_module(f"tests.checks.{sys.argv[1]}")
    return int(module.main(Path(sys.argv[2])))


if __name__ == "__main__":
    sys.exit(main())
