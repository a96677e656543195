"""``deid-adapter demo``, in memory."""

from __future__ import annotations

import json

import pytest

from adapter.cli.demo.feed import MESSAGES, feed

pytestmark = pytest.mark.every_language


@pytest.fixture(scope="module")
def demo(run_cli, tmp_path_factory):
    """The command, and the folder it wrote."""
    folder = tmp_path_factory.mktemp("demo")
    return run_cli("demo", "--out", folder / "out"), folder / "out"


def test_every_sample_comes_out_or_is_held(demo):
    """Files of the feed are there, sanitized, but for those that are named as held."""
    ended, out = demo
    assert 0 == ended.returncode
    read = {p.relative_to(MESSAGES).as_posix() for p in MESSAGES.rglob("*") if p.is_file()}
    written = {p.relative_to(out / "messages").as_posix() for p in out.rglob("messages/*/*")}
    held = read - written
    assert written < read
    assert held == {name for name in read if "/y-held-" in name} - written
    assert all(name.encode() in ended.stdout for name in held)


def test_what_is_said_adds_up(demo):
    """The numbers on the screen are those of the audit and the quarantine."""
    ended, out = demo
    audit = [json.loads(line) for line in (out / "audit.jsonl").read_text().splitlines()]
    held = [json.loads(line) for line in (out / "quarantine.jsonl").read_text().splitlines()]
    released = sum(line["outcome"] == "released" for line in audit)
    assert len(audit) == len(feed()) == released + len(held)
    assert (
        f"{released} released, {len(held)} held of {len(audit)} messages".encode() in ended.stdout
    )


def test_it_says_where_to_go_on(demo):
    """Before and after are side by side, and the next steps are named."""
    ended, _ = demo
    for word in (b"before (invented people)", b"after", b"deid-adapter explain FILE"):
        assert word in ended.stdout
    assert b"" == ended.stderr


@pytest.mark.slow
def test_it_can_be_run_again(demo, run_cli):
    """A second run over the same folder gives the same bytes."""
    _, out = demo
    first = {p: p.read_bytes() for p in sorted(out.rglob("messages/*/*"))}
    assert 0 == run_cli("demo", "--out", out).returncode
    assert first == {p: p.read_bytes() for p in sorted(out.rglob("messages/*/*"))}
