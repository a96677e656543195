"""Rules and two chains: which rules are used, what they do to learned mentions, and the steps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapter.errors import RuleError
from adapter.evaluate.annotations import Annotated, Mention
from adapter.methods.crf.hybrid import FILE, CrfHybrid
from adapter.methods.prediction import spans_in
from adapter.types import Label

NAMES = ("Duarte", "Keller", "Nowak", "Prins")


def marked(number, text, **values):
    """A text with the places of values marked by type."""
    places = [(text.index(value), value, kind) for kind, value in values.items()]
    mentions = [Mention(start, start + len(value), kind) for start, value, kind in places]
    return Annotated(f"n{number}", text, "en", tuple(sorted(mentions, key=lambda m: m.start)))


def texts():
    """Letters with a doctor and a telephone; e-mail addresses are marked without what is before @.

    So that rules for telephones are precise here, and those for e-mail are not.
    """
    found = []
    for number in range(12):
        name = NAMES[number % 4]
        phone = f"(555) 2{number:02}-{number + 4000}"
        text = f"Seen by Dr. {name} today.\nTelephone: {phone}\nMail: desk{number}@clinic.org\n"
        found.append(marked(number, text, DOCTOR=name, PHONE=phone, URL="clinic.org"))
    return found


@pytest.fixture(scope="module")
def learned(english):
    """What is learned from the letters."""
    return CrfHybrid().learn(texts(), english)


def test_rules_are_used_where_they_are_precise(learned):
    """Rules whose types the corpus marks otherwise are left to the chains."""
    assert Label.PHONE in learned.types
    assert not learned.types & {Label.EMAIL, Label.URL}


def test_rules_win_over_learned_mentions(learned, english):
    """A number that rules know has their type and extent, whatever the chains say of it."""
    text = "Seen by Dr. Keller today.\nFax: (555) 299-4999\nMail: desk1@clinic.org\n"
    found = {text[s.start : s.end]: s.label for s in spans_in(text, {}, learned, english)}
    assert found["(555) 299-4999"] is Label.FAX
    assert found["Keller"] is Label.DOCTOR


def test_steps_end_with_what_is_learned(learned, english):
    """The last step is the whole method; adaptation is a step where there are other texts."""
    steps = dict(CrfHybrid().steps(texts(), english))
    assert list(steps) == [
        "one CRF",
        "two CRFs",
        "+ rules",
        "+ correction",
        "+ reconciliation",
    ]
    assert steps["+ reconciliation"].files() == learned.files()
    wider = replace(english, elsewhere=texts())
    assert "+ EasyAdapt" in dict(CrfHybrid().steps(texts(), wider))


def test_what_a_context_makes_certain_is_found_elsewhere(learned, english):
    """A name behind a title is certain: reconciliation finds it where the chains missed it."""
    text = "Seen by Dr. Keller today.\nWell.\nKeller\n"
    alone = replace(learned, reconcile=False)
    found = [len(spans_in(text, {}, one, english)) for one in (alone, learned)]
    assert found == [1, 2]


def test_a_list_that_is_none_of_types_is_refused(learned, english):
    """The list of types must be one of ours."""
    for broken in (b"[1", b'["TOWN"]', b"3"):
        with pytest.raises(RuleError, match="not a list of types"):
            CrfHybrid().read({**learned.files(), FILE: broken}, english)
