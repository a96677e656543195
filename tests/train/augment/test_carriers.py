"""Made-up texts: mentions where the templates put PHI, none where they put none."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.evaluate.annotations import CATEGORY_OF
from adapter.train.augment.carriers import MIXTURE
from adapter.train.augment.notes import Tables, carried, inserted, made, screened
from adapter.train.augment.scene import Scene
from adapter.train.augment.templates import SLOT, chosen
from adapter.types import Label, Span

ROOT = Path(__file__).resolve().parents[3]
CARRIER = "The patient denies fever. She has a cough.\n\nThe patient will return if worse."


@cache
def english() -> Tables:
    """The English tables."""
    return Tables.load(ROOT / "rules", "en")


@settings(max_examples=80)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from(["feed", "plain", "query", "question"]))
def test_made_texts_are_filled_and_marked(seed, kind):
    """No mark of the template language is left, and mentions are disjoint extents with labels."""
    text = made(kind, seed, english())
    assert not re.search(r"[{}]|&[lg]t;|##", text.text)
    place = 0
    for mention in text.mentions:
        assert place <= mention.start < mention.end <= len(text.text)
        assert mention.type in CATEGORY_OF
        assert (
            text.text[mention.start : mention.end].strip() == text.text[mention.start : mention.end]
        )
        place = mention.end


@settings(max_examples=80)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from(["plain", "question"]))
def test_plain_texts_have_no_mentions(seed, kind):
    """Texts that stand for those without PHI have none."""
    assert () == made(kind, seed, english()).mentions


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6))
def test_inserted_keeps_the_words_of_the_carrier(seed):
    """What is put in stands beside the sentences; only "the patient" may be a name instead."""
    new = inserted(CARRIER, seed, english())
    low = new.text.lower()
    assert "denies fever." in low
    assert "she has a cough." in low
    assert "will return if worse." in low


def test_every_template_can_be_filled():
    """Each template of each kind has only slots that exist."""
    tables = english()
    rng = Random(5)
    for kind, templates in tables.templates.items():
        if kind in ("hospital", "organization", "street"):
            continue
        for template in templates:
            for _ in range(3):
                assert Scene(tables, rng).filled(template), template


def test_there_are_many_templates():
    """At least 150 templates ask for or avoid PHI, and none comes twice."""
    kinds = ("feed", "plain", "query", "question", "header", "signature", "insert")
    templates = [line for kind in kinds for line in english().templates[kind]]
    assert 150 <= len(templates)
    assert len(set(templates)) == len(templates)


def test_plain_templates_ask_for_no_phi():
    """No slot of a plain text or question, however deep, is one that gives PHI."""
    tables = english()

    def slots(kind: str, seen: set[str]) -> set[str]:
        for template in tables.templates[kind]:
            for name in SLOT.findall(template.replace("<", " ").replace(">", " ")):
                if name[0] not in "#@" and name not in seen:
                    seen.add(name)
                    slots(name, seen)
        return seen

    for kind in ("plain", "question"):
        assert slots(kind, set()) <= tables.templates.keys()


def test_carried_is_a_mixture_and_repeats_itself():
    """All kinds come, ids differ, and the same seed gives the same texts."""
    first = list(carried(200, 3, english(), [CARRIER]))
    assert first == list(carried(200, 3, english(), [CARRIER]))
    assert first != list(carried(200, 4, english(), [CARRIER]))
    assert set(MIXTURE) == {text.id.partition("#")[0] for text in first}
    assert 200 == len({text.id for text in first})


def test_without_carriers_the_other_kinds_come():
    """No text of carriers is made where there are none."""
    assert not [t for t in carried(100, 3, english()) if t.id.startswith("carrier")]


def test_screened_drops_what_may_be_phi():
    """Sentences with a finding, an unknown capital, a job or a year go; the others stay."""
    text = "No fever. Saw Zbigniew today. Is a plumber. Since 2015 ok. Cough is dry. He left."

    def find(where: str) -> list[Span]:
        at = where.find("left")
        return [Span(at, at + 4, Label.OTHER, "test")]

    (kept,) = screened([text], find, english())
    assert "No fever. Cough is dry." == re.sub(r"\s+", " ", kept)


def test_languages_without_templates_are_told():
    """Made-up texts are English; another language is refused by name."""
    with pytest.raises(RuleError, match="feed"):
        made("feed", 1, Tables.load(ROOT / "rules", "de"))


def test_choices_nest():
    """Inner choices are made before outer ones."""
    drawn = {chosen("<a|<b|c>d>&lt;", Random(seed)) for seed in range(40)}
    assert {"a<", "bd<", "cd<"} == drawn
