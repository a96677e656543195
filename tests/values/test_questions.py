"""Questions in words, from the texts and codes beside a value."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from adapter.values.questions import LONGEST, compile_questions

QUESTIONS = compile_questions({"codes": {"First name": "45392-8 1-8"}})


def test_a_code_stands_for_its_question():
    """Each code of a list asks the same; the same question counts once."""
    assert QUESTIONS.of(["45392-8", "First name", "1-8", ""]) == ("First name",)


def test_codes_without_words_ask_nothing():
    """A number, a code of a letter and a number, and a long text are no question."""
    assert QUESTIONS.of(["718-7", "Q17", "word " * LONGEST]) == ()


@example("AA_")
@given(st.text(max_size=100))
def test_questions_are_plain(text):
    """A question has no line of marks before or behind it, and none is longer than its text."""
    for question in QUESTIONS.of([text]):
        assert question == question.strip(" \t\n?:=#*-.")
        assert len(question) <= 2 * len(text)
