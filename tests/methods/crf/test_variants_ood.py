"""Header phrases, misspellings and news: what each step adds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.evaluate.annotations import Annotated, Mention
from adapter.methods.crf.variants_ood import FILE, LINES, VariantsOod, _header_end, _nearest
from adapter.methods.prediction import spans_in
from adapter.methods.resources import resources_of

TOWNS = ("Norwich", "Ipswich", "Swansea", "Preston")
HEADER = "Name: Anna Zellweger\nSeen for cough.\n"


def report(number):
    """A sentence of news, with an organisation that is not to be learned."""
    town = TOWNS[number % len(TOWNS)]
    text = f"The company Amtrex moved to {town} by train.\n"
    start = text.index(town)
    mentions = (
        Mention(12, 18, "ORGANIZATION"),
        Mention(start, start + len(town), "LOCATION"),
    )
    return Annotated(f"n{number}", text, "en", mentions, unlabelled=frozenset({"DATE"}))


def resources_with(*, news=True, headers=False):
    """English rules, and news."""
    elsewhere = [report(number) for number in range(20)] if news else ()
    return resources_of("en", headers=headers, elsewhere=elsewhere)


@pytest.fixture(scope="module")
def resources():
    """English rules and news."""
    return resources_with()


@pytest.fixture(scope="module")
def steps(resources):
    """Each step by its name."""
    return dict(VariantsOod().steps([], resources))


def found(text, step, resources, meta=None):
    """The words of what a step finds."""
    return {text[span.start : span.end] for span in spans_in(text, meta or {}, step, resources)}


def test_steps_are_those_of_the_paper(steps):
    """Rules, header phrases, misspellings, other domains."""
    assert list(steps) == ["rules", "+ header phrases", "+ variants", "+ other domains"]


def test_a_name_of_the_first_lines_is_found_wherever_it_stands(steps, resources):
    """Header phrases find a name that no context introduces; rules alone do not."""
    text = f"{HEADER}The brace that zellweger wears is worn.\n"
    assert "zellweger" not in found(text, steps["rules"], resources)
    assert "zellweger" in found(text, steps["+ header phrases"], resources)


def test_misspellings_of_header_words_are_found(steps, resources):
    """A word within a third of a name's letters is one; common words of the language are not."""
    text = f"{HEADER}The brace that zelweger wears is worn.\n"
    assert "zelweger" not in found(text, steps["+ header phrases"], resources)
    assert "zelweger" in found(text, steps["+ variants"], resources)


def test_structured_fields_take_the_place_of_the_header():
    """Where fields are trusted, their names and the misspellings of these are found."""
    resources = resources_with(news=False, headers=True)
    learned = VariantsOod().learn([], resources)
    text = "The brace that zelweger wears is worn.\n"
    assert found(text, learned, resources, {"patient_family": "Zellweger"}) == {"zelweger"}
    assert found(text, learned, resources) == set()


def test_news_add_places_and_no_organisations(steps, resources):
    """The last step finds what news teach; organisations are left out."""
    text = "The company Amtrex moved to Vrosham by train.\n"
    before = found(text, steps["+ variants"], resources)
    assert found(text, steps["+ other domains"], resources) == before | {"Vrosham"}


def test_what_is_kept_says_whether_news_were_learned(steps, resources):
    """Models with news and without are read as what they were; other files are a clear error."""
    for name in ("+ variants", "+ other domains"):
        kept = steps[name].files()
        assert VariantsOod().read(kept, resources).files() == kept
    for files in ({}, {FILE: b"[]"}, {FILE: b"{"}, {FILE: b'{"news": true}'}):
        with pytest.raises(RuleError):
            VariantsOod().read(files, resources)


def test_texts_of_the_domain_teach_nothing(resources):
    """The same is learned whatever texts are given."""
    one, two = (VariantsOod().learn(texts, resources) for texts in ([], [report(1)]))
    assert one.files() == two.files()


@given(st.text("abcdef", min_size=4, max_size=9), st.integers(0, 8))
@settings(max_examples=50, deadline=None)
def test_one_letter_more_is_a_misspelling(word, place):
    """A word with one more letter is near; one that shares no letter is not."""
    longer = word[:place] + "x" + word[place:]
    assert _nearest(longer, [word, "uvwyz"]) == word
    assert _nearest("u" * len(word), [word]) is None


@given(st.lists(st.text("ab \t", max_size=4), max_size=2 * LINES))
def test_the_header_ends_with_a_line(lines):
    """It has at most `LINES` lines with words, and all of them in a shorter text."""
    text = "".join(f"{line}\n" for line in lines)
    end = _header_end(text)
    worded = [line for line in text[:end].splitlines() if line.strip()]
    assert worded == [line for line in lines if line.strip()][:LINES]
