"""``deid-adapter keys``."""

from __future__ import annotations

import base64
import stat

import pytest

from adapter.sealing.keyring import read_ring


def test_a_secret_is_printed(invoke):
    """Without --out the secret goes to standard output: 32 bytes in base64, new each time."""
    first, second = (invoke("keys", "new").output.strip() for _ in range(2))
    assert (32, 32) == (len(base64.b64decode(first)), len(base64.b64decode(second)))
    assert first != second


def test_a_file_is_readable_by_its_owner_only(invoke, tmp_path):
    """The file has mode 0600, and nothing of the secret is printed."""
    file = tmp_path / "new.key"
    result = invoke("keys", "new", "--out", file)
    assert (0, "") == (result.exit_code, result.output)
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert 32 == len(base64.b64decode(file.read_text()))


def test_a_file_is_never_overwritten(run_cli, tmp_path):
    """An existing file stays as it is, and the refusal names it."""
    file = tmp_path / "old.key"
    file.write_text("precious")
    ended = run_cli("keys", "new", "--out", file)
    assert 2 == ended.returncode
    assert f"error: {file}: File exists\n".encode() == ended.stderr
    assert "precious" == file.read_text()


@pytest.fixture
def ring(invoke, tmp_path):
    """The file of a ring just begun."""
    file = tmp_path / "ring.json"
    assert 0 == invoke("keys", "ring", file, "--domain", "stroke").exit_code
    return file


def shown(invoke, file):
    """Id -> state of every key that `keys show` lists."""
    rows = [line.split() for line in invoke("keys", "show", file).output.splitlines()]
    return {row[0]: row[3] for row in rows}


def test_a_ring_begins_with_keys_of_its_own(invoke, ring):
    """A new ring has active keys of all purposes an adapter needs, and shows no secret."""
    assert {
        f"stroke-{purpose}-1": "active"
        for purpose in ("surrogates", "quarantine", "state", "audit")
    } == (shown(invoke, ring))
    result = invoke("keys", "show", ring).output
    assert [] == [
        e.id for e in read_ring(ring).entries if base64.b64encode(e.secret).decode() in result
    ]


def test_a_ring_is_never_begun_twice(run_cli, ring):
    """An existing ring stays as it is."""
    before = ring.read_bytes()
    ended = run_cli("keys", "ring", ring)
    assert (2, before) == (ended.returncode, ring.read_bytes())


def test_rotation_retires_and_destruction_erases(invoke, ring):
    """A retired key is listed until and after it is destroyed; the answer no leaves it alone."""
    invoke("keys", "rotate", ring, "--purpose", "surrogates", "--domain", "stroke")
    states = shown(invoke, ring)
    assert ("retired", "active") == (states["stroke-surrogates-1"], states["stroke-surrogates-2"])
    assert 1 == invoke("keys", "destroy", ring, "stroke-surrogates-1", stdin="n\n").exit_code
    assert states == shown(invoke, ring)
    invoke("keys", "destroy", ring, "stroke-surrogates-1", stdin="y\n")
    assert "destroyed" == shown(invoke, ring)["stroke-surrogates-1"]
    assert read_ring(ring).find("stroke-surrogates-1").secret is None


def test_an_active_key_is_destroyed_by_force_only(run_cli, ring):
    """Without --force the refusal says what to do, and the key stays."""
    ended = run_cli("keys", "destroy", ring, "stroke-state-1", "--yes")
    assert (2, True) == (ended.returncode, b"is active; rotate first" in ended.stderr)
    assert 0 == run_cli("keys", "destroy", ring, "stroke-state-1", "--yes", "--force").returncode
    again = run_cli("keys", "destroy", ring, "stroke-state-1", "--yes")
    assert (2, True) == (again.returncode, b"is already destroyed" in again.stderr)


