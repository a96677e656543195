"""Examples: rows and labels as the tagger will see them, doubtful segments left out."""

from __future__ import annotations

from dataclasses import replace

from adapter.evaluate.annotations import Annotated
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.trusted.mentions import PhraseTagger
from adapter.train.examples import Example, Reader
from adapter.train.recipe import ChainPlan
from adapter.types import Label, Span
from tests.train.training_runs import PLAN, featurizer, language, note, recipe


class Finding:
    """A tagger that finds one word."""

    trusting = False

    def __init__(self, word, label, priority=70):
        self.word, self.label, self.priority = word, label, priority

    def tag(self, document, phrases):
        """The first place of the word."""
        del phrases
        start = document.text.find(self.word)
        if start >= 0:
            yield Span(start, start + len(self.word), self.label, "test", priority=self.priority)


def sequences(text, *taggers, plan=PLAN, **more):
    """The segments of a text, as lists."""
    reader = Reader(recipe(**more), language(taggers=taggers), featurizer())
    return list(reader.sequences(Example(text, plan)))


def test_stretches_have_a_label_for_each_row():
    """Lines are segments; each has rows and as many labels."""
    found = sequences(note(1))
    assert 3 == len(found)
    for rows, labels in found:
        assert {"all"} == set(labels)
        assert len(rows) == len(labels["all"])
    assert ["O", "O", "B-PATIENT", "O"] == found[0][1]["all"]


def test_each_chain_has_its_labels():
    """A chain sees mentions of its labels only."""
    chains = (ChainPlan("names", frozenset({"PATIENT", "DOCTOR"})), ChainPlan("rest"))
    found = sequences(note(1), chains=chains)
    assert {"O", "B-DOCTOR"} == set(found[1][1]["names"])
    assert {"O", "B-DATE", "I-DATE"} == set(found[1][1]["rest"])


def test_a_type_may_be_left_out_or_renamed():
    """A plan's types go before the corpus's."""
    plan = replace(PLAN, types={"PATIENT": "", "DOCTOR": "USERNAME"})
    found = sequences(note(1), plan=plan)
    assert {"O"} == set(found[0][1]["all"])
    assert "B-USERNAME" in found[1][1]["all"]


def test_what_a_rule_finds_is_a_feature():
    """Rows have what taggers say."""
    rows, _ = sequences(note(1), Finding("Patient", Label.CITY))[0]
    assert any(feature == "r7=CITY:B" for feature in rows[0])


def test_a_header_is_trusted_where_it_is_asked_for():
    """A structured field is a trusted phrase for an example that trusts it, else nothing."""
    text = replace(note(1), meta={"patient_family": "Marchetti"})
    phrases = PhraseTagger(Resources("en", (), {}, SectionRules({})))
    reader = Reader(recipe(), language(taggers=(phrases,)), featurizer())
    assert [Label.PATIENT] == [s.label for s in reader.found(Example(text, PLAN, trusting=True))]
    assert [] == reader.found(Example(text, PLAN))


def _unlabelled(kind):
    text = note(1)
    return replace(
        text,
        mentions=tuple(m for m in text.mentions if m.type != "DATE"),
        unlabelled=frozenset({kind}),
    )


def test_stretches_with_unlabelled_mentions_are_left_out():
    """Where a rule is sure of a type the corpus leaves unlabelled, nothing is learned."""
    text = _unlabelled("DATE")
    word = note(1).text[slice(*(note(1).mentions[2].start, note(1).mentions[2].end))]
    assert 3 == len(sequences(text))
    assert 2 == len(sequences(text, Finding(word, Label.DATE)))
    assert 3 == len(sequences(text, Finding(word, Label.DATE, priority=50)))
    assert 3 == len(sequences(text, Finding(word, Label.CITY)))
    but_one = replace(text, unlabelled=frozenset({"everything but PROFESSION"}))
    assert 2 == len(sequences(but_one, Finding(word, Label.DATE)))
    assert 3 == len(sequences(but_one, Finding(word, Label.PROFESSION)))


def test_annotated_mentions_are_no_doubt():
    """A mention that is annotated under whatever type is learned from."""
    text = replace(note(1), unlabelled=frozenset({"DATE"}))
    word = text.text[text.mentions[2].start : text.mentions[2].end]
    assert 3 == len(sequences(text, Finding(word, Label.DATE)))


def test_a_text_of_blanks_teaches_nothing():
    """A text without tokens has no segments."""
    for text in ("", " \n "):
        assert [] == sequences(Annotated("x", text, "en", ()))
