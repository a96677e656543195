"""What learned taggers find and are not sure of."""

from __future__ import annotations

from collections import Counter

import pytest

from adapter.resolve import Options, resolve
from adapter.resolve.alone import DOUBTED, RULE, without_unsure
from adapter.types import LEARNED_SOURCE, Label, Span

TEXT = "Lung bases clear, Bunny ears 12/56, see Adelman"


def learned(start, end, score, label=Label.PATIENT):
    """A mention that a model has found."""
    return Span(start, end, label, LEARNED_SOURCE, score, 75)


@pytest.mark.parametrize(
    ("scores", "left"), [((0.3, 0.4), 0), ((0.3, 0.6), 2), ((0.5,), 1), ((), 0)]
)
def test_a_text_needs_one_mention_that_is_likely(scores, left):
    """A likely one supports the others; none below the least score remains by itself."""
    counts = Counter()
    spans = [learned(5 * at, 5 * at + 3, score) for at, score in enumerate(scores)]
    assert len(without_unsure(TEXT, spans, (), (0.5, ()), counts)) == left
    assert counts[RULE] == len(spans) - left


def test_what_a_rule_or_field_finds_supports_what_is_learned():
    """With a trusted phrase in the text, an unlikely mention counts."""
    phrase = Span(0, 4, Label.PATIENT, "phrase", 1.0, 90)
    spans = (phrase, learned(40, 47, 0.3))
    found, counts = resolve([TEXT], [spans], Options(alone=0.5))
    assert len(found[0]) == 2
    assert RULE not in counts


def test_what_a_rule_finds_stays_where_a_learned_mention_took_its_place():
    """A rule's mention of lower priority makes an unlikely one over the same words certain."""
    rule = Span(40, 47, Label.DOCTOR, "names.titled", 1.0, 63)
    found, counts = resolve([TEXT], [[rule, learned(40, 47, 0.3)]], Options(alone=0.5))
    assert len(found[0]) == 1
    assert RULE not in counts


def test_every_text_is_judged_by_itself():
    """What another text has is no support; without a least score nothing is judged."""
    rows = [[learned(40, 47, 0.3)], [learned(0, 4, 0.9)]]
    found, counts = resolve([TEXT, TEXT], rows, Options(alone=0.5, reconcile=False))
    assert [len(row) for row in found] == [0, 1]
    assert counts == {RULE: 1}
    assert all(resolve([TEXT, TEXT], rows, Options(reconcile=False))[0])


def test_a_long_number_counts_by_itself():
    """Six digits may be somebody's number whatever the model's probability."""
    number, score = "see 4471-90 now", "see 12/56 now"
    assert without_unsure(number, [learned(4, 11, 0.3)], (), (0.5, ()), Counter())
    assert not without_unsure(score, [learned(4, 9, 0.3)], (), (0.5, ()), Counter())


LONG = "Okafor seen today. " + "No acute distress, lungs clear on both sides. " * 7 + "Bunny Okafor"


@pytest.mark.parametrize(
    ("text", "label", "left"),
    [
        (LONG, Label.CITY, 2),
        (LONG, Label.DOCTOR, 3),
        (LONG[:60] + LONG[-12:], Label.CITY, 3),
    ],
)
def test_unlikely_mentions_need_likely_ones_among_so_many_words(text, label, left):
    """One in 25 words supports the others; fewer support names and what is written like them."""
    bunny = text.index("Bunny")
    spans = [
        learned(0, 6, 0.9),
        learned(bunny, bunny + 5, 0.3, label),
        learned(bunny + 6, len(text), 0.3),
    ]
    assert len(without_unsure(text, spans, (), (0.5, ()), Counter())) == left


@pytest.mark.parametrize(
    ("mention", "label", "left"),
    [
        ("56", Label.AGE, 0),
        ("12/56", Label.DATE, 0),
        ("Bunny", Label.DATE, 1),
        ("12/56", Label.IDNUM, 1),
    ],
)
def test_doubted_labels_need_a_sure_mention_in_every_text(mention, label, left):
    """A model's unlikely age or day in numbers does not count, whatever else is sure."""
    text, start, counts = TEXT, TEXT.index(mention), Counter()
    spans = [learned(0, 4, 0.9), learned(start, start + len(mention), 0.3, label)]
    found = without_unsure(text, spans, (), (0.5, (Label.AGE, Label.DATE)), counts)
    assert len(found) == 1 + left
    assert counts == ({} if left else {DOUBTED: 1})


def test_a_doubted_mention_counts_where_a_rule_agrees():
    """A rule of lower priority makes an unlikely age certain."""
    rule = Span(29, 31, Label.AGE, "ages.years", 1.0, 60)
    spans = [learned(29, 31, 0.3, Label.AGE)]
    options = Options(alone=0.5, doubted=(Label.AGE,))
    assert len(resolve([TEXT], [[rule, *spans]], options)[0][0]) == 1
    assert not resolve([TEXT], [spans], options)[0][0]
