"""A trained method in a folder."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.methods.model_folder import CARD, Kept, read, write

KEPT = Kept("crf", "es", 7, headers=True, files={"a.tsv": b"nombre", "b.bin": b"\x00\x01"})


def test_what_is_written_is_read(tmp_path):
    """A folder gives back the method, its language, seed and files."""
    write(tmp_path / "m", KEPT)
    assert KEPT == read(tmp_path / "m")


def test_files_are_their_owners_alone(tmp_path):
    """What was learned from patients' texts is readable by nobody else, even if it was before."""
    folder = tmp_path / "m"
    write(folder, KEPT)
    (folder / "a.tsv").chmod(0o644)
    write(folder, KEPT)
    assert {0o600} == {(folder / name).stat().st_mode & 0o777 for name in KEPT.files}
    assert 0o700 == folder.stat().st_mode & 0o777


@pytest.mark.parametrize("damage", ["nombres", None])
def test_a_changed_or_missing_file_is_refused(tmp_path, damage):
    """The card's digests hold for every file."""
    write(tmp_path / "m", KEPT)
    file = tmp_path / "m" / "a.tsv"
    file.unlink() if damage is None else file.write_text(damage)
    with pytest.raises(RuleError, match=r"m/a\.tsv"):
        read(tmp_path / "m")


@pytest.mark.parametrize("card", ["", "method = 1", 'method = "crf"', '[digest]\n"../x" = ""'])
def test_a_card_that_is_none_is_refused(tmp_path, card):
    """A card that lacks something, or names a file elsewhere, is a clear error."""
    (tmp_path / CARD).write_text(card)
    with pytest.raises(RuleError, match=r"method\.toml"):
        read(tmp_path)


def test_files_of_the_model_before_go(tmp_path):
    """What another method learned from texts does not stay beside the new model."""
    write(tmp_path / "m", KEPT)
    (tmp_path / "m" / "note.txt").write_text("ours")
    write(tmp_path / "m", Kept("linear-svc", "es", 7, headers=True, files={"c.bin": b"\x02"}))
    assert {CARD, "c.bin", "note.txt"} == {file.name for file in (tmp_path / "m").iterdir()}
