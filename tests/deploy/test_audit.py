"""deploy/audit.py: known vulnerabilities fail, and what was not looked up is never called clean."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "deploy" / "audit.py"
AUDIT = runpy.run_path(str(SCRIPT))
CLEAN = {"name": "regex", "version": "1", "vulns": []}
WRONG = {"name": "jinja2", "version": "2", "vulns": [{"id": "CVE-1", "fix_versions": ["3", "4"]}]}
SKIPPED = {"name": "rich", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "status"),
    [
        ([CLEAN], 0),
        ([CLEAN, WRONG], 1),
        ([WRONG, SKIPPED], 1),
        ([CLEAN, SKIPPED], 3),
        ([SKIPPED], 3),
        ([], 3),
    ],
)
def test_the_status_of_a_report(packages, status):
    """A package that the service does not know was not audited."""
    assert AUDIT["judged"]({"dependencies": packages})[0] == status


def test_what_is_known_is_named():
    """An operator reads package, version, advisory and what fixes it."""
    _status, lines = AUDIT["judged"]({"dependencies": [WRONG]})
    assert lines == ["jinja2 2: CVE-1, fixed in 3, 4"]


def test_no_answer_is_no_audit():
    """A service that cannot be reached is said, and is no success."""
    status, lines = AUDIT["judged"](None)
    assert (3, True) == (status, lines[0].startswith("NOT AUDITED"))


@pytest.mark.parametrize(
    ("found", "options", "status"),
    [
        (None, [], 3),
        (None, ["--where-possible"], 0),
        ({"dependencies": [WRONG]}, ["--where-possible"], 1),
        ({"dependencies": [CLEAN]}, [], 0),
    ],
)
def test_only_an_audit_that_was_impossible_may_be_let_pass(
    found, options, status, monkeypatch, capsys
):
    """``--where-possible`` says that nothing was looked up, and excuses nothing that was."""
    main = AUDIT["main"]
    monkeypatch.setitem(main.__globals__, "report", lambda _lock: found)
    monkeypatch.setitem(main.__globals__, "find_spec", lambda _name: object())
    monkeypatch.setattr("sys.argv", ["audit.py", "run.txt", *options])
    assert main() == status
    assert ("NOT AUDITED" in capsys.readouterr().err) == (found is None)


def test_a_missing_tool_is_no_service_that_does_not_answer(monkeypatch, capsys):
    """Without pip-audit the command ends with 2, whatever may be let pass."""
    main = AUDIT["main"]
    monkeypatch.setitem(main.__globals__, "find_spec", lambda _name: None)
    monkeypatch.setattr("sys.argv", ["audit.py", "--where-possible", "run.txt"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "pip-audit is not installed" in capsys.readouterr().err
