"""Rulesets: languages are compiled when they are needed, once."""

from __future__ import annotations

import pytest

from adapter.ruleset import Languages


@pytest.fixture
def compiled():
    """Languages that note when they are compiled: the languages and the notes."""
    asked: list[str] = []

    def compile_(code: str) -> str:
        asked.append(code)
        return f"language {code}"

    return Languages(("en", "es", "de"), compile_), asked


def test_first_language_is_compiled_at_once(compiled):
    """The language most texts are in is ready before the first message."""
    _, asked = compiled
    assert ["en"] == asked


def test_others_are_compiled_when_needed_and_once(compiled):
    """A language costs nothing before a text is in it, and nothing twice."""
    languages, asked = compiled
    assert ["en", "es", "de"] == list(languages)
    assert ["language es"] * 2 == [languages["es"], languages["es"]]
    assert ["en", "es"] == asked


def test_unknown_language_is_no_key(compiled):
    """Only configured languages are compiled."""
    languages, asked = compiled
    with pytest.raises(KeyError):
        languages["fr"]
    assert (3, ["en"]) == (len(languages), asked)
