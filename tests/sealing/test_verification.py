"""Laws of the audit's verification: whatever is done before the last record of a chain shows."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.sealing.chain import Head, Signer
from adapter.sealing.verification import Place, Verifier

SIGNER = Signer.of("a1", bytes(range(32)))
UNCHAINED = b'{"time_ms":1}'
PUBLICS = {"a1": SIGNER.public}


def written(lengths):
    """Records of chains of these lengths, interleaved as their writers came to write."""
    chains = [SIGNER.begin(f"lane-{n}") for n in range(len(lengths))]
    records = []
    for turn in range(max(lengths)):
        for at, length in enumerate(lengths):
            if turn < length:
                record, chains[at] = chains[at].add(b'{"time_ms":%d}' % turn)
                records.append(record)
    return records, chains


def checked(*streams, **options):
    """What verification says of streams of records."""
    verifier = Verifier(PUBLICS, **options)
    for number, records in enumerate(streams):
        for at, record in enumerate(records):
            verifier.add(Place(f"s{number}", at), record)
    chains = verifier.finish()
    return [str(problem) for problem in verifier.problems], chains


lengths = st.lists(st.integers(2, 6), min_size=1, max_size=3)


@given(lengths=lengths)
def test_what_nobody_touched_is_sound(lengths):
    """Interleaved chains are told apart; each has its head."""
    records, chains = written(lengths)
    problems, found = checked(records)
    assert [] == problems
    assert {(c.name, c.head) for c in chains} == {(c.name, c.head) for c in found}


@given(lengths=lengths, data=st.data())
def test_a_record_that_was_removed_is_found(lengths, data):
    """Any but the last of its chain; the place is where the next one lies."""
    records, _ = written(lengths)
    last = {json.loads(record)["chain"]: record for record in records}
    gone = data.draw(st.sampled_from([r for r in records if r not in last.values()]))
    problems, _ = checked([record for record in records if record != gone])
    assert 1 == len(problems)
    assert problems[0].endswith("1 record of its chain is missing before it")


@given(lengths=lengths, data=st.data())
def test_a_byte_that_was_changed_is_found(lengths, data):
    """Whichever of whichever record, the last one too; nothing else is blamed for it."""
    records, _ = written(lengths)
    at = data.draw(st.integers(0, len(records) - 1))
    byte = data.draw(st.integers(0, len(records[at]) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda value: value != records[at][byte]))
    changed = records[at][:byte] + bytes([other]) + records[at][byte + 1 :]
    problems, _ = checked([*records[:at], changed, *records[at + 1 :]])
    assert problems


@given(lengths=lengths, data=st.data())
def test_records_that_were_swapped_are_found(lengths, data):
    """Two of one chain in each other's place."""
    records, _ = written(lengths)
    one = data.draw(st.integers(0, len(records) - 1))
    chain = json.loads(records[one])["chain"]
    same = [at for at, r in enumerate(records) if json.loads(r)["chain"] == chain and at != one]
    two = data.draw(st.sampled_from(same))
    swapped = list(records)
    swapped[one], swapped[two] = records[two], records[one]
    assert checked(swapped)[0]


@given(lengths=lengths, data=st.data())
def test_a_record_that_is_here_twice_is_found(lengths, data):
    """A copy anywhere is one too many."""
    records, _ = written(lengths)
    copy = data.draw(st.sampled_from(records))
    at = data.draw(st.integers(0, len(records)))
    assert checked([*records[:at], copy, *records[at:]])[0]


@given(lengths=lengths, cut=st.integers(1, 5))
def test_the_end_is_found_missing_against_a_head_noted_elsewhere(lengths, cut):
    """Inside the records nothing shows it; a head of then does, while it is not reached."""
    records, chains = written(lengths)
    expected = {chain.name: chain.head for chain in chains}
    left = records[: max(0, len(records) - cut)]
    assert [] == checked(left)[0]
    problems, _ = checked(left, expected=expected)
    gone = {json.loads(record)["chain"] for record in records[len(left) :]}
    assert len(gone) == len(problems)
    assert [] == checked(records, expected=expected)[0]


def test_a_chain_that_went_on_still_has_its_earlier_head():
    """An anchor is a record of the chain, not its end; one that differs is told."""
    records, (chain,) = written([3])
    _, (early,) = checked(records[:2])
    assert [] == checked(records, expected={chain.name: early.head})[0]
    (problem,) = checked(records, expected={chain.name: Head(2, "0" * 64)})[0]
    assert "s0:1: is not the record that the expected head names" == problem


@given(length=st.integers(2, 6), data=st.data())
def test_a_chain_may_lie_in_several_streams(length, data):
    """Files are rotated, and a topic may get more partitions: the order within each counts."""
    records, _ = written([length])
    cut = data.draw(st.integers(1, length - 1))
    for streams in ((records[:cut], records[cut:]), (records[cut:], records[:cut])):
        assert [] == checked(*streams)[0]


def test_a_beginning_may_be_gone_by_retention_only_if_that_is_said():
    """Otherwise somebody took it away."""
    records, _ = written([5])
    (problem,) = checked(records[2:])[0]
    assert "s0:0: 2 records of its chain are missing before it" == problem
    assert [] == checked(records[2:], pruned=True)[0]
    assert checked([records[2], records[4]], pruned=True)[0]


def test_who_has_no_key_cannot_write_or_mend():
    """A forged record, and one of another key of the same id, are found; each place is told."""
    records, (chain,) = written([4])
    forger = Signer.of("a1", bytes(32))
    forged, _ = forger.resume(chain.token).add(b'{"time_ms":9}')
    (problem,) = checked([*records, forged])[0]
    assert "s0:4: was changed: its signature is wrong" == problem
    mended, _ = forger.begin("x").add(records[1])
    assert checked([records[0], mended, *records[2:]])[0]


def test_records_outside_chains_are_told_behind_the_first_inside():
    """Records from before there was a key are counted; later ones were written by somebody else."""
    records, _ = written([2])
    verifier = Verifier(PUBLICS)
    for at, record in enumerate([UNCHAINED, *records, UNCHAINED, b"\xff"]):
        verifier.add(Place("f", at), record)
    verifier.finish()
    assert (1, ["f:3", "f:4"]) == (
        verifier.before_chains,
        [str(problem.place) for problem in verifier.problems],
    )


def test_a_key_that_is_not_here_is_told_once():
    """Its records cannot be checked, and that is said."""
    records, _ = written([3])
    verifier = Verifier({"other": SIGNER.public})
    for at, record in enumerate(records):
        verifier.add(Place("f", at), record)
    verifier.finish()
    assert ["f:0: and possibly others are signed with a key that is not given"] == [
        str(problem) for problem in verifier.problems
    ]


@pytest.mark.parametrize("keys", [("a1", "a2"), ("a2", "a1")])
def test_a_new_key_goes_on_with_the_chain(keys):
    """Rotation does not break a chain; both public parts check it."""
    signers = {name: Signer.of(name, bytes([n] * 32)) for n, name in enumerate(keys)}
    record, chain = signers[keys[0]].begin("c").add(b'{"time_ms":5}')
    again, _ = signers[keys[1]].resume(chain.token).add(b'{"time_ms":5}')
    verifier = Verifier({name: signer.public for name, signer in signers.items()})
    verifier.add(Place("f", 0), record)
    verifier.add(Place("f", 1), again)
    (found,) = verifier.finish()
    assert ([], 2) == (verifier.problems, found.head.number)
