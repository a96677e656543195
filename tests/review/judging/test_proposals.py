"""Decisions become proposals: what each reason asks for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapter.review.judging.actions import Action, Kind, folded, initial
from adapter.review.judging.items import Content, Mark, ReviewText
from adapter.review.judging.proposals import Effect, Proposal, proposals
from adapter.review.judging.reasons import WORDINGS, Addition, Rejection, preset

TEXT = "Glasgow coma scale 15, seen by Anna Muster. Study QX-4711."
MARKS = (
    Mark(0, 7, "CITY", "crf", 0.6),
    Mark(31, 35, "DOCTOR", "field", 0.9),
    Mark(36, 42, "DOCTOR", "phrase"),
)
CONTENT = Content(
    "hl7v2", "ORU^R01", "en", (ReviewText("p", "OBX-5", "scan", TEXT, "en", MARKS),), b"x"
)


def made(*actions):
    """What is proposed after some actions."""
    return list(proposals(CONTENT, folded(CONTENT, initial(CONTENT), actions)))


def test_an_ambiguous_word_is_vetoed_beside_its_neighbour():
    """Glasgow is no town before coma."""
    (proposal,) = made(Action(Kind.REJECT, span=0, reason="ambiguous"))
    assert (Effect.VETO, "CITY", "Glasgow", "coma") == (
        proposal.effect, proposal.label, proposal.phrase, proposal.behind
    )  # fmt: skip


@pytest.mark.parametrize(
    ("reason", "effect"), [("induction", Effect.REMOVE), ("field", Effect.DISTRUST)]
)
def test_each_rejection_asks_for_its_change(reason, effect):
    """A term leaves its lexicon, a field's value is trusted no more."""
    (proposal,) = made(Action(Kind.REJECT, span=2, reason=reason))
    assert (effect, "Muster", reason) == (proposal.effect, proposal.phrase, proposal.why)


def test_advice_about_a_field_is_of_its_place():
    """The officer decides about the field; the value is not in the proposal."""
    (proposal,) = made(Action(Kind.REJECT, span=1, reason="advice"))
    assert (Effect.FIELD, "OBX-5", "") == (proposal.effect, proposal.element, proposal.phrase)


def test_a_wrong_label_asks_for_a_correction():
    """With the label that the reader gave."""
    (proposal,) = made(Action(Kind.RELABEL, span=0, label="HOSPITAL"))
    assert (Effect.CORRECT, "HOSPITAL") == (proposal.effect, proposal.label)


def test_additions_ask_for_terms_and_forms():
    """A form of letters alone would be every word: it is a term."""
    study = Action(Kind.ADD, text=0, start=50, end=57, label="IDNUM", reason="form")
    word = Action(Kind.ADD, text=0, start=44, end=49, label="OTHER", reason="form")
    assert [Effect.PATTERN, Effect.TERM] == [p.effect for p in made(study, word)]


def test_a_form_that_tells_nothing_asks_for_nothing():
    """Two digits are an age, and everything else."""
    assert [] == made(Action(Kind.ADD, text=0, start=19, end=21, label="AGE", reason="form"))


def test_accepted_and_open_spans_ask_for_nothing():
    """Only what was rejected, changed or added has something to teach."""
    assert [] == made(Action(Kind.ACCEPT, span=0))


def test_what_asks_for_the_same_has_one_key():
    """Case does not matter, context does."""
    one = Proposal(Effect.VETO, "en", "CITY", "Glasgow", behind="coma")
    assert one.key == Proposal(Effect.VETO, "en", "CITY", "GLASGOW", behind="coma").key
    assert one.key != Proposal(Effect.VETO, "en", "CITY", "Glasgow", behind="scale").key
    assert Proposal.unpacked(one.packed()) == one
    assert "Glasgow" not in repr(one)


def test_every_reason_is_put_into_words():
    """Six to reject, four to add, each with name and meaning."""
    assert {*Rejection, *Addition} == set(WORDINGS)
    assert ["induction", "ambiguous", "advice"] == list(Rejection)[:3]


def test_the_source_suggests_the_reason():
    """A lexicon's term, a field's value, a word misread."""
    assert [Rejection.INDUCTION, Rejection.FIELD, Rejection.AMBIGUOUS] == [
        preset(source) for source in ("lexicons.city", "phrase", "crf")
    ]


def test_without_a_language_there_is_no_rule():
    """What is decided about a text of unknown language is an example; a field has none anyway."""
    texts = tuple(replace(text, language="") for text in CONTENT.texts)
    unknown = replace(CONTENT, language="", texts=texts)
    rejected = [
        Action(Kind.REJECT, span=0, reason="ambiguous"),
        Action(Kind.REJECT, span=1, reason="advice"),
        Action(Kind.REJECT, span=2, reason="advice"),
    ]
    state = folded(unknown, initial(unknown), rejected)
    assert [Effect.FIELD] == [made.effect for made in proposals(unknown, state)]
