"""Authorities in a site's rules: compiled, or refused with the line."""

from __future__ import annotations

import tomllib

import pytest

from adapter.errors import RuleError
from adapter.fields.authorities import compile_authorities
from adapter.fields.sources import Rules


def rules(text):
    """A site's file."""
    text = f'format = "authorities"\n{text}'
    return Rules("ours.toml", text, tomllib.loads(text), overlay=True)


def test_every_name_of_an_authority_is_known():
    """Names count in letters and digits alone; files of a site add up."""
    files = (
        rules('[authorities]\nnorth = ["NORTH", "urn:oid:1.2"]'),
        rules("[authorities]\ns = ['S']"),
    )
    assert {"north": "north", "urnoid12": "north", "s": "s"} == compile_authorities(files)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[authorities]\na = ["X"]\nb = ["x"]', "ours.toml:4"),
        ('[authorities]\na = "X"', "ours.toml:3"),
        ('[authorities]\na = ["-"]', "ours.toml:3"),
        ('[autorities]\na = ["X"]', "ours.toml:2"),
        ("", "ours.toml:1"),
    ],
)
def test_what_cannot_be_honoured_refuses_with_its_line(text, place):
    """One name for two, no list, no letters, another table or none."""
    with pytest.raises(RuleError) as refused:
        compile_authorities([rules(text)])
    assert place == refused.value.place
