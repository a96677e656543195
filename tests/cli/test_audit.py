"""``deid-adapter audit verify``: what was done to audit files is found and named."""

from __future__ import annotations

import json

import pytest

from adapter.config.settings import load_settings
from adapter.sealing.key_lookup import audit_signer
from adapter.transports.files.audit import AuditFile


@pytest.fixture
def kept(invoke, tmp_path):
    """Settings with a ring, and an audit file of six records."""
    invoke("keys", "ring", tmp_path / "ring.json")
    config = tmp_path / "adapter.toml"
    config.write_text(
        'transport = "files"\n[keys]\nring = "ring.json"\n[files]\naudit = "audit.jsonl"\n'
    )
    write(config, 6)
    return config


def write(config, records):
    """Append records."""
    settings = load_settings(config)
    file = AuditFile(settings.files.audit, audit_signer(settings))
    file.open()
    file.write([b'{"time_ms":%d}' % n for n in range(records)])
    file.close()


def damage(config, change):
    """Change the list of lines of the audit file."""
    file = config.with_name("audit.jsonl")
    lines = file.read_bytes().splitlines(keepends=True)
    change(lines)
    file.write_bytes(b"".join(lines))


def test_what_is_whole_is_told_with_its_head(kept, invoke, tmp_path):
    """By the settings, and by an auditor who has the file and the public part alone."""
    invoke("keys", "public", tmp_path / "ring.json", "--out", tmp_path / "public.json")
    secrets = json.loads((tmp_path / "ring.json").read_text())["keys"]
    assert not [k for k in secrets if k["secret"] in (tmp_path / "public.json").read_text()]
    (tmp_path / "public.json").chmod(0o644)
    mine = invoke("audit", "verify", "--config", kept)
    theirs = invoke("audit", "verify", tmp_path / "audit.jsonl", "--key", tmp_path / "public.json")
    for result in (mine, theirs):
        assert (0, "6 records, 1 chain: nothing wrong\n") == (result.exit_code, result.stderr)
    name, number, digest = mine.stdout.split()
    assert (True, "6", 64) == (name.startswith("file-"), number, len(digest))


def test_an_empty_file_proves_nothing(kept, invoke):
    """Where there is no chain the status is that of a problem, and so is what is said."""
    damage(kept, list.clear)
    result = invoke("audit", "verify", "--config", kept)
    assert (1, "0 records, 0 chains: no chain, so nothing is known\n") == (
        result.exit_code,
        result.stderr,
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: lines.pop(2), "audit.jsonl:3: 1 record of its chain is missing before"),
        (lambda lines: lines.insert(4, lines[1]), "record 2 of its chain appears twice"),
        (lambda lines: lines.reverse(), "is out of order"),
        (
            lambda lines: lines.__setitem__(3, lines[3].replace(b"ms", b"mz")),
            "audit.jsonl:4: was changed: its signature is wrong",
        ),
        (lambda lines: lines.append(b'{"time_ms":1}\n'), "audit.jsonl:7: belongs to no chain"),
        (lambda lines: lines.append(b"{}\n"), "audit.jsonl:7: is not an audit record"),
        (lambda lines: lines.insert(0, b"\xff\x00\n"), "audit.jsonl:1: is not an audit record"),
    ],
)
def test_damage_is_named_with_its_place(kept, invoke, change, told):
    """With status 1."""
    damage(kept, change)
    result = invoke("audit", "verify", "--config", kept)
    assert (1, True) == (result.exit_code, told in result.stderr)


def test_a_cut_end_shows_against_heads_of_before(kept, invoke, tmp_path):
    """What the command printed once is what it expects later."""
    heads = tmp_path / "heads.txt"
    heads.write_text(invoke("audit", "verify", "--config", kept).stdout)
    write(kept, 3)
    assert 0 == invoke("audit", "verify", "--config", kept, "--expect", heads).exit_code
    damage(kept, lambda lines: lines.__delitem__(slice(5, None)))
    assert 0 == invoke("audit", "verify", "--config", kept).exit_code
    result = invoke("audit", "verify", "--config", kept, "--expect", heads)
    assert (1, True) == (result.exit_code, "does not reach record 6" in result.stderr)
    damage(kept, lambda lines: lines.pop(0))
    assert 1 == invoke("audit", "verify", "--config", kept).exit_code
    assert 0 == invoke("audit", "verify", "--config", kept, "--pruned").exit_code


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "needs audit files or --config"),
        (["audit.jsonl"], "give the public part of an audit key"),
        (["audit.jsonl", "--key", "adapter.toml"], "is not a key ring"),
        (["audit.jsonl", "--key", "ring.json", "--expect", "adapter.toml"], "is not a chain head"),
        (["audit.jsonl", "--key", "ring.json", "--expect", "/dev/null"], "has no chain head"),
    ],
)
@pytest.mark.usefixtures("kept")
def test_what_cannot_be_checked_is_refused(invoke, tmp_path, monkeypatch, arguments, why):
    """It says what is missing."""
    monkeypatch.chdir(tmp_path)
    result = invoke("audit", "verify", *arguments)
    assert (True, why in str(result.exception)) == (result.exit_code != 0, True)


def test_an_audit_without_chains_is_not_called_sound(kept, invoke):
    """A file of records that nobody signed proves nothing."""
    kept.with_name("audit.jsonl").write_text('{"time_ms":1,"outcome":"held"}\n')
    result = invoke("audit", "verify", "--config", kept)
    assert (1, True) == (result.exit_code, "1 record was written before" in result.stderr)


def test_a_ring_without_audit_keys_has_nothing_public(invoke, tmp_path):
    """It says how to make one."""
    (tmp_path / "ring.json").write_text('{"v":1,"keys":[]}')
    (tmp_path / "ring.json").chmod(0o600)
    result = invoke("keys", "public", tmp_path / "ring.json", "--out", tmp_path / "p.json")
    assert "has no audit key" in str(result.exception)
    assert not (tmp_path / "p.json").exists()
