"""The demo's console deletes nothing that is not the demo's."""

from __future__ import annotations

import pytest

from adapter.cli.demo.review import _emptied
from adapter.errors import RuleError

pytestmark = pytest.mark.every_language


def test_a_folder_that_no_demo_made_is_left_alone(tmp_path):
    """What lies in it stays; an empty one, and one of an earlier demo, are made anew."""
    folder = tmp_path / "review"
    folder.mkdir()
    (folder / "precious.txt").write_text("x", "utf-8")
    with pytest.raises(RuleError, match="not made by a demo"):
        _emptied(folder)
    assert (folder / "precious.txt").is_file()
    (folder / "precious.txt").unlink()
    _emptied(folder)
    (folder / "review.sqlite").write_text("x", "utf-8")
    _emptied(folder)
    assert not (folder / "review.sqlite").exists()
