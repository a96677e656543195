"""What tasks are told: no secret, and nothing that Spark could not honour."""

from __future__ import annotations

import base64
import pickle
import re

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError, SparkError
from adapter.spark.job import job
from adapter.spark.tasks import Lanes
from adapter.spark.worker import _made
from tests.spark.feed import SECRET

KEY = {"id": "test", "value": base64.b64encode(SECRET).decode()}


def told(settings, **sections):
    """The settings with some sections replaced."""
    values = {name: getattr(settings, name) for name in ("keys", "rules", "known")}
    return load_settings(None, transport="files", **(values | sections))


def test_a_task_is_told_where_keys_are_and_not_what_they_are(settings):
    """Neither the pickled task nor its repr has a key's bytes or text."""
    pickled = pickle.dumps(Lanes(job(settings, "lane", "as-of")))
    for secret in (SECRET, base64.b64encode(SECRET), SECRET.hex().encode(), bytes(32)):
        assert secret not in pickled
    assert str(settings.keys.surrogates.file).encode() in pickled
    assert "surrogates" not in repr(Lanes(job(settings, "lane", "as-of")))


@pytest.mark.parametrize(
    ("sections", "place"),
    [
        ({"keys": {"surrogates": KEY}}, "keys.surrogates"),
        ({"keys": {"surrogates": {"id": "k", "env": "SECRET"}}}, "keys.surrogates"),
        ({"keys": {"surrogates": {"id": "k", "file": "k"}, "state": KEY}}, "keys.state"),
        (
            {"keys": {"surrogates": {"id": "k", "file": "k"}, "quarantine_old": [KEY]}},
            "keys.quarantine_old[0]",
        ),
        ({"keys": {}}, "keys.surrogates"),
        ({"escrow": {"enabled": True}}, "escrow.enabled"),
        ({"vault": {"url": "sqlite:codes.db"}}, "vault.url"),
        ({"registry": {"url": "http://registry"}}, "registry.url"),
        ({"known": {"scope": "domain"}}, "knowledge"),
    ],
)
def test_what_spark_may_not_carry_is_refused(sections, place, settings):
    """A key in the settings or a variable, a vault, an escrow: refused with the setting's name."""
    with pytest.raises(RuleError, match=re.escape(place)):
        job(told(settings, **sections), "lane", "as-of")


@pytest.mark.parametrize(
    ("partition", "knowledge"), [("row", "as-of"), ("lane", "all"), ("lane", "hindsight")]
)
def test_unknown_ways_are_refused(partition, knowledge, settings):
    """Partition and knowledge are of those that are documented."""
    with pytest.raises(RuleError):
        job(settings, partition, knowledge)


def test_a_worker_without_keys_says_a_code(settings):
    """A file that is not mounted is a code, whose text names no path."""
    lacking = told(settings, keys={"surrogates": {"id": "k", "file": "/nowhere/key"}})
    with pytest.raises(SparkError, match=r"^spark/no-ruleset$"):
        _made(job(lacking, "lane", "as-of"))


def test_tasks_have_the_settings_of_topics_and_envelopes(settings):
    """They are in the digest, and a task of other rules than the driver's ends the job."""
    own = told(settings, topic={"a": {"format": "fhir"}}, envelope={"kind": "cloudevents"})
    there = job(own, "lane", "as-of").loaded()
    assert (own.topic, own.envelope) == (there.topic, there.envelope)
