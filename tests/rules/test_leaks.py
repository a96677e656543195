"""Patterns of what is never released are rules with their own tests."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from adapter.errors import RuleError
from adapter.fields import Rules
from adapter.rules.folder import Folder
from adapter.rules.leaks import leak_failures, leak_patterns

SHIPPED = Folder(Path(__file__).resolve().parent.parent.parent / "rules").rules("leaks/*.toml")


def rules(text):
    """A file of the format."""
    return [Rules("leaks/own.toml", text, tomllib.loads(text))]


def test_shipped_patterns_pass_their_tests():
    """Each shipped pattern compiles, and finds what its tests say."""
    assert leak_patterns(SHIPPED)
    assert [] == list(leak_failures(SHIPPED))


def test_a_test_that_fails_names_its_file():
    """A text that is not found, or found though it is clean, is a failure."""
    own = rules(
        'format = "leaks"\n[[pattern]]\nname = "a"\nregex = "a+"\n'
        '[[tests]]\nfound = ["b"]\nclean = ["a"]\n'
    )
    assert ["leaks/own.toml: 'b' is not found", "leaks/own.toml: 'a' is found"] == [
        f"{name}: {problem}" for name, problem in leak_failures(own)
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("format = 'leaks'", "no patterns"),
        ("format = 'units'", 'must have format = "leaks"'),
        ("format = 'leaks'\nother = 1", 'must have format = "leaks"'),
        ("format = 'leaks'\npattern = [{ name = 'a' }]", "a name and a regex"),
        ("format = 'leaks'\npattern = [{ name = 'a', regex = '(' }]", "a does not compile"),
        ("format = 'leaks'\npattern = [{ name = 'a', regex = 1 }]", "a does not compile"),
    ],
)
def test_malformed_files_are_refused(text, problem):
    """A ruleset without patterns, or with a wrong one, is not compiled."""
    with pytest.raises(RuleError, match=problem):
        leak_patterns(rules(text))
