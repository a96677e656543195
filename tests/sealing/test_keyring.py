"""The key ring: every key's life, in a file that shows no more than it must."""

from __future__ import annotations

import base64
import json
import os
import stat
from dataclasses import replace

import pytest

from adapter.errors import RuleError
from adapter.sealing.chain import Signer
from adapter.sealing.keyring import (
    Ring,
    changing,
    new_entry,
    read_public,
    read_ring,
    write_ring,
)


def grown(*purposes, domain="stroke"):
    """A ring with new keys of these purposes, in order."""
    ring = Ring()
    for purpose in purposes:
        ring = ring.add(new_entry(ring, purpose, domain, "2026-01-02"))
    return ring


def test_a_new_key_retires_the_one_before():
    """Of a purpose and domain the newest is active; other purposes and domains do not mind."""
    ring = grown("surrogates", "quarantine", "surrogates")
    ring = ring.add(new_entry(ring, "surrogates", "cancer", "2026-01-02"))
    assert [
        ("stroke-surrogates-1", "retired"),
        ("stroke-quarantine-1", "active"),
        ("stroke-surrogates-2", "active"),
        ("cancer-surrogates-1", "active"),
    ] == [(e.id, e.state) for e in ring.entries]


def test_a_destroyed_key_leaves_its_id():
    """The secret is gone; no later key gets the id."""
    ring = grown("quarantine").destroy("stroke-quarantine-1")
    gone = ring.find("stroke-quarantine-1")
    assert ("destroyed", None, "") == (gone.state, gone.secret, gone.fingerprint)
    assert "stroke-quarantine-2" == new_entry(ring, "quarantine", "stroke", "").id


def test_a_ring_comes_back_from_its_file(tmp_path):
    """Every key of every purpose and state is read as it was written."""
    ring = grown("surrogates", "quarantine", "state", "escrow", "state").destroy("stroke-state-1")
    write_ring(tmp_path / "ring.json", ring)
    assert ring == read_ring(tmp_path / "ring.json")


def test_a_public_part_alone_is_a_whole_escrow_key(tmp_path):
    """A ring that can seal but not open is a ring."""
    ring = grown("escrow")
    ring = Ring((replace(ring.entries[0], secret=None),))
    write_ring(tmp_path / "ring.json", ring)
    assert ring == read_ring(tmp_path / "ring.json")


def test_a_ring_for_auditors_has_public_parts_alone(tmp_path):
    """Others may read it; one with a secret in it they may not."""
    ring = grown("audit", "state", "audit", "audit").destroy("stroke-audit-1")
    theirs = ring.public("audit")
    assert ["stroke-audit-2", "stroke-audit-3"] == [e.id for e in theirs.entries]
    write_ring(tmp_path / "public.json", theirs)
    (tmp_path / "public.json").chmod(0o644)
    publics = read_public(tmp_path / "public.json", "audit")
    assert {e.id: e.public for e in theirs.entries} == publics
    own = ring.find("stroke-audit-2")
    assert Signer.of(own.id, own.secret).public == publics[own.id]
    write_ring(tmp_path / "whole.json", ring)
    (tmp_path / "whole.json").chmod(0o644)
    with pytest.raises(RuleError, match="can be read or changed by other users"):
        read_public(tmp_path / "whole.json", "audit")


def test_only_its_owner_reads_the_file(tmp_path):
    """The file has mode 0600, new and replaced, and nothing stays beside it."""
    file = tmp_path / "ring.json"
    for ring in (grown("state"), grown("state", "state")):
        write_ring(file, ring)
        assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert [file] == list(tmp_path.iterdir())


def test_a_destroyed_secret_is_in_no_version_of_the_file(tmp_path):
    """The secret is overwritten also in the file that was replaced, seen through a second link."""
    file, link = tmp_path / "ring.json", tmp_path / "link.json"
    ring = grown("quarantine")
    secret = base64.b64encode(ring.entries[0].secret)
    write_ring(file, ring)
    os.link(file, link)
    assert secret in link.read_bytes()
    write_ring(file, ring.destroy("stroke-quarantine-1"))
    assert (False, False) == (secret in file.read_bytes(), secret in link.read_bytes())


