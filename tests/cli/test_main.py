"""The command itself: help, and how refusals end."""

from __future__ import annotations

import subprocess
import sys
import threading
from importlib.metadata import version

import pytest

from adapter import cli
from adapter.__main__ import main


@pytest.mark.parametrize(
    "command",
    ["", "demo", "run", "file", "explain", "tag", "check", "keys", "quarantine", "schema"],
)
def test_help_is_given(invoke, command):
    """Every command says what it does."""
    result = invoke(*command.split(), "--help")
    assert 0 == result.exit_code
    assert "Usage: " in result.output


def test_it_says_which_version_it_is(invoke):
    """The version of the installed package."""
    result = invoke("--version")
    assert (0, f"deid-adapter {version('clinical-deid-adapter')}\n") == (
        result.exit_code,
        result.stdout,
    )


def test_a_refusal_is_one_line_and_status_2(run_cli, tmp_path):
    """A setting that is none ends the command by name, without a traceback."""
    file = tmp_path / "adapter.toml"
    file.write_text('[kafka]\ntopic = "x"\n')
    ended = run_cli("run", "--config", file)
    assert 2 == ended.returncode
    assert ended.stderr.startswith(f"error: {file}: kafka.topic: ".encode())
    assert 1 == ended.stderr.count(b"\n")


def test_a_missing_file_is_named(run_cli, tmp_path):
    """What cannot be opened is named, with status 2."""
    ended = run_cli("tag", tmp_path / "none.jsonl", "-o", "-")
    assert 2 == ended.returncode
    assert f"error: {tmp_path / 'none.jsonl'}: No such file".encode() in ended.stderr


def test_what_nobody_expected_shows_where_and_not_with_what(monkeypatch, capsys):
    """A bug ends the command with the lines of code and types; its text and its cause's stay in."""

    def fail():
        try:
            return {}["Quillfeather"]
        except KeyError as error:
            raise ValueError("Quillfeather, Wren") from error

    monkeypatch.setattr(cli, "app", fail)
    for hooks, name in ((threading, "excepthook"), (sys, "unraisablehook")):
        monkeypatch.setattr(hooks, name, getattr(hooks, name))  # what the command sets ends here
    with pytest.raises(SystemExit) as ended:
        cli.main()
    told = capsys.readouterr()
    assert 1 == ended.value.code
    assert "Quillfeather" not in told.err + told.out
    assert told.err.index("unexpected KeyError") < told.err.index("unexpected ValueError")
    assert f"{__file__}:" in told.err


def test_a_thread_or_finalizer_that_fails_shows_where_and_not_with_what():
    """Python would print the text of an exception that no caller can catch."""
    code = (
        "import threading\n"
        "from adapter import cli\n"
        "class Fails:\n"
        "    def __del__(self): int('Quillfeather')\n"
        "def app():\n"
        "    thread = threading.Thread(target=lambda: {}['Quillfeather'])\n"
        "    thread.start(); thread.join(); Fails()\n"
        "cli.app = app\n"
        "cli.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Quillfeather" not in done.stderr
    assert "error: unexpected KeyError" in done.stderr
    assert "error: unexpected ValueError" in done.stderr


def test_a_command_imports_no_other():
    """Each would pay for all of them: seconds of a short command."""
    code = (
        "import sys\n"
        "from adapter import cli\n"
        "try: cli.app(['keys', '--help'])\n"
        "except SystemExit: pass\n"
        "others = {'adapter.cli.run', 'adapter.cli.mart', 'adapter.cli.review'}\n"
        "print(others & sys.modules.keys())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("set()\n")


def test_no_command_leaves_a_core_dump():
    """A dump of memory would hold messages and keys; what the command starts leaves none either."""
    code = (
        "import resource, subprocess, sys\n"
        "from adapter import cli\n"
        "soft, hard = resource.getrlimit(resource.RLIMIT_CORE)\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))\n"
        "cli.app = lambda: print(resource.getrlimit(resource.RLIMIT_CORE), flush=True)"
        " or subprocess.run(['sh', '-c', 'ulimit -c'], check=True)\n"
        "cli.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ["(0, 0)", "0"] == done.stdout.split("\n")[:2]


def test_an_interrupt_during_the_imports_ends_quietly(monkeypatch, capsys):
    """The status is that of a shell for SIGINT, and no traceback is printed."""

    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("adapter.cli.main", interrupted)
    with pytest.raises(SystemExit) as ended:
        main()
    assert (130, ("", "")) == (ended.value.code, tuple(capsys.readouterr()))
