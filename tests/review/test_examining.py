"""Messages as items go by the rules of their topic, and come out of its envelope."""

from __future__ import annotations

import gzip
import json

import pytest

from adapter.config.settings import load_settings
from adapter.pipeline.process import UNEXPECTED
from adapter.review.examining import contents
from adapter.review.feedback.effect import changed, lexicon_items, spans_of
from adapter.review.feedback.rendering import overlay
from adapter.review.judging.items import packed, unpacked
from adapter.review.judging.proposals import Effect, Proposal
from adapter.rules.compile import load_ruleset
from adapter.rules.folder import rules_folder
from tests.review.feedback.test_effect import KEY, RULES, message

MESSAGE = message("Seen with Mr Quillfeather in the morning.", 1)
FEED = "emr.public"
SETTINGS = load_settings(
    None,
    transport="memory",
    keys={"surrogates": KEY},
    rules=RULES,
    envelope={"gzip": True},
    topic={
        "emr.*": {
            "envelope": {"kind": "json", "payload": ["/before", "/after"]},
            "profile": "safe-harbor",
        }
    },
)


@pytest.fixture(scope="module")
def ruleset():
    """Rules whose records are compressed, and in one topic documents with two messages."""
    return load_ruleset(SETTINGS)


def names(found):
    """Phrases that were found in the free text of a message."""
    text = found.texts[found.free[0]]
    return [text.text[m.start : m.end] for m in text.marks]


@pytest.mark.parametrize(
    ("topic", "raw", "number"),
    [
        ("", gzip.compress(MESSAGE), 1),
        (FEED, json.dumps({"before": MESSAGE.decode(), "after": MESSAGE.decode()}).encode(), 2),
    ],
)
def test_a_message_is_read_out_of_its_envelope(ruleset, topic, raw, number):
    """As the adapter reads it: by the envelope in general, or by that of its topic."""
    found = list(contents(raw, ruleset, topic=topic))
    assert [("hl7v2", "", topic, MESSAGE)] * number == [
        (c.format, c.hold, c.topic, c.raw) for c in found
    ]
    assert "Quillfeather" in names(found[0])
    assert unpacked(packed(found[0])) == found[0]


def test_what_is_in_no_such_envelope_is_shown_as_it_stands(ruleset):
    """With the reason for which the adapter holds it."""
    (found,) = contents(MESSAGE, ruleset, topic=FEED)
    assert ((), True) == (found.free, found.hold.startswith("envelope/"))


def test_a_message_that_breaks_a_part_is_held(ruleset, monkeypatch):
    """Whatever fails, the message is shown as it stands, with the adapter's own reason."""

    def broken(*_):
        raise ZeroDivisionError("Quillfeather")

    monkeypatch.setattr("adapter.review.examining.examine", broken)
    (found,) = contents(gzip.compress(MESSAGE), ruleset)
    assert (found.hold, MESSAGE) == (f"{UNEXPECTED.stage}/{UNEXPECTED.code}", found.raw)


def test_a_preview_goes_by_the_rules_of_each_topic(ruleset):
    """A proposal changes the rules of all topics, and a message is read by those of its own."""
    term = Proposal(Effect.TERM, "en", "HOSPITAL", "in the morning", "term")
    folder = rules_folder(SETTINGS)
    after = changed(ruleset, folder, SETTINGS, overlay([term], lexicon_items(folder, ["en"])))
    for topic in ("", FEED):
        new = spans_of(MESSAGE, after, topic) - spans_of(MESSAGE, ruleset, topic)
        assert ["HOSPITAL"] == [label for *_, label in new]
    assert after.of(FEED).envelope == ruleset.of(FEED).envelope
