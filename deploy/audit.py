"""Look locked dependencies up among known vulnerabilities: ``python deploy/audit.py LOCK...``.

pip-audit asks the package index's vulnerability service. An index that has none (a mirror) answers
that it does not know a package, which pip-audit takes for nothing wrong; here that is not audited.

Exit statuses: 0 nothing is known of any, 1 something is, 3 some could not be looked up. With
``--where-possible`` the last becomes 0, and standard error says what was not looked up.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

CLEAN, VULNERABLE, NOT_AUDITED = 0, 1, 3
SECONDS = 300


def main() -> int:
    """Audit each lock file; the worst status of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("locks", nargs="+", type=Path, metavar="LOCK")
    parser.add_argument("--where-possible", action="store_true")
    options = parser.parse_args()
    if find_spec("pip_audit") is None:
        parser.error("pip-audit is not installed: deploy/locked/dev.txt has it")
    statuses = set()
    for lock in options.locks:
        status, lines = judged(report(lock))
        print(*(f"{lock}: {line}" for line in lines), sep="\n", file=sys.stderr)
        statuses.add(status)
    if VULNERABLE in statuses:
        return VULNERABLE
    return CLEAN if options.where_possible else max(statuses)


def report(lock: Path) -> dict[str, Any] | None:
    """Return pip-audit's report on a lock file; None where its service gave none."""
    command = [sys.executable, "-m", "pip_audit", "--require-hashes", "--disable-pip"]
    command += ["--progress-spinner", "off", "--format", "json", "-r", str(lock)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
        found: dict[str, Any] = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None
    return found


def judged(found: dict[str, Any] | None) -> tuple[int, list[str]]:
    """Return the exit status that a report comes to, and lines that say why."""
    if found is None:
        return NOT_AUDITED, ["NOT AUDITED: the vulnerability service gave no answer"]
    packages = found["dependencies"]
    lines = [
        f"{package['name']} {package['version']}: {known['id']}, fixed in "
        f"{', '.join(known['fix_versions']) or 'no version'}"
        for package in packages
        for known in package.get("vulns", ())
    ]
    skipped = [package["name"] for package in packages if "vulns" not in package]
    if skipped or not packages:
        lines.append(f"NOT AUDITED: {len(skipped)} of {len(packages)} packages are not known there")
    if any(package.get("vulns") for package in packages):
        return VULNERABLE, lines
    if skipped or not packages:
        return NOT_AUDITED, lines
    return CLEAN, [f"{len(packages)} packages without known vulnerabilities"]


if __name__ == "__main__":
    sys.exit(main())
