"""Words of whole names of staff that nobody is called."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapter.phrases.groups import gather
from adapter.phrases.written_forms import phrases_of, without_words
from adapter.types import Action, Handling, Label, TextSegment
from tests.wording import FIELDS, word_list

WORDS = replace(
    word_list(("window", "price", "downtime"), ("glucometer",)), names=frozenset({"price", "lee"})
)


def known(*pairs):
    """The texts that a message is searched for, given (part, text) of one member of staff."""
    segments = [TextSegment("/x", "X.x", "", text) for _, text in pairs]
    actions = [Action(Handling.SURROGATE, Label.DOCTOR, "staff", p, "segment") for p, _ in pairs]
    (group,) = gather(segments, actions, FIELDS)
    phrases = phrases_of("staff:1", "staff", tuple(group.values), WORDS)
    return {phrase.text for phrase in without_words(phrases, group, WORDS)}


@pytest.mark.parametrize(
    ("pairs", "in_it", "not_in_it"),
    [
        ([("full", "Downtime Window")], set(), {"Downtime", "Window", "Downtime Window"}),
        ([("full", "Glucometer, Zott")], {"Zott", "Glucometer, Zott"}, {"Glucometer"}),
        ([("full", "Price, Window")], {"Price", "Price, Window"}, {"Window"}),
        ([("full", "Zott Window")], {"Zott Window"}, set()),
        ([("full", "Dr. Window")], {"Window"}, set()),
        ([("full", "XQV, Zott")], {"Zott"}, {"XQV"}),
        ([("full", "LEE, Zott")], {"LEE", "Zott"}, set()),
        ([("full", "XQV, ZOTT")], {"XQV", "ZOTT"}, set()),
        ([("family", "Window"), ("given", "Ida")], {"Window", "Ida"}, set()),
    ],
)
def test_only_words_that_may_be_names_are_looked_for(pairs, in_it, not_in_it):
    """A name in a field of its own stays known, whatever it means."""
    found = known(*pairs)
    assert in_it <= found
    assert not not_in_it & found
