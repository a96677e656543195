"""``deid-adapter quarantine`` over a folder: list, show and discard, without starting a service."""

from __future__ import annotations

import base64
import json
from dataclasses import replace

import pytest

from adapter.sealing.quarantine import Folder, Held, Sealer
from adapter.transports.files.manifest import Manifest, Section
from adapter.types import Position, Record
from tests.cli.conftest import SEALING
from tests.cli.test_terminal import on_terminal

ESCAPES = "\x1b]0;owned\x07\x9b31m\u202etxt.exe\x00"
NOTHING = "no held message was selected\n"
TEXT = f"Mr. Quillfeather{ESCAPES}\rsecond line"


@pytest.fixture
def quarantine(tmp_path, settings_file):
    """Settings over a folder with four envelopes: "a" twice, "b" and "c"."""
    sealer = Sealer("q", {"q": base64.b64decode(SEALING)})
    folder = Folder(tmp_path / "held")
    first = Held("decode", "empty", "file-1", 0, 3, time_ms=1_700_000_000_000, id="a")
    for held in (
        first,
        replace(first, stage="leak", code="pattern", attempts=2, time_ms=1_700_000_001_000),
        replace(first, stage="surrogate", code="no-vault", offset=4, id="b"),
        replace(first, topic="file-2", time_ms=1_800_000_000_000, id="c"),
    ):
        folder.write(sealer.seal(Record(TEXT.encode(), Position("Doe.hl7", 0, held.offset)), held))
    return settings_file()


@pytest.fixture
def ask(invoke, quarantine):
    """Runs a command of the quarantine."""

    def run(command, *arguments, **options):
        return invoke("quarantine", command, "--config", quarantine, *arguments, **options)

    return run


def names(result):
    """The names in a listing."""
    return [line.split()[0] for line in result.stdout.splitlines()]


def test_a_listing_has_each_message_once(ask):
    """A message that was held again is one; its earlier envelope shows on request, marked."""
    result = ask("list")
    assert (["a", "b", "c"], "3 held, 1 superseded\n") == (names(result), result.stderr)
    line = result.stdout.splitlines()[0]
    assert "leak/pattern" in line
    assert "attempt 2" in line
    assert "file-1/0@3" in line
    everything = ask("list", "--all").stdout.splitlines()
    assert (4, True) == (len(everything), everything[0].endswith("superseded"))


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        (["--stage", "leak"], "a"),
        (["--code", "empty"], "c"),
        (["--code", "surrogate/no-vault", "--code", "pattern"], "ab"),
        (["--topic", "file-2"], "c"),
        (["--since", "2027-01-01"], "c"),
        (["--until", "2023-11-14T23:13:21+01:00"], "b"),
        (["--transient"], "b"),
        (["b", "c"], "bc"),
    ],
)
def test_a_listing_can_be_narrowed(ask, options, chosen):
    """By stage, code, topic, time, name, and by what may pass by itself."""
    assert list(chosen) == sorted(set(names(ask("list", *options))))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--stage", "leaks"], "--stage: no such stage or code: leaks"),
        (["--code", "leak/empty"], "--code: no such stage or code: leak/empty"),
        (["--since", "yesterday"], "--since: must be a time"),
    ],
)
def test_a_mistyped_option_is_refused(ask, options, why):
    """It is not taken for one that nothing fits."""
    assert why in str(ask("list", *options).exception)


def test_a_listing_as_json(ask):
    """One object a line, with the source's coordinates."""
    lines = list(map(json.loads, ask("list", "--json").stdout.splitlines()))
    assert [("a", "file-1", 3, "held"), ("b", "file-1", 4, "held"), ("c", "file-2", 3, "held")] == [
        (line["name"], line["topic"], line["offset"], line["state"]) for line in lines
    ]


def test_whatever_lies_in_the_quarantine_can_be_listed(ask, tmp_path):
    """Neither what is no envelope nor a hostile clear part breaks a listing, or forges a line."""
    (tmp_path / "held/x.held").write_bytes(b"\xff")
    forged = {"v": 1, "stage": "s", "code": "c", "topic": "t\nd  forged\x1b[2J", "partition": 0,
              "offset": 0, "time_ms": 253_402_300_799_999, "id": "d", "attempts": 1}  # fmt: skip
    (tmp_path / "held/y.held").write_text(json.dumps(forged))
    result = ask("list")
    assert ["a", "b", "c", "d", "x.held"] == sorted(names(result))
    assert "4 held, 1 superseded, 1 unreadable\n" == result.stderr
    assert "\x1b" not in result.stdout
    assert "\x1b" not in ask("list", "--json").stdout


