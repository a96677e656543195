"""What chains learn from texts and from those of other domains, and what of them is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapter.errors import RuleError
from adapter.evaluate.annotations import Annotated, Mention
from adapter.methods.crf import chains
from adapter.methods.crf.chains import FILE, Plan
from adapter.taggers.document.document import read
from adapter.train.fitting import DOMAIN
from adapter.train.recipe import ChainPlan
from adapter.types import Label

TOWNS = ("Norwich", "Ipswich", "Swansea", "Preston")


def note(number, kind="CITY"):
    """A sentence with a town and a year."""
    town = TOWNS[number % len(TOWNS)]
    text = f"She moved to {town} in 2014.\n"
    year = text.index("2014")
    mentions = (Mention(13, 13 + len(town), kind), Mention(year, year + 4, "DATE"))
    return Annotated(f"t{number}", text, "en", mentions)


def report(number):
    """A sentence of news with a town, whose dates would be unmarked."""
    town = TOWNS[number % len(TOWNS)]
    mention = Mention(13, 13 + len(town), "LOCATION")
    text = f"She moved to {town} by train.\n"
    return Annotated(f"n{number}", text, "en", (mention,), unlabelled=frozenset({"DATE"}))


def found(learned, text, english):
    """What chains find in a text: (words, label)."""
    document = read(text, "en", english.language.sections)
    return [(text[span.start : span.end], span.label) for span in learned.find(document)]


def test_chains_find_what_they_were_taught(english):
    """A town and a year in a known context are found, by one chain or by two."""
    texts = [note(number) for number in range(20)]
    two = (ChainPlan("names", frozenset({"CITY"})), ChainPlan("quantities"))
    for plan in (Plan(), Plan(two)):
        learned = chains.learn(plan, texts, english)
        assert sorted(found(learned, "She moved to Swansea in 2011.\n", english)) == [
            ("2011", Label.DATE),
            ("Swansea", Label.CITY),
        ]


def test_texts_of_other_domains_teach_only_with_adaptation(english):
    """A type without texts of its own is learned from elsewhere; bare categories are read."""
    elsewhere = [report(number) for number in range(20)]
    own = [
        Annotated(str(number), "Seen in 2014, well.\n", "en", (Mention(8, 12, "DATE"),))
        for number in range(20)
    ]
    wider = replace(english, elsewhere=elsewhere)
    text = "She moved to Swansea by train.\n"
    assert found(chains.learn(Plan(), own, wider), text, english) == []
    adapted = chains.learn(Plan(adapt=True), own, wider)
    assert found(adapted, text, english) == [("Swansea", Label.CITY)]
    attributes = adapted.tagger._model.chains.attributes
    assert not any(DOMAIN in name for name in attributes)


def test_types_left_out_are_outside(english):
    """A type that a plan leaves out is not learned."""
    texts = [note(number) for number in range(20)]
    learned = chains.learn(Plan(without=("CITY",)), texts, english)
    assert found(learned, texts[0].text, english) == [("2014", Label.DATE)]


def test_texts_without_mentions_are_an_error(english):
    """There is nothing to learn from no texts, nor from texts without mentions."""
    for texts in ([], [Annotated("a", "No complaints today.\n", "en", ())]):
        with pytest.raises(RuleError, match="no mentions"):
            chains.learn(Plan(), texts, english)


def test_types_outside_the_scheme_are_refused(english):
    """Texts whose types are none of ours are a clear error."""
    with pytest.raises(RuleError, match="unknown label TOWN"):
        chains.learn(Plan(), [note(number, "TOWN") for number in range(3)], english)


def test_what_is_kept_is_read_again(english):
    """Chains are read from their file; other files are a clear error."""
    kept = chains.learn(Plan(), [note(number) for number in range(20)], english).files()
    assert chains.read(Plan(), kept, english).files() == kept
    for files in ({}, {FILE: b"x"}):
        with pytest.raises(RuleError, match="weights of chains"):
            chains.read(Plan(), files, english)
