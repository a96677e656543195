"""A chain of audit records: numbered, bound to the record before, signed."""

from __future__ import annotations

import hashlib
import json

import pytest

from adapter.sealing.chain import Signer, read_link, resumed

SIGNER = Signer.of("a1", bytes(range(32)))
OTHER = Signer.of("a1", bytes(32))


def test_a_record_is_its_entry_and_its_place():
    """What the entry says stays, and the place comes behind it."""
    chain = SIGNER.begin("app-in-0")
    first, chain = chain.add(b'{"time_ms":5,"outcome":"held"}')
    second, chain = chain.add(b'{"time_ms":6}')
    fields = [json.loads(record) for record in (first, second)]
    assert ("held", 5, 1, "", "a1") == tuple(
        fields[0][name] for name in ("outcome", "time_ms", "number", "before", "key")
    )
    assert (2, hashlib.sha256(first).hexdigest()) == (fields[1]["number"], fields[1]["before"])
    assert chain.head.sha256 == hashlib.sha256(second).hexdigest()
    assert fields[0]["chain"] == fields[1]["chain"] == chain.name


def test_a_signature_is_of_one_key_and_these_bytes():
    """The public part checks it; any other byte or key does not."""
    record, _ = SIGNER.begin("c").add(b'{"time_ms":5}')
    link = read_link(record)
    assert link.is_signed_by(SIGNER.public)
    assert not link.is_signed_by(OTHER.public)
    assert not link.is_signed_by(b"short")
    changed = read_link(record.replace(b'"time_ms":5', b'"time_ms":6'))
    assert not changed.is_signed_by(SIGNER.public)


def test_a_signature_has_one_spelling():
    """The unused bits of its last character are not a way to change a record unseen."""
    record, _ = SIGNER.begin("c").add(b'{"time_ms":5}')
    last = record[-5:-4]
    (other,) = (c for c in b"AQgw" if bytes([c]) == last) if last in b"AQgw" else (0,)
    assert other, "64 bytes end in one of four characters"
    changed = record[:-5] + bytes([other + 1]) + record[-4:]
    assert not read_link(changed).is_signed_by(SIGNER.public)


def test_an_entry_cannot_pass_for_a_signature():
    """Text that looks like the end of a record is text."""
    hostile = json.dumps({"reason": '","signature":"' + "A" * 86 + '=="}', "chain": "x"})
    record, chain = SIGNER.begin("c").add(hostile.encode())
    link = read_link(record)
    assert (chain.name, 1) == (link.chain, link.head.number)
    assert link.is_signed_by(SIGNER.public)


def test_a_token_goes_on_where_the_chain_was():
    """It is short, of one line, and anything else is no token."""
    _, chain = SIGNER.begin("app-in-0").add(b'{"time_ms":5}')
    assert chain == SIGNER.resume(chain.token)
    assert (True, "") == (len(chain.token) < 4096, SIGNER.begin("x").token)
    for token in (
        "",
        "deid-audit-1 x 0 " + "0" * 64,
        chain.token + "\n",
        "somebody else's",
        "x" * 99,
    ):
        assert None is SIGNER.resume(token)


def test_a_record_goes_on_where_it_ends():
    """A file's last line is enough; a line that is in no chain is none."""
    record, chain = SIGNER.begin("file").add(b'{"time_ms":5}')
    assert chain == resumed(SIGNER, record)
    for line in (b"", b"{}", b"[" * 99_999, record[:-1], record + b" "):
        assert None is resumed(SIGNER, line)


@pytest.mark.parametrize("field", ["chain", "number", "before", "key"])
@pytest.mark.parametrize("value", [None, -1, True, [], 1.5])
def test_a_place_of_other_types_is_none(field, value):
    """A hostile record does not break its reader."""
    fields = {"chain": "c", "number": 1, "before": "", "key": "k"} | {field: value}
    signature = b',"signature":"' + b"A" * 86 + b'=="}'
    assert None is read_link(json.dumps(fields).encode()[:-1] + signature)


def test_two_chains_never_have_one_name():
    """What begins anew is not taken for the rest of another."""
    assert SIGNER.begin("file").name != SIGNER.begin("file").name


def test_the_key_is_in_no_repr():
    """Nothing secret is shown."""
    assert "key=" not in repr(SIGNER)