def test_show_spells_control_characters_in_pipes_too(ask):
    """Escapes, C1 controls and direction marks are text; the bytes themselves need --raw."""
    shown = ask("show", "b")
    assert (
        b"Mr. Quillfeather\\x1b]0;owned\\x07\\x9b31m\\u202etxt.exe\\x00\nsecond line\n"
        == shown.stdout_bytes
    )
    assert TEXT.encode() == ask("show", "b", "--raw").stdout_bytes
    assert "no such held record" in str(ask("show", "z").exception)


def test_raw_bytes_do_not_go_to_a_terminal(quarantine):
    """--raw is refused there, and show without it shows no control character."""
    refused = on_terminal("quarantine", "show", "b", "--raw", "--config", quarantine)
    assert b"error: --raw: needs a file or a pipe" in refused
    shown = on_terminal("quarantine", "show", "b", "--config", quarantine)
    assert b"Quillfeather\\x1b]0;owned" in shown
    assert not {0x1B, 0x07, 0x00} & set(shown)


def test_discard_settles_with_a_reason(ask, tmp_path):
    """What is named is gone with its earlier envelopes, and the audit says who and why."""
    result = ask("discard", "a", "--reason", "test feed", "--yes")
    assert (0, "1 discarded\n") == (result.exit_code, result.stderr)
    assert ["b", "c"] == names(ask("list", "--all"))
    notes = list(map(json.loads, (tmp_path / "audit.jsonl").read_text().splitlines()))
    assert [("discarded", "a", "test feed")] * 2 == [
        (note["outcome"], note["id"], note["reason"]) for note in notes
    ]
    assert "Quillfeather" not in (tmp_path / "audit.jsonl").read_text()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["a", "--reason", " "], "--reason: must not be empty"),
        (["--reason", "x"], "needs names, or options that select messages"),
        (["a", "z", "--reason", "x"], "z: no such held record"),
    ],
)
def test_a_discard_without_reason_or_choice_is_refused(ask, arguments, why):
    """Nothing is discarded by mistake."""
    result = ask("discard", *arguments, "--yes")
    assert (True, why in str(result.exception)) == (result.exit_code != 0, True)
    assert ["a", "b", "c"] == names(ask("list"))


def test_a_discard_asks_first(ask):
    """It says how many, and "no" leaves all as it was."""
    result = ask("discard", "--topic", "file-1", "--reason", "x", stdin="n\n")
    assert "Permanently discard 2 held messages?" in result.output
    assert ["a", "b", "c"] == names(ask("list"))


def test_without_an_audit_nothing_is_discarded(invoke, quarantine):
    """What is done on record only needs a record."""
    quarantine.write_text(quarantine.read_text().replace('audit = "audit.jsonl"\n', ""))
    result = invoke("quarantine", "discard", "a", "--reason", "x", "--yes", "--config", quarantine)
    assert "files.audit: is not set" in str(result.exception)


def test_what_a_later_run_released_is_not_released_again(ask, tmp_path):
    """The output's manifest tells; it is left alone until somebody discards it."""
    (tmp_path / "out").mkdir()
    manifest, section = Manifest(tmp_path / "out"), Section("x.hl7")
    section.released((b"m",), (("deid-id", b"b"), ("deid-key", b"s"), ("deid-ruleset", b"d")))
    manifest.open()
    manifest.add(section)
    manifest.write()
    listed = ask("list")
    assert (["a", "c"], "2 held, 1 superseded, 1 released\n") == (names(listed), listed.stderr)
    assert (0, NOTHING) == (ask("retry", "b").exit_code, ask("retry", "b").output)
    assert "1 discarded\n" == ask("discard", "b", "--reason", "is out", "--yes").stderr


def test_a_retry_of_nothing_starts_nothing(ask):
    """Where nothing fits, no rules are compiled; a name that is none is an error."""
    for options in (["--stage", "bug"], ["--code", "bug/unexpected"]):
        result = ask("retry", *options)
        assert (0, NOTHING) == (result.exit_code, result.output)
    for command in ("retry", "list"):
        assert "z: no such held record" in str(ask(command, "z").exception)
