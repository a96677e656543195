"""Control characters are shown, not obeyed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.cli.terminal import json_line
from adapter.normalize.printable import CONTROLS, visible, visible_bytes


@given(st.text())
def test_nothing_a_terminal_obeys_is_left(text):
    """No text keeps a control character or a direction mark, and plain lines stay as they are."""
    assert CONTROLS.search(visible(text)) is None
    if text.isprintable():
        assert text == visible(text).replace("\\u200e", "\u200e")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b31m", "\\x9b31m"),
        ("\u202egnp", "\\u202egnp"),
        ("Müller", "Müller"),
    ],
)
def test_controls_become_escapes(text, shown):
    """Escape sequences and direction marks are spelt; tabs, newlines and letters stay."""
    assert shown == visible(text)


def test_a_message_is_shown_in_lines():
    """Segments stand on lines of their own, undecodable bytes and controls are spelt."""
    assert b"MSH|\nPID|\\xff\\x1b\n" == visible_bytes(b"MSH|\rPID|\xff\x1b\r\n")


@given(st.text())
def test_json_lines_say_the_same(text):
    """A line of JSON without control characters still has the same strings."""
    line = json_line({"text": text})
    assert CONTROLS.search(line) is None
    assert {"text": text} == json.loads(line)
