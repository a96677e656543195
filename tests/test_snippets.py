"""What pages show to be typed can be typed: commands parse, and what needs no cluster runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from adapter import Hold, Release
from adapter.cli import app

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```(sh|console|python)\n(.*?)```", re.DOTALL)
CALL = re.compile(
    r"""\s*(?:\w+=\S+\s+)*                 # variables
    (?:taskset\ -c\ \d+\s+)?             # one core
    (?:spark-submit\ .*\$\(which\ )?      # by Spark
    (?:\S*/)?deid-adapter\)?\ (.*)""",
    re.VERBOSE,
)
ADT = (
    b"MSH|^~\\&|A|B|C|D|20240102||ADT^A01|1|P|2.5\r"
    b"PID|1||8841277^^^H1^MR||QUILLFEATHER^JOHN||19600102|M\r"
)
SETTINGS = """
transport = "files"
[keys]
ring = "secrets/ring.json"
[rules]
languages = ["en"]
[files]
inputs = ["messages"]
output = "sanitized"
quarantine = "held"
audit = "audit.jsonl"
"""


def blocks(kinds):
    """(page, text) of every code block of some kinds."""
    return [
        (page.relative_to(ROOT).as_posix(), text)
        for page in PAGES
        for kind, text in BLOCK.findall(page.read_text("utf-8"))
        if kind in kinds
    ]


def commands():
    """(page, words) of every call of the program in a block of shell."""
    for page, text in blocks(("sh", "console")):
        for line in text.replace("\\\n", " ").splitlines():
            for part in re.split(r"&&|;\s*do |;", line.removeprefix("$ ")):
                if found := CALL.match(part):
                    words = shlex.split(re.sub(r"\d?>.*| \|.*", "", found[1]), comments=True)
                    yield page, [word.removesuffix(";") for word in words if word != "done"]


ALL = list(commands())


def parse(words):
    """Parse a call as the program does, without running the command.

    Raises:
        KeyError: there is no such command.
        Exception: an option does not exist, a value is not allowed, or an argument is missing.
    """
    command, rest = typer.main.get_command(app), list(words)
    while hasattr(command, "commands"):
        name = rest.pop(0)
        command = command.commands[name]
    with command.make_context(name, rest):
        pass


@pytest.fixture
def given(tmp_path, monkeypatch):
    """A working folder with the files and folders that calls name and that must exist."""
    monkeypatch.chdir(tmp_path)
    for name in ("secrets", "messages", "archive/2024", "archive/2025"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("adapter", "next", "mart", "replay"):
        (tmp_path / f"{name}.toml").touch()
    (tmp_path / "secrets/surrogates.key").touch()


@pytest.mark.usefixtures("given")
@pytest.mark.parametrize(("page", "words"), ALL, ids=[f"{p}-{' '.join(w[:2])}" for p, w in ALL])
def test_every_command_shown_exists_with_its_options(page, words):
    """No page shows a command, an option or a value that is gone, or lacks an argument."""
    assert page
    parse(words)


@pytest.mark.usefixtures("given")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("run --config adapter.toml --no-such", "No such option"),
        ("run --config no-such.toml", "does not exist"),
        ("file a.hl7 --out b --format walk", "is not one of"),
        ("quarantine show --config adapter.toml", "Missing parameter"),
        ("keys new --out a b", "unexpected extra argument"),
    ],
)
def test_a_slip_in_a_command_is_found(line, said):
    """A call with a wrong option or value, or too few or too many words, does not parse."""
    with pytest.raises(Exception, match=said):
        parse(line.split())


def test_an_unknown_command_is_found():
    """A command that does not exist does not parse."""
    with pytest.raises(KeyError):
        parse(["walk"])


def test_no_command_shown_is_missed():
    """Every line that contains the name of the program and of a command is parsed."""
    names = "|".join(typer.main.get_command(app).commands)
    shown = re.compile(rf"deid-adapter\)? (?:{names})\b(?!['\"])")
    lines = [line for _, text in blocks(("sh", "console")) for line in text.splitlines()]
    assert len(ALL) == sum(len(shown.findall(line.partition(" # ")[0])) for line in lines) > 25


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with settings, two messages, and the program on the path of a shell."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "adapter.toml").write_text(SETTINGS)
    (folder / "next.toml").write_text('[rules]\nlanguages = ["en"]\nprofile = "safe-harbor"\n')
    (folder / "messages").mkdir()
    (folder / "messages/a.hl7").write_bytes(ADT)
    (folder / "messages/b.txt").write_bytes(b"Mr Quillfeather")
    (folder / "bin").mkdir()
    program = folder / "bin/deid-adapter"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m adapter "$@"\n')
    program.chmod(0o755)
    return folder


def typed(home, text):
    """What a shell says to a block."""
    env = {"PATH": f"{home}/bin:/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(home)}
    ended = subprocess.run(
        ["sh", "-ec", text], cwd=home, env=env, capture_output=True, text=True, check=False
    )
    assert 0 == ended.returncode, ended.stderr[-500:]
    return ended.stdout


def block(page, start, kind="sh"):
    """The block of a page that has a line which begins so, from that line on."""
    name = f"docs/{page}.md" if page != "README" else "README.md"
    for at, text in blocks((kind,)):
        lines = text.splitlines()
        for number, line in enumerate(lines):
            if at == name and line.startswith(start):
                return "\n".join(lines[number:])
    raise AssertionError(page, start)


@pytest.mark.slow
def test_the_walk_through_over_files_runs(home):
    """From a key ring to a dry run, a comparison, a run, held messages and a verified audit."""
    typed(home, block("README", "mkdir -m 700 secrets"))
    assert "WRONG" not in typed(home, block("operate", "deid-adapter check").partition("\n")[0])
    dry = typed(home, block("rollout", "deid-adapter run --config adapter.toml --dry-run"))
    assert "1 released, 1 held" in dry
    compared = typed(home, block("rollout", "deid-adapter shadow"))
    assert "1 of 2 messages differ" in compared
    assert not (home / "sanitized").exists()
    typed(home, block("README", "deid-adapter run --config").partition("\n")[0])
    listed = typed(home, block("README", "deid-adapter quarantine list"))
    assert "decode/unknown-format" in listed
    verify = block("operate", "deid-adapter keys public")
    typed(home, verify)
    assert (home / "heads.txt").read_text()


def test_the_keys_of_the_walk_throughs_are_made(home):
    """Rings, rotations and the officer's part, as the page on keys has them."""
    folder = home / "keys"
    folder.mkdir()
    ring = block("keys", "mkdir -m 700 secrets").replace("destroy", "destroy --yes")
    escrow = block("keys", "mkdir -m 700 officer")
    text = f"cd keys\n{ring}\n{escrow}"
    assert "stroke-quarantine-2" in typed(home, text)
    assert (folder / "officer/ring.json").stat().st_mode & 0o077 == 0
    single = block("operate", "mkdir -m 700 secrets")
    typed(home, f"mkdir single && cd single\n{single}")
    assert 3 == len(list((home / "single/secrets").iterdir()))


def test_the_python_example_runs(home, monkeypatch):
    """The block of the page on the API gives a release to whoever sends it."""
    if not (home / "secrets").exists():
        typed(home, block("README", "mkdir -m 700 secrets"))
    monkeypatch.chdir(home)
    sent: list = []
    scope = {"raw": ADT, "send": sent.append}
    exec(compile(block("api", "from pathlib", "python"), "api.md", "exec"), scope)
    assert isinstance(scope["outcome"], Release)
    assert not isinstance(scope["outcome"], Hold)
    assert b"QUILLFEATHER" not in sent[0]


@pytest.mark.parametrize(("page", "text"), blocks(("python",)))
def test_python_examples_compile(page, text):
    """No block has a slip of the pen."""
    compile(text, page, "exec")
