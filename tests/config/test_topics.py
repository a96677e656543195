"""Settings of single topics: which hold for a name, and what is refused, by its key."""

from __future__ import annotations

import json

import pytest

from adapter.config.settings import load_settings
from adapter.config.topics import chosen
from adapter.errors import RuleError


def write(folder, text):
    """A settings file with ``text``."""
    file = folder / "adapter.toml"
    file.write_text(text)
    return file


def test_a_topics_settings_stand_over_the_general_ones(tmp_path):
    """What a topic says holds for it, the rest as it is for all; its envelope is one table."""
    file = write(
        tmp_path,
        """
[rules]
charset = "cp1250"
[envelope]
gzip = true
[topic."a.b"]
format = "fhir"
profile = "safe-harbor"
[topic.rows.envelope]
kind = "json"
payload = ["/m"]
""",
    )
    loaded = load_settings(file)
    own, rows = loaded.of_topic("a.b"), loaded.of_topic("rows")
    assert (("fhir",), "safe-harbor", "cp1250", True) == (
        own.rules.formats, own.rules.profile, own.rules.charset, own.envelope.gzip,
    )  # fmt: skip
    assert ("json", False) == (rows.envelope.kind, rows.envelope.gzip)
    assert loaded.rules.formats == rows.rules.formats
    assert {} == own.topic


def test_a_variable_gives_the_whole_table(monkeypatch):
    """Topics are one table of JSON in the environment."""
    monkeypatch.setenv("DEID_ADAPTER__TOPIC", json.dumps({"a.b": {"charset": "cp437"}}))
    assert "cp437" == load_settings().topic["a.b"].charset


@pytest.mark.parametrize(
    ("name", "key"),
    [("a.b", "a.b"), ("a.c", "a.*"), ("x/y.json", "*.json"), ("a.json", "a.*"), ("z", None)],
)
def test_the_own_name_goes_before_patterns_and_these_by_order(name, key):
    """A name is found before any pattern, and the first pattern before later ones."""
    assert key == chosen(("a.*", "*.json", "a.b"), name)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "[topic.x]\nprofil = 'research'",
            "topic.x.profil: no such setting; did you mean profile?",
        ),
        ("[topic.x]\nformat = 'hl7'", "topic.x.format: must be one of"),
        ("[topic.x]\ncharset = 'latin-99'", "topic.x.charset: is not a charset"),
        ("[topic.x]\nlanguages = ['de', 'de']", "topic.x.languages: names the same language twice"),
        ("[topic.x]\nlanguages = []", "topic.x.languages: must name at least one language"),
        ("[topic.x.envelope]\nkinds = 'json'", "topic.x.envelope.kinds: no such setting"),
        ("[topic.x.envelope]\nkind = 'jason'", "topic.x.envelope.kind: must be one of none, json"),
        ("[envelope]\nkind = 'json'", "envelope: kind json needs payload"),
        ("[envelope]\nkind = 'cloudevents'\npayload = ['/data']", "does not take payload"),
        ("[envelope]\nkeep = ['/a']", "envelope: keep needs an envelope"),
        (
            "[envelope]\nkind = 'json'\npayload = ['a']",
            "envelope.payload.0: must be a JSON pointer",
        ),
        (
            "[envelope]\nkind = 'json'\npayload = ['/a']\nkeep = ['/a/b']",
            "envelope: names a place inside another",
        ),
        (
            "[envelope]\nkind = 'json'\npayload = ['/a']\nkeep = ['/a']",
            "envelope: names the same place twice",
        ),
        *(
            (f"[envelope]\nkind = 'cloudevents'\nkeep = ['{place}']", told)
            for place, told in (
                ("/data", "envelope: names the same place twice"),
                ("/data_base64", "envelope: names the same place twice"),
                ("/data/x", "envelope: names a place inside another"),
            )
        ),
        ("[registry]\nurl = 'ftp://x'", "registry.url: "),
        ("[registry]\nurl = 'http://u:p@x'", "registry.url: "),
        ("[registry]\nusername = 'x'", "registry: set both username and password, or neither"),
        ("[kafka]\ntopics = ['a']\noutputs = {a = 'a'}", "kafka: an input topic is also an output"),
        (
            "[kafka]\ntopics = ['a']\noutputs = {a = 'a.quarantine'}",
            "kafka: an output has the name of a quarantine",
        ),
        *(
            (
                f"[kafka]\npattern = 'hl7.*'\noutputs = {{'hl7.a' = '{name}'}}",
                "kafka: an output has",
            )
            for name in ("hl7.b.quarantine", "hl7.b.escrow", "hl7.b.state", "deid.audit")
        ),
        ("[kafka]\noutputs = {adt = 'adt.state'}", "kafka: an output has the name"),
        *(
            (
                f"[registry]\nurl = '{url}'\n{said}",
                "registry: credentials are sent only to an https://",
            )
            for url in ("http://registry:8081", "http://10.0.0.7", "http://localhost.example")
            for said in ("token = 't'", "username = 'u'\npassword = 'p'")
        ),
        ("[kafka]\noutputs = {a = 'b/c'}", "kafka: outputs: a topic name may only have"),
    ],
)
def test_a_refusal_names_the_key(tmp_path, text, told):
    """What cannot be honoured is refused by its key, with what may have been meant."""
    with pytest.raises(RuleError) as refused:
        load_settings(write(tmp_path, text))
    assert told in str(refused.value)


@pytest.mark.parametrize(
    "url", ["https://x", "http://localhost:1", "http://127.0.0.9", "http://[::1]:8081/x"]
)
def test_credentials_may_go_to_this_machine_or_by_tls(url):
    """Where nobody on the way reads them."""
    assert url == load_settings(registry={"url": url, "token": "t"}).registry.url


def test_an_output_of_one_topic(tmp_path):
    """One input goes elsewhere, the others by the pattern."""
    kafka = load_settings(write(tmp_path, "[kafka]\noutputs = {'hl7.in' = 'research'}")).kafka
    assert ("research", "x.deid") == (kafka.released_to("hl7.in"), kafka.released_to("x"))
