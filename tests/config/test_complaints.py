"""What is said of settings that cannot be used."""

from __future__ import annotations

import json

import pytest

from adapter.audit import configure_logs
from adapter.config.settings import load_settings
from adapter.errors import RuleError

LETTERS = "a topic name may only have letters, digits, '.', '_' and '-'"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[kafka]\ntopic = "x"\n', "kafka.topic: no such setting; did you mean topics?"),
        ("[kafak]\nx = 1\n", "kafak: no such setting; did you mean kafka?"),
        ("[kafka.security]\nprotcol = 1\n",
         "kafka.security.protcol: no such setting; did you mean protocol?"),
        ("[kafka]\nzzz = 1\n", "kafka.zzz: no such setting"),
        ('[kafka]\ntopics = "hl7"\n', "kafka.topics: must be a list"),
        ("kafka = 1\n", "kafka: must be a table"),
        ('[workers]\nprocesses = "Quillfeather"\n', "workers.processes: must be a whole number"),
        ("[escrow]\nenabled = 5\n", "escrow.enabled: must be true or false"),
        ("[rules]\ntaggers = []\n", "rules.taggers: must not be empty"),
        ("[workers]\nprocesses = -1\n", "workers.processes: must be at least 0"),
        ("[health]\nport = 99999\n", "health.port: must be at most 65535"),
        ("[workers]\ndrain_seconds = 0\n", "workers.drain_seconds: must be greater than 0.0"),
        ('[known]\nscope = "x"\n', "known.scope: must be 'partition' or 'domain'"),
        ('[kafka]\napp = "a b"\n', "kafka.app: must match the pattern ^[A-Za-z0-9._-]{1,100}$"),
        ('[kafka]\nbootstrap_servers = "h:notaport"\n',
         "kafka.bootstrap_servers: must be HOST:PORT, or several separated by commas"),
        ('[kafka]\nbootstrap_servers = ""\n',
         "kafka.bootstrap_servers: must be HOST:PORT, or several separated by commas"),
        ('[kafka]\ntopics = ["a", "a"]\n', "kafka: topics: the same topic is listed twice"),
        ('[kafka]\ntopics = ["a/b"]\n', "kafka: topics: " + LETTERS),
        ('[kafka]\nescrow = "{topic} x"\n', "kafka: escrow: " + LETTERS),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_the_words_of_toml(tmp_path, text, told):
    """The key, what its value must be, and for a misspelt key the one that was meant."""
    file = tmp_path / "adapter.toml"
    file.write_text(text)
    with pytest.raises(RuleError) as caught:
        load_settings(file)
    assert f"{file}: {told}" == str(caught.value)


def test_a_misspelt_variable_is_told_what_was_meant(monkeypatch):
    """As a key of the file is."""
    monkeypatch.setenv("DEID_ADAPTER__KAFKA__TOPIX", "[]")
    with pytest.raises(RuleError, match=r"TOPIX: no such setting \(topix\); did you mean topics\?"):
        load_settings()


def test_a_wrong_value_is_located_where_it_is_set(tmp_path, monkeypatch):
    """A variable is named, also one with a whole table, and the file if the value is there."""
    file = tmp_path / "adapter.toml"
    file.write_text("[workers]\nprocesses = 1\ntimeout_ms = 1\n")
    with pytest.raises(RuleError, match=r"adapter.toml: workers.timeout_ms: must be at least 10$"):
        load_settings(file)
    monkeypatch.setenv("DEID_ADAPTER__WORKERS__PROCESSES", "many")
    with pytest.raises(RuleError, match=r"^variable DEID_ADAPTER__WORKERS__PROCESSES: workers.pro"):
        load_settings(file)
    file.write_text("")
    monkeypatch.setenv("DEID_ADAPTER__KAFKA", '{"topics": 1}')
    monkeypatch.delenv("DEID_ADAPTER__WORKERS__PROCESSES")
    with pytest.raises(RuleError, match=r"^variable DEID_ADAPTER__KAFKA: kafka.topics: must be a"):
        load_settings(file)
    with pytest.raises(RuleError, match=r"^kafka.app: must be text"):
        load_settings(file, said={"kafka": {"app": 5}})


@pytest.mark.parametrize(
    ("name", "value"), [("RULES__LANGUAGES", "en,es"), ("KAFKA", "x"), ("KAFKA__TOPICS", "[a")]
)
def test_a_variable_that_is_not_json_is_named(monkeypatch, name, value):
    """Lists and tables are given as JSON; the value is not repeated."""
    monkeypatch.setenv("DEID_ADAPTER__LOG__LEVEL", "info")
    monkeypatch.setenv(f"DEID_ADAPTER__{name}", value)
    with pytest.raises(RuleError) as caught:
        load_settings()
    assert f"variable DEID_ADAPTER__{name}: is a table or list, and not valid JSON" == str(
        caught.value
    )


def test_a_variable_with_too_few_underscores_is_named(monkeypatch, capsys):
    """It is ignored with a warning; those that Kubernetes sets for a service are not ours."""
    configure_logs("warning")
    for name in ("DEID_ADAPTER_FILES", "DEID_ADAPTER_LOG__LEVEL", "DEID_ADAPTER_SERVICE_HOST"):
        monkeypatch.setenv(name, "x")
    load_settings()
    lines = capsys.readouterr().err.splitlines()
    assert ["DEID_ADAPTER_FILES", "DEID_ADAPTER_LOG__LEVEL"] == sorted(
        json.loads(line)["place"] for line in lines
    )


def test_a_byte_order_mark_is_not_part_of_the_settings(tmp_path):
    """Some editors write one."""
    file = tmp_path / "adapter.toml"
    file.write_bytes(b'\xef\xbb\xbftransport = "files"\n')
    assert "files" == load_settings(file).transport


@pytest.mark.parametrize(
    "servers", ["a", "a:9092", "a:9092, b_c.d:1", "127.0.0.1:65535", "[::1]:9092", "[fe80::1]"]
)
def test_addresses_of_brokers(servers):
    """Names and addresses, with or without a port."""
    assert servers == load_settings(kafka={"bootstrap_servers": servers}).kafka.bootstrap_servers
