"""What the command line says wins over the settings file and over variables."""

from __future__ import annotations

import base64

from adapter.cli.setup import settings


def test_options_win_over_the_file(tmp_path, key):
    """--profile and --key are what is used, whatever the settings file names."""
    file = tmp_path / "adapter.toml"
    secret = base64.b64encode(bytes(32)).decode()
    file.write_text(
        'transport = "kafka"\n[rules]\nprofile = "research"\n'
        f'[keys.surrogates]\nid = "other"\nvalue = "{secret}"\n'
    )
    loaded = settings(file, key, "safe-harbor")
    assert ("safe-harbor", key.stem) == (loaded.rules.profile, loaded.keys.surrogates.id)
    assert bytes(range(32)) == loaded.keys.surrogates.read()


def test_options_win_over_variables(monkeypatch):
    """--profile is what is used, whatever a variable says."""
    monkeypatch.setenv("DEID_ADAPTER__RULES__PROFILE", "research")
    assert "safe-harbor" == settings(None, profile="safe-harbor").rules.profile
