"""``deid-adapter shadow``: other rules over files, in counts alone."""

from __future__ import annotations

import json


def test_two_settings_are_compared(run_cli, settings_file, tmp_path, messages, real):
    """A profile without dates differs; text, paths and names of files are not told."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in/Quillfeather.hl7").write_bytes(messages["oru"])
    (tmp_path / "in/b.txt").write_bytes(b"Mr. John Quillfeather")
    other = tmp_path / "other.toml"
    other.write_text('[rules]\nlanguages = ["en"]\nprofile = "safe-harbor"\n')
    file = settings_file('[rules]\nlanguages = ["en"]\n', inputs=[tmp_path / "in"])
    before = {path.name for path in tmp_path.iterdir()}
    command = ("shadow", "--config", file, "--against", other, tmp_path / "in")
    shown, as_json = run_cli(*command), run_cli(*command, "--json")
    assert (0, 0) == (shown.returncode, as_json.returncode)
    told = json.loads(as_json.stdout)
    assert (2, 1, 0) == (told["records"], told["different"], told["failed"])
    assert told["written"]["DATE"] > 0
    assert b"1 of 2 messages differ" in shown.stdout
    assert before == {path.name for path in tmp_path.iterdir()}
    everything = shown.stdout + shown.stderr + as_json.stdout + as_json.stderr
    assert [] == [value for value in real if value in everything]


def test_rules_that_cannot_be_honoured_are_named(run_cli, settings_file, tmp_path, messages):
    """A slip of the pen ends the command with its place."""
    (tmp_path / "a.hl7").write_bytes(messages["oru"])
    other = tmp_path / "other.toml"
    other.write_text('[rules]\nlanguages = ["en"]\nprofile = "none-such"\n')
    file = settings_file('[rules]\nlanguages = ["en"]\n', inputs=[tmp_path / "a.hl7"])
    ended = run_cli("shadow", "--config", file, "--against", other, tmp_path / "a.hl7")
    assert 2 == ended.returncode
    assert b"error: rules.profile: no such profile" in ended.stderr
