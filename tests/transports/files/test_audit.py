"""The file of audit records has whole lines only, whoever writes and whatever crashes."""

from __future__ import annotations

from adapter.sealing.chain import Signer
from adapter.sealing.verification import Verifier
from adapter.transports.files.audit import AuditFile, read_lines


def test_records_are_lines_and_none_is_lost(tmp_path):
    """Two writers of one file append after each other's lines."""
    path = tmp_path / "deep" / "audit.jsonl"
    first, second = AuditFile(path), AuditFile(path)
    first.open()
    second.open()
    first.write([b"1", b"2"])
    second.write([b"3"])
    first.write([b"4"])
    for file in (first, second):
        file.close()
    assert b"1\n2\n3\n4\n" == path.read_bytes()


def test_a_cut_line_is_taken_away(tmp_path):
    """A writer removes a line that a crash truncated, however long it is."""
    path = tmp_path / "audit.jsonl"
    for torn in (b'{"outc', b"x" * 200_000):
        path.write_bytes(b"1\n" + torn)
        file = AuditFile(path)
        file.open()
        file.write([b"2"])
        file.close()
        assert b"1\n2\n" == path.read_bytes()


def test_a_file_of_nothing_but_a_cut_line_begins_anew(tmp_path):
    """A file that contains only a truncated line is emptied before the first record."""
    path = tmp_path / "audit.jsonl"
    path.write_bytes(b'{"outc')
    file = AuditFile(path)
    file.open()
    file.write([b"1"])
    file.close()
    assert b"1\n" == path.read_bytes()


def test_without_a_file_nothing_is_written(tmp_path, monkeypatch):
    """Without a path, an audit file accepts records and writes nothing."""
    monkeypatch.chdir(tmp_path)
    file = AuditFile(None)
    file.open()
    file.write([b"1"])
    file.close()
    assert [] == list(tmp_path.iterdir())


SIGNER = Signer.of("a1", bytes(range(32)))


def said(*paths):
    """Return the problems found in files, and the number of records in each chain."""
    verifier = Verifier({"a1": SIGNER.public})
    for path in paths:
        for place, line in read_lines(path):
            verifier.add(place, line)
    chains = verifier.finish()
    return [str(problem) for problem in verifier.problems], [chain.head.number for chain in chains]


def test_writers_of_one_file_go_on_with_one_chain(tmp_path):
    """Alternating writers continue one chain, even after a line that a crash truncated."""
    path = tmp_path / "audit.jsonl"
    path.write_bytes(b'{"outcome":"held","time_ms":1}\n')
    first, second = AuditFile(path, SIGNER), AuditFile(path, SIGNER)
    first.open()
    second.open()
    first.write([b'{"n":1}', b'{"n":2}'])
    second.write([b'{"n":3}'])
    first.write([b'{"n":4}'])
    with path.open("ab") as stream:
        stream.write(b'{"n":5,"chain"')
    second.write([b'{"n":6}', b'{"n":7,"reason":"%s"}' % (b"x" * 100_000)])
    first.write([b'{"n":8}'])
    assert ([], [7]) == said(path)
    for file in (first, second):
        file.close()


def test_a_line_that_was_taken_away_shows(tmp_path):
    """Verification reports a line that was removed, although later writers continued the chain."""
    path = tmp_path / "audit.jsonl"
    for turn in range(3):
        file = AuditFile(path, SIGNER)
        file.open()
        file.write([b'{"n":%d}' % turn, b'{"n":0}'])
        file.close()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2] + lines[3:]))
    problems, _ = said(path)
    assert ["audit.jsonl:3: 1 record of its chain is missing before it"] == problems


def test_a_rotated_file_is_part_of_the_chain_only_with_the_file_before(tmp_path):
    """After a rotation the new file begins its own chain, and both chains are valid."""
    path = tmp_path / "audit.jsonl"
    for turn in range(2):
        file = AuditFile(path, SIGNER)
        file.open()
        file.write([b'{"n":1}', b'{"n":2}'])
        file.close()
        path.rename(tmp_path / f"audit.{turn}.jsonl")
    assert ([], [2, 2]) == said(tmp_path / "audit.0.jsonl", tmp_path / "audit.1.jsonl")
