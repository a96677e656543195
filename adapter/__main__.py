"""``python -m adapter`` is the command ``deid-adapter``."""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""Exit status of a command that SIGINT ended, as shells report it."""


def main() -> None:
    """Import the command line and run it; SIGINT before it runs ends the program quietly."""
    try:
        from adapter.cli import main as run  # noqa: PLC0415 - takes a second

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