def test_a_ring_behind_a_link_is_replaced_where_it_is(tmp_path):
    """The link stays a link, its target has the new ring, and nothing else has lost a byte."""
    (tmp_path / "vault").mkdir()
    file, link = tmp_path / "vault/ring.json", tmp_path / "ring.json"
    ring = grown("state")
    write_ring(file, ring)
    link.symlink_to(file)
    with changing(link):
        write_ring(link, ring.destroy("stroke-state-1"))
    assert link.is_symlink()
    assert ring.destroy("stroke-state-1") == read_ring(file)
    assert [file] == list(file.parent.iterdir())


def test_a_ring_with_several_names_is_not_changed(tmp_path):
    """A second hard link, also behind a symbolic one, is a refusal before anything is written."""
    file, other, link = (tmp_path / name for name in ("ring.json", "other.json", "link.json"))
    write_ring(file, grown("state"))
    os.link(file, other)
    link.symlink_to(other)
    for path in (file, other, link):
        with pytest.raises(RuleError, match="has several hard links"), changing(path):
            write_ring(path, grown("state", "state"))
    assert grown("state").entries[0].id == read_ring(other).entries[0].id
    assert file.read_bytes() == other.read_bytes()


def test_a_failed_write_leaves_the_ring_as_it_was(tmp_path, monkeypatch):
    """Whatever stops the writing, the version before stays whole."""
    file = tmp_path / "ring.json"
    ring = grown("state")
    write_ring(file, ring)

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("adapter.sealing.keyring.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_ring(file, grown("state", "state"))
    assert ring == read_ring(file)
    assert [file] == list(tmp_path.iterdir())


def test_no_secret_shows():
    """Neither repr nor fingerprint has anything of a secret; a fingerprint tells keys apart."""
    first, second = grown("state", "state").entries
    shown = repr(first) + first.fingerprint
    assert not any(form in shown for form in (first.secret.hex(), repr(first.secret)))
    assert (16, False) == (len(first.fingerprint), first.fingerprint == second.fingerprint)


ROW = {"id": "a", "purpose": "state", "domain": "d", "state": "active", "created": "2026-01-02"}
SECRET = base64.b64encode(bytes(32)).decode()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[", "not JSON"),
        ("{}", "version 1"),
        ('{"v": 1}', "no list of keys"),
        (json.dumps({"v": 1, "keys": [ROW]}), "keys\\[0\\]: lacks its secret"),
        (json.dumps({"v": 1, "keys": [ROW | {"secret": "x"}]}), "not base64"),
        (json.dumps({"v": 1, "keys": [ROW | {"secret": "eA=="}]}), "not 32 bytes"),
        (
            json.dumps({"v": 1, "keys": [ROW | {"purpose": "x", "secret": SECRET}]}),
            "unknown purpose or state",
        ),
        (
            json.dumps({"v": 1, "keys": [ROW | {"state": "destroyed", "secret": SECRET}]}),
            "still has its secret",
        ),
        (json.dumps({"v": 1, "keys": [ROW | {"note": "x", "secret": SECRET}]}), "'note'"),
        (json.dumps({"v": 1, "keys": [ROW | {"secret": SECRET}] * 2}), "the same id"),
        (
            json.dumps({"v": 1, "keys": [ROW | {"id": i, "secret": SECRET} for i in "ab"]}),
            "two active keys",
        ),
    ],
)
def test_what_is_no_ring_is_refused_with_its_place(tmp_path, text, why):
    """The error names file and key, never a secret."""
    file = tmp_path / "ring.json"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(RuleError, match=why) as refused:
        read_ring(file)
    assert str(file) in str(refused.value)
    assert SECRET not in str(refused.value)
