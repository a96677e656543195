"""What kind of folder it is, its manifest says."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.mart.loading.folder import FolderSource
from adapter.mart.loading.folders import Opened, source_of
from adapter.mart.loading.replayed import ReplayedSource

OPENED = Opened(lambda _: (), tuple, 5)


def test_the_manifest_says_what_a_folder_is(tmp_path):
    """Outputs of `file` and of a replay each have their own reader."""
    for name, kind in (("manifest.jsonl", FolderSource), ("manifest.json", ReplayedSource)):
        (tmp_path / name).touch()
        assert isinstance(source_of(tmp_path, None, OPENED), kind)
        (tmp_path / name).unlink()


def test_a_folder_without_its_manifest_is_refused(tmp_path):
    """Without one, or with two, nobody can tell what the folder is."""
    with pytest.raises(RuleError, match=r"has neither manifest\.jsonl nor manifest\.json"):
        source_of(tmp_path, None, OPENED)
    (tmp_path / "manifest.jsonl").touch()
    (tmp_path / "manifest.json").touch()
    with pytest.raises(RuleError, match="has two manifests"):
        source_of(tmp_path, None, OPENED)