def test_links_to_rings_are_followed(invoke, ring, tmp_path):
    """Rotation and destruction through a link change the ring that it leads to."""
    link, private, officer = (tmp_path / n for n in ("link.json", "private.json", "officer.json"))
    link.symlink_to(ring)
    officer.symlink_to(private)
    rotate = ["keys", "rotate", link, "--domain", "stroke", "--purpose"]
    assert 0 == invoke(*rotate, "state").exit_code
    assert 0 == invoke("keys", "destroy", link, "stroke-state-1", "--yes").exit_code
    assert 0 == invoke(*rotate, "escrow", "--private", officer).exit_code
    assert (True, True) == (link.is_symlink(), officer.is_symlink())
    assert "destroyed" == shown(invoke, ring)["stroke-state-1"]
    assert {"stroke-escrow-1": "active"} == shown(invoke, private)


def test_a_ring_with_several_names_is_refused_before_anything_is_written(run_cli, ring, tmp_path):
    """Neither the ring nor the private ring changes if either has a second hard link."""
    private, other = tmp_path / "private.json", tmp_path / "other.json"
    command = ["keys", "rotate", ring, "--domain", "stroke", "--purpose", "escrow", "--private"]
    assert 0 == run_cli(*command, private).returncode
    for linked in (ring, private):
        other.hardlink_to(linked)
        before = ring.read_bytes(), private.read_bytes()
        ended = run_cli(*command, private)
        assert (2, True) == (ended.returncode, b"has several hard links" in ended.stderr)
        assert before == (ring.read_bytes(), private.read_bytes())
        other.unlink()
    link = tmp_path / "link.json"
    link.symlink_to(ring)
    same = run_cli(*command, link)
    assert (2, True) == (same.returncode, b"must be a file other than the ring" in same.stderr)


def test_an_escrow_key_is_made_in_two_parts(invoke, run_cli, ring, tmp_path):
    """The private part goes to the other ring alone, which keeps the earlier ones."""
    theirs = tmp_path / "officer.json"
    for _ in range(2):
        invoke(*f"keys rotate {ring} --purpose escrow --domain stroke --private {theirs}".split())
    ours, whole = (read_ring(file).of("escrow", "stroke") for file in (ring, theirs))
    assert [(e.id, e.public, e.state) for e in whole] == [(e.id, e.public, e.state) for e in ours]
    assert ([True, True], [True, True]) == (
        [e.secret is None for e in ours],
        [e.secret is not None for e in whole],
    )
    assert 2 == run_cli("keys", "rotate", ring, "--purpose", "escrow").returncode
    assert 2 == run_cli("keys", "rotate", ring, "--purpose", "state", "--private", "x").returncode
    same = run_cli("keys", "rotate", ring, "--purpose", "escrow", "--private", ring)
    assert (2, True) == (same.returncode, b"must be a file other than the ring" in same.stderr)


def test_a_new_domain_is_told(run_cli, ring):
    """A misspelt domain gets a key, and the note shows it."""
    ended = run_cli("keys", "rotate", ring, "--purpose", "state", "--domain", "storke")
    assert (0, b"note: storke is a new domain of this ring\n") == (ended.returncode, ended.stderr)
    again = run_cli("keys", "rotate", ring, "--purpose", "state", "--domain", "stroke")
    assert (0, b"") == (again.returncode, again.stderr)


def test_a_ring_of_public_parts_is_not_changed(run_cli, ring, tmp_path):
    """It is a copy: a new secret in it would be in no adapter's ring."""
    public = tmp_path / "public.json"
    assert 0 == run_cli("keys", "public", ring, "--out", public).returncode
    before = public.read_bytes()
    for words in (
        ("rotate", public, "--purpose", "audit", "--domain", "stroke"),
        ("destroy", public, "stroke-audit-1", "--yes", "--force"),
    ):
        ended = run_cli("keys", *words)
        assert (2, True) == (ended.returncode, b"has public parts only" in ended.stderr)
    assert before == public.read_bytes()


@pytest.mark.parametrize("raw", [b"[" * 200_000, b"\xff", b'{"v":1,"keys":[],"note":"x"}'])
def test_what_is_no_ring_is_refused(run_cli, tmp_path, raw):
    """Also JSON that is nested too deeply to be read, and a field that no ring has."""
    file = tmp_path / "ring.json"
    file.write_bytes(raw)
    file.chmod(0o600)
    ended = run_cli("keys", "show", file)
    assert 2 == ended.returncode
    assert ended.stderr.startswith(f"error: {file}: ".encode())
    assert 1 == ended.stderr.count(b"\n")
