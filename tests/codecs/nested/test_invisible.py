"""Runs of characters that show nothing, and octal escapes, are bodies."""

from __future__ import annotations

import pytest

from adapter.codecs.nested.opening import nest
from adapter.codecs.nested.recognition import bodies

_TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "Karnovillet")


@pytest.mark.parametrize("run", [_TAGS, "\ufe01\ufe02\ufe03", "\u200b\u200c" * 4])
def test_a_run_that_shows_nothing_is_a_closed_body(run):
    """Tag characters, variation selectors and zero-width bits are bodies that are not read."""
    (body,) = bodies(f"stable {run} today")
    assert (body.start, body.end, body.closed) == (7, 7 + len(run), True)


@pytest.mark.parametrize(
    "text",
    [
        "flag \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f of England",
        "\u0645\u06cc\u200c\u0631\u0648\u0645 home again",
        "sunny \u2600\ufe0f today",
    ],
)
def test_what_scripts_and_signs_need_is_no_body(text):
    """A flag, a joiner between letters and a selector behind a sign stay."""
    assert bodies(text) == ()


def test_octal_escapes_are_read():
    """A run of octal escapes is read as the text that it writes."""
    found = nest("name " + "".join(f"\\{ord(letter):03o}" for letter in "Karnovillet"))
    assert found is not None
    assert found.passage.text == "name Karnovillet"


def test_few_octal_escapes_are_none():
    """Three numbers behind backslashes may be a path."""
    assert bodies("folder \\101\\102\\103 of it") == ()
