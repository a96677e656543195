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
                found = re.match(r"\s*(?:\S*/)?deid-adapter (.*)", part)
                if found:
                    words = shlex.split(re.sub(r"\d?>.*| \|.*", "", found[1]), comments=True)
                    yield page, [word.removesuffix(";") for word in words if word != "done"]


ALL = list(commands())


def unknown(words):
    """Options of a call that its command does not have.

    Raises:
        KeyError: there is no such command.
    """
    command, rest = typer.main.get_command(app), list(words)
    while hasattr(command, "commands"):
        command = command.commands[rest.pop(0)]
    known = {name for p in command.params for name in (*p.opts, *p.secondary_opts)}
    options = [word.partition("=")[0] for word in rest if word.startswith("-") and word != "-"]
    return [option for option in options if option not in known | {"--help"}]


@pytest.mark.parametrize(("page", "words"), ALL, ids=[f"{p}-{' '.join(w[:2])}" for p, w in ALL])
def test_every_command_shown_exists_with_its_options(page, words):
    """No page shows a command or an option that is gone."""
    assert [] == unknown(words), page


def test_commands_are_found():
    """The checks of this file look at something, and would find a slip."""
    assert len(ALL) > 25
    assert ["--no-such"] == unknown(["run", "--config", "a.toml", "--no-such"])
    with pytest.raises(KeyError):
        unknown(["walk"])


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
