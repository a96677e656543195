"""``python -m adapter`` is the command ``deid-adapter``."""

from __future__ import annotations

from adapter.cli import main

if __name__ == "__main__":
    main()
