"""``make hostile``: the share of hostile cases that hold, by class and profile.

``python -m tests.hostile [FOLDER] [--failures]`` names the cases that fail, never their text;
``--record`` writes them to ``known_failures.txt``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.hostile.cases import FOLDER
from tests.hostile.runs import KNOWN, failures, run, table

if __name__ == "__main__":
    said = [word for word in sys.argv[1:] if not word.startswith("--")]
    found = run(Path(said[0]) if said else FOLDER)
    print(table(found))
    if "--failures" in sys.argv:
        print("\n".join(failures(found)))
    if "--record" in sys.argv:
        KNOWN.write_text("".join(f"{line}\n" for line in failures(found)), "utf-8")
