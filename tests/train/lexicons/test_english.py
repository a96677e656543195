"""Building of English lexicons, and sealing of the folders of every language."""

from __future__ import annotations

import shutil
import tomllib
from hashlib import sha256

import pytest

from adapter.rules.folder import shipped
from adapter.train.lexicons.english import seal

FOLDERS = sorted(path.parent for path in shipped("rules").glob("*/*/source.toml"))
ITEMS = b"haus\t2\n"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_sealing_again_changes_nothing(folder, tmp_path):
    """Every shipped folder is sealed, and its source stands as sealing writes it."""
    for name in ("items.txt", "source.toml"):
        shutil.copy(folder / name, tmp_path)
    seal(tmp_path)
    assert (folder / "source.toml").read_bytes() == (tmp_path / "source.toml").read_bytes()


@pytest.mark.parametrize(
    "source",
    [
        'what = "x"\n',
        'digest = "sha256:00"\nwhat = "x"\n',
        'what = """x\ndigest = 1"""\n',
        'what = "x"\norigin = ["a", "b"]\n',
    ],
)
def test_sealing_changes_the_digest_only(source, tmp_path):
    """What else a source says is as it was; the digest is that of the items."""
    (tmp_path / "source.toml").write_text(source, "utf-8")
    (tmp_path / "items.txt").write_bytes(ITEMS)
    seal(tmp_path)
    said = tomllib.loads((tmp_path / "source.toml").read_text("utf-8"))
    digest = f"sha256:{sha256(ITEMS).hexdigest()}"
    assert {**tomllib.loads(source), "digest": digest} == said
