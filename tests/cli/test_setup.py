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


def test_recall_is_an_option_over_the_file(tmp_path, key):
    """--recall is what is used; the profile of the file stays."""
    file = tmp_path / "adapter.toml"
    file.write_text('[rules]\nprofile = "safe-harbor"\nrecall = 0.95\n')
    loaded = settings(file, key, recall=0.99)
    assert ("safe-harbor", 0.99) == (loaded.rules.profile, loaded.rules.recall)


def test_what_is_said_of_the_rules_is_joined(key):
    """Formats and profile may both be said."""
    loaded = settings(None, key, "safe-harbor", {"rules": {"formats": ["fhir"]}}, recall=0.95)
    assert ("safe-harbor", ("fhir",), 0.95) == (
        loaded.rules.profile,
        loaded.rules.formats,
        loaded.rules.recall,
    )
