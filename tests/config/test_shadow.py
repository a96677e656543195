"""Settings of the shadow ruleset: what cannot be meant is refused."""

from __future__ import annotations

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError


@pytest.mark.parametrize(
    ("shadow", "problem"),
    [
        ({"share": 0.5}, "nothing differs"),
        ({"share": 1.5, "profile": "safe-harbor"}, r"shadow\.share"),
        ({"recall": 0.9}, r"shadow\.recall"),
        ({"languages": []}, r"shadow\.languages"),
    ],
)
def test_what_cannot_be_meant_is_refused(shadow, problem):
    """A shadow that differs in nothing, a share above one, a recall that no model knows."""
    with pytest.raises(RuleError, match=problem):
        load_settings(shadow=shadow)


def test_paths_are_beside_the_file(tmp_path):
    """A relative folder is relative to the settings file, as everywhere."""
    file = tmp_path / "adapter.toml"
    file.write_text('[shadow]\nshare = 0.1\nfolder = "next"\nsite = ["ours.toml"]\n')
    shadow = load_settings(file).shadow
    assert (tmp_path / "next", (tmp_path / "ours.toml",)) == (shadow.folder, shadow.site)
