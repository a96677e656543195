"""The tables of a method's steps."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.evaluate.annotations import Annotated, Mention
from adapter.evaluate.evaluation import evaluate
from tests.evaluation.steps import CATEGORIES, HEAD, by_category, found_by_step, line

TEXT = "Ana Duarte came on 03/04/2024."
NAME, DATE = Mention(0, 10, "PATIENT"), Mention(19, 29, "DATE")


def pairs(*found, count=12):
    """Return notes with a marked name and date, and the mentions found."""
    return [(Annotated(f"n{n}", TEXT, "en", (NAME, DATE)), found) for n in range(count)]


def test_a_row_says_how_a_step_differs_from_the_one_before():
    """A name found in each of twelve notes is significant; the first row has no tests."""
    one, two = pairs(DATE), pairs(NAME, DATE)
    first = line("rules", one, evaluate(one), None).split(" | ")
    second = line("+ names", two, evaluate(two), one).split(" | ")
    assert len(first) == len(second) == HEAD.splitlines()[0].count("|") - 1
    assert first[1:4] == ["1.0000", "0.5000", "0.6667"]
    assert second[1:4] == ["1.0000", "1.0000", "1.0000"]
    assert set(first[11:]) <= {"", " |"}
    recall, strict, tokens, chance = second[11:]
    assert max(float(recall), float(strict)) < 0.01
    assert tokens == "0, 24"
    assert chance.startswith("0.0000")


def test_categories_without_mentions_are_empty():
    """F2 by category, in the order of the head."""
    row = dict(zip(CATEGORIES, by_category(evaluate(pairs(DATE))), strict=True))
    assert (row["NAME"], row["DATE"], row["AGE"]) == ("0.000", "1.000", "")


def test_a_method_without_steps_is_named():
    """A method without several steps is refused by name."""
    with pytest.raises(RuleError, match="has no steps"):
        found_by_step("identifier-rules", "grascco", 1)
