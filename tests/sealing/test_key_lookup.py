"""Which key of the settings or the ring is used for what."""

from __future__ import annotations

import base64

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.sealing.box import Box, SealError
from adapter.sealing.chain import Signer
from adapter.sealing.key_lookup import (
    audit_publics,
    audit_signer,
    escrow_key,
    sealing,
    shared_secrets,
    surrogates_key,
    with_surrogates_key,
)
from adapter.sealing.keyring import Ring, new_entry, write_ring
from adapter.sealing.quarantine import Held, Sealer
from adapter.types import Position, Record

OWN = {"id": "own", "value": base64.b64encode(bytes(32)).decode()}
PURPOSES = (
    "surrogates",
    "surrogates",
    "quarantine",
    "quarantine",
    "state",
    "escrow",
    "audit",
    "audit",
)


@pytest.fixture
def ring(tmp_path):
    """A ring of the project "stroke" with retired keys of surrogates and quarantine."""
    ring = Ring()
    for purpose in PURPOSES:
        ring = ring.add(new_entry(ring, purpose, "stroke", "2026-01-02"))
    write_ring(tmp_path / "ring.json", ring)
    return ring


@pytest.fixture
def settings(tmp_path, ring):  # noqa: ARG001 - the file must be there
    """Makes settings with that ring and whatever else is said of keys."""

    def made(**keys):
        return load_settings(keys={"ring": tmp_path / "ring.json", "domain": "stroke"} | keys)

    return made


def test_surrogates_are_drawn_with_the_active_key(settings, ring):
    """The newest key of the domain is the one, unless a retired one is asked for by id."""
    first, second = ring.of("surrogates", "stroke")
    assert (second.id, second.secret) == surrogates_key(settings())
    assert (first.id, first.secret) == surrogates_key(settings(surrogates_id=first.id))


def test_a_key_that_was_read_stays_whatever_happens_to_its_file(settings, ring, tmp_path):
    """Settings with the key inside give it when the ring has another, or is gone."""
    first = surrogates_key(settings())
    kept = with_surrogates_key(settings())
    write_ring(
        tmp_path / "ring.json", ring.add(new_entry(ring, "surrogates", "stroke", "2026-02-03"))
    )
    assert first != surrogates_key(settings())
    (tmp_path / "ring.json").unlink()
    assert first == surrogates_key(kept)
    assert base64.b64encode(first[1]).decode() not in repr(kept)


@pytest.mark.parametrize("purpose", ["quarantine", "state", "audit", "review"])
def test_one_secret_for_two_purposes_is_found(settings, purpose):
    """Every key that is named counts, that of the audit too."""
    both = settings(surrogates=OWN, **{purpose: OWN})
    assert [("keys.surrogates", f"keys.{purpose}")] == shared_secrets(both)


def test_a_key_of_the_settings_wins(settings, ring):
    """It draws or seals; what the ring's sealed before still opens."""
    assert ("own", bytes(32)) == surrogates_key(settings(surrogates=OWN))
    box = sealing(settings(state=OWN), "state", Box)
    before = Box("stroke-state-1", {"stroke-state-1": ring.find("stroke-state-1").secret})
    assert ("own", b"x") == (box.key_id, box.open(before.seal(b"x")))


def test_a_retired_key_opens_what_it_sealed(tmp_path, settings, ring):
    """Held messages of before a rotation open, until their key is destroyed."""
    first, second = ring.of("quarantine", "stroke")
    record = Record(b"x", Position("in", 0, 1))
    envelope = Sealer(first.id, {first.id: first.secret}).seal(
        record, Held("leak", "pattern", "in", 0, 1, 5)
    )
    sealer = sealing(settings(), "quarantine", Sealer)
    assert (second.id, record) == (sealer.key_id, sealer.open(envelope)[1])
    write_ring(tmp_path / "ring.json", ring.destroy(first.id))
    with pytest.raises(SealError, match=f"key {first.id} was destroyed"):
        sealing(settings(), "quarantine", Sealer).open(envelope)


def test_the_escrow_key_is_its_public_part(settings, ring):
    """Nothing that opens is given to who seals."""
    entry = ring.active("escrow", "stroke")
    assert (entry.id, entry.public) == escrow_key(settings())


def test_another_project_has_no_key_of_this_one(settings):
    """Keys of the ring are those of the domain alone."""
    assert sealing(settings(domain="cancer"), "quarantine", Sealer) is None
    with pytest.raises(RuleError, match=r"keys\.ring: the ring has no such surrogates key"):
        surrogates_key(settings(domain="cancer"))


def test_without_ring_and_key_there_is_nothing_to_seal_with():
    """None where a seal may be left out; surrogates must have a key."""
    assert sealing(load_settings(), "state", Box) is None
    with pytest.raises(RuleError, match=r"keys\.surrogates: is not set"):
        surrogates_key(load_settings())


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ("stroke-quarantine-1", "no such surrogates key"),
        ("nobody", "no such surrogates key"),
        ("x", "no such surrogates key"),
    ],
)
def test_only_a_key_of_surrogates_draws_them(settings, chosen, why):
    """An id of another purpose, or of none, is refused."""
    with pytest.raises(RuleError, match=rf"keys\.surrogates_id: .*{why}"):
        surrogates_key(settings(surrogates_id=chosen))


def test_a_destroyed_key_draws_nothing(tmp_path, settings, ring):
    """To draw with what was destroyed is refused by name."""
    write_ring(tmp_path / "ring.json", ring.destroy("stroke-surrogates-1"))
    with pytest.raises(RuleError, match="stroke-surrogates-1 was destroyed"):
        surrogates_key(settings(surrogates_id="stroke-surrogates-1"))


def test_one_id_names_one_key(settings):
    """A key of the settings under an id of the ring is refused: nobody could tell which sealed."""
    with pytest.raises(RuleError, match="key stroke-state-1 is in the ring too"):
        sealing(settings(state=OWN | {"id": "stroke-state-1"}), "state", Box)


def test_the_active_audit_key_signs_and_all_of_them_check(settings, ring):
    """A key that the settings name signs in its place; earlier ones still check."""
    ids = {f"stroke-audit-{n}": ring.find(f"stroke-audit-{n}").public for n in (1, 2)}
    assert ("stroke-audit-2", ids) == (audit_signer(settings()).key_id, audit_publics(settings()))
    named = settings(audit=OWN, audit_old=(OWN | {"id": "older"},))
    public = Signer.of("own", bytes(32)).public
    assert "own" == audit_signer(named).key_id
    assert ids | {"own": public, "older": public} == audit_publics(named)


def test_a_public_part_checks_and_does_not_sign(tmp_path, settings, ring):
    """Who has an auditor's ring is told that it cannot write."""
    write_ring(tmp_path / "ring.json", ring.public("audit"))
    assert 2 == len(audit_publics(settings()))
    with pytest.raises(RuleError, match="has only the public part of stroke-audit-2"):
        audit_signer(settings())
    assert None is audit_signer(load_settings())
