"""Evidence: what rules and trusted phrases say of a token, here and elsewhere in the text."""

from __future__ import annotations

from adapter.taggers.crf.features import GROUPS
from adapter.taggers.crf.rule_features import recalled, rule_features
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.types import Label, Span, Veto
from tests.taggers.texts import document

TEXT = "Ana Okafor slept. Okafor and okafor ate; Bo left."
UNITS = sequence_tokens(document(TEXT))


def said(*found, groups=GROUPS):
    """The features of each token that has some, by its form."""
    return [
        (f, a) for f, a in zip(UNITS.forms, rule_features(UNITS, found, groups), strict=True) if a
    ]


def span(part, label=Label.PATIENT, priority=70, source="rule.x"):
    """A span over the first place of a part of the text."""
    start = TEXT.index(part)
    return Span(start, start + len(part), label, source, priority=priority)


def test_a_rule_says_its_label_strength_and_name():
    """First tokens and later ones are told apart."""
    (_, ana), (_, okafor), *_ = said(span("Ana Okafor"), groups=("rules",))
    assert ["r7=PATIENT:B", "rs=rule.x:B"] == ana
    assert ["r7=PATIENT:I", "rs=rule.x:I"] == okafor


def test_a_trusted_phrase_says_its_label():
    """Whatever rule found it."""
    assert [("Ana", ["t=PATIENT:B"])] == said(span("Ana", priority=100), groups=("trusted",))


def test_a_veto_says_its_family():
    """Its name up to the first dot."""
    veto = Veto(0, 3, "eponym.x")
    assert [("Ana", ["v=eponym"])] == said(veto, groups=("rules",))


def test_the_same_word_elsewhere_is_told():
    """What is certain of a word is remembered wherever it stands, what is guessed apart."""
    certain = dict(enumerate(said(span("Okafor"), groups=("rules", "memory"))))
    assert ["Okafor", "Okafor", "okafor"] == [form for form, _ in certain.values()]
    assert all("m=PATIENT" in features for _, features in certain.values())
    guessed = said(span("Okafor", priority=50), groups=("rules", "memory"))
    assert all("n=PATIENT" in features and "m=PATIENT" not in features for _, features in guessed)


def test_short_words_are_not_remembered():
    """Two letters prove nothing elsewhere, nor do marks."""
    found = said(span("Bo"), span(";"), groups=("rules", "memory"))
    assert not [
        a for form, features in found if form in ("Bo", ";") for a in features if a[0] == "m"
    ]


def test_a_capital_of_a_word_that_is_lower_elsewhere():
    """A name is rarely in lower case too."""
    found = dict(said(groups=("memory",)))
    assert {"Okafor": ["low"]} == found


def test_groups_that_are_off_say_nothing():
    """Neither rules nor phrases, nor what they would be remembered for."""
    found = [span("Ana"), span("Okafor", priority=100), Veto(0, 3, "x")]
    assert [] == said(*found, groups=())
    assert all(
        "=" not in feature
        for _, features in said(*found, groups=("memory",))
        for feature in features
    )


def test_vouched_words_are_recalled_elsewhere():
    """Where they stand again, whatever their case, and beside it; not in the mention itself."""
    features = recalled(UNITS, [(0, 10, "PATIENT")])
    assert {UNITS.forms[place]: said for place, said in features.items()} == {
        ".": ["+1y=PATIENT"], "Okafor": ["y=PATIENT"], "and": ["-1y=PATIENT", "+1y=PATIENT"],
        "okafor": ["y=PATIENT"], "ate": ["-1y=PATIENT"],
    }  # fmt: skip


def test_nothing_is_recalled_of_short_words_and_numbers():
    """Nor of words that stand nowhere else."""
    start = TEXT.index("Bo")
    assert {} == recalled(UNITS, [(start, start + 2, "PATIENT"), (0, 3, "PATIENT")])
