"""Settings: one file, variables over it, and refusals that name the key and never the secret."""

from __future__ import annotations

import base64

import pytest

from adapter.codecs import CODECS
from adapter.config.settings import load_settings
from adapter.errors import RuleError


def write(folder, text):
    """A settings file with ``text``."""
    file = folder / "adapter.toml"
    file.write_text(text)
    return file


def test_defaults_need_no_file():
    """Without a file every setting has its default."""
    assert "exactly-once" == load_settings().kafka.guarantee


def test_a_variable_wins_over_the_file(tmp_path, monkeypatch):
    """An environment variable overrides one key and leaves its neighbours."""
    file = write(tmp_path, '[kafka]\nbootstrap_servers = "a:1"\napp = "site"\n')
    monkeypatch.setenv("DEID_ADAPTER__KAFKA__BOOTSTRAP_SERVERS", "b:2")
    settings = load_settings(file)
    assert ("b:2", "site") == (settings.kafka.bootstrap_servers, settings.kafka.consumer_group)


def test_the_file_wins_over_a_programs_own_values(tmp_path):
    """Values a command passes are defaults for what the file does not say."""
    file = write(tmp_path, '[files]\noutput = "there"\n')
    settings = load_settings(file, files={"output": "here", "inputs": ("in",)})
    assert ("there", ("in",)) == (settings.files.output, settings.files.inputs)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[kafka]\ntopic = 'x'", "kafka.topic"),
        ("[kafka]\ntopics = ['x/y']", "kafka"),
        ("[kafka]\ntopics = ['x.deid', 'x']", "kafka"),
        ("[kafka]\noutput = '{topic}.out'\nquarantine = '{topic}.out'", "kafka"),
        ("[kafka]\npattern = 'hl7.('", "kafka"),
        ("[kafka]\ntopics = ['x']\npattern = 'y'", "kafka"),
        ("[kafka.security]\nprotocol = 'SASL_SSL'", "kafka.security"),
        ("[workers]\ntimeout_ms = 'soon'", "workers.timeout_ms"),
        ("[keys.surrogates]\nid = 'a'", "keys.surrogates"),
        ("nonsense = 1", "nonsense"),
    ],
)
def test_a_refusal_names_the_file_and_the_key(tmp_path, text, key):
    """What cannot be honoured is refused by its key."""
    file = write(tmp_path, text)
    with pytest.raises(RuleError) as refused:
        load_settings(file)
    assert f"{file}: {key}" == refused.value.place


def test_a_misspelt_variable_is_refused(monkeypatch):
    """A variable that names no setting refuses to start."""
    monkeypatch.setenv("DEID_ADAPTER__KAFKA__BOOTSTRAP", "x")
    with pytest.raises(RuleError, match="BOOTSTRAP"):
        load_settings()


def test_keys_lie_beside_the_file(tmp_path):
    """A key file's relative path is relative to the settings file."""
    (tmp_path / "s.key").write_bytes(base64.b64encode(bytes(range(32))) + b"\n")
    (tmp_path / "s.key").chmod(0o600)
    file = write(tmp_path, '[keys.surrogates]\nid = "k1"\nfile = "s.key"\n')
    assert bytes(range(32)) == load_settings(file).keys.surrogates.read()


def test_a_key_from_a_variable(monkeypatch):
    """A key may come from a variable that the settings name."""
    monkeypatch.setenv("SITE_KEY", base64.b64encode(bytes(32)).decode())
    settings = load_settings(keys={"quarantine": {"id": "q", "env": "SITE_KEY"}})
    assert bytes(32) == settings.keys.quarantine.read()


@pytest.mark.parametrize("value", ["not base64!", base64.b64encode(b"short").decode()])
def test_a_bad_key_is_refused_without_being_shown(value):
    """A key that is no 32 bytes of base64 is refused, and the message does not repeat it."""
    settings = load_settings(keys={"quarantine": {"id": "q", "value": value}})
    with pytest.raises(RuleError) as refused:
        settings.keys.quarantine.read()
    assert (False, False) == (value in str(refused.value), value in repr(settings))


def test_a_bad_value_is_not_repeated(tmp_path):
    """A refusal never shows what stood at the key: it may be a secret."""
    file = write(tmp_path, '[keys.surrogates]\nid = "a"\nvalue = ["hunter2secret"]\n')
    with pytest.raises(RuleError) as refused:
        load_settings(file)
    assert "hunter2secret" not in str(refused.value)


def test_formats_are_those_that_have_a_codec():
    """Every codec's format may be met; another is refused with the names there are."""
    assert tuple(CODECS) == load_settings(rules={"formats": [*CODECS]}).rules.formats
    with pytest.raises(RuleError, match=r"rules\.formats\.1: must be one of hl7v2, fhir, text"):
        load_settings(rules={"formats": ["text", "pigeon"]})


def test_an_unknown_charset_is_refused():
    """A charset that cannot be honoured stops the start, by its key."""
    with pytest.raises(RuleError, match=r"rules\.charset"):
        load_settings(None, rules={"charset": "klingon"})


def test_a_recall_no_model_has_a_threshold_for_is_refused():
    """Recall is one of three; the refusal names them."""
    with pytest.raises(RuleError, match=r"rules\.recall.*must be one of 0\.95, 0\.98, 0\.99"):
        load_settings(None, rules={"recall": 0.9})


def test_a_language_named_twice_is_refused():
    """Each language has one place in the order."""
    with pytest.raises(RuleError, match=r"rules\.languages.*names the same language twice"):
        load_settings(None, rules={"languages": ("en", "es", "en")})
