"""Escape sequences: read with a map, written back, cut by edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.codecs.hl7v2.delimiters import Delimiters
from adapter.codecs.hl7v2.escapes import escapes_for
from adapter.codecs.splice import rewritten
from adapter.errors import EncodeError
from adapter.types import Edit

USUAL = escapes_for(Delimiters(truncation="#"), "utf-8")
SENT = st.lists(
    st.sampled_from(
        [*"abE.FXH1|^~&\\\n", "\\F\\", "\\X4142\\", "\\H\\", "\\.br\\", "\\.sp3\\", "é"]
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("a\\F\\b\\S\\c\\T\\d\\R\\e\\E\\f\\P\\g", "a|b^c&d~e\\f#g"),
        ("\\X4142\\c", "ABc"),
        ("\\XC3A9\\ \\XE9\\", "é é"),
        ("a\\X0D0A\\b", "a\r\nb"),
        ("a\\.br\\b\\.BR\\c", "a\nb\nc"),
        ("a\\.sp\\b\\.sp2\\c\\.sp+2\\d", "a\nb\n\nc\n\nd"),
        ("\\.in+4\\a\\.ti-2\\b\\.fi\\c\\.nf\\d", "abcd"),
        ("a\\.ce\\b\\.sk3\\c", "a\nb   c"),
        ("\\H\\Roe\\N\\", "Roe"),
        ("\\C2842\\Roe", "Roe"),
        ('\\M2442\\$"\\C2842\\x', "あx"),
        ("C:\\temp\\", "C:\\temp\\"),
        ("a\\", "a\\"),
        ("\\Z01\\ \\XABC\\ \\.zz\\ \\f\\", "\\Z01\\ \\XABC\\ \\.zz\\ \\f\\"),
        ("a\\\\F\\", "a\\|"),
    ],
)
def test_sequences_stand_for_their_text(sent, text):
    """Each sequence of chapter 2.7 reads as its text; what is malformed stays as sent."""
    assert text == USUAL.read(sent)[0]


@given(SENT)
def test_pieces_cover_what_was_sent(sent):
    """The pieces are contiguous in the text and in the sent leaf, and literal ones are equal."""
    text, pieces = USUAL.read(sent)
    assert sent == "".join(sent[piece.at : piece.stop] for piece in pieces)
    assert len(text) == sum(piece.end - piece.start for piece in pieces)
    for piece in pieces:
        if piece.literal:
            assert sent[piece.at : piece.stop] == text[piece.start : piece.end]


@given(st.text())
def test_writing_then_reading_gives_the_text(text):
    """Any text survives being written and read."""
    assert text == USUAL.read(USUAL.write(text))[0]


@given(st.text(alphabet="|^~&\\#\r\n\x0b\x1cab"))
def test_written_text_has_no_delimiter(text):
    """No delimiter, line end or block character is sent bare."""
    assert not set(USUAL.write(text)) & set("|^~&#\r\n\x0b\x1c")


@given(SENT, st.data())
def test_edited_leaves_read_as_edited(sent, data):
    """After edits the leaf reads as the edited text, whatever the edits cut through."""
    text, pieces = USUAL.read(sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    new = st.text(alphabet="ab|\\&F\n", max_size=3)
    edits = [
        Edit("", start, end, data.draw(new))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    after = USUAL.rewrite(sent, pieces, text, edits)
    assert rewritten(text, edits) == USUAL.read(after)[0]


@pytest.mark.parametrize(
    ("sent", "start", "end", "new", "expected"),
    [
        ("\\H\\Roe\\N\\ x", 0, 3, "Poe", "\\H\\Poe\\N\\ x"),
        ("\\H\\Roe\\N\\man x", 0, 6, "Poe", "\\H\\Poe\\N\\ x"),
        ("Roe\\H\\man x\\N\\ y", 0, 6, "Poe", "Poe\\H\\ x\\N\\ y"),
        ("\\H\\Ro\\N\\em\\H\\an\\N\\ x", 0, 6, "Poe", "\\H\\Poe\\H\\\\N\\ x"),
        ("a\\T\\b", 0, 1, "c", "c\\T\\b"),
        ("\\X414243\\d", 1, 2, "x", "AxC".replace("x", "x") + "d"),
        ("a\\.sp\\b\\F\\", 2, 3, "c", "a\\.sp\\c\\F\\"),
        ("a\\F", 3, 3, "|", "a\\E\\F\\F\\"),
    ],
)
def test_what_an_edit_leaves_stays_as_sent(sent, start, end, new, expected):
    """Escapes outside an edit stay; one that is cut is spelt out; a clash rewrites the leaf."""
    text, pieces = USUAL.read(sent)
    assert expected == USUAL.rewrite(sent, pieces, text, [Edit("", start, end, new)])


def test_without_an_escape_character_delimiters_cannot_be_written():
    """A message that declares no escape character holds no replacement with a delimiter."""
    bare = escapes_for(Delimiters(escape="\uffff", subcomponent="\uffff"), "ascii")
    assert bare.write("a&b") == "a&b"
    with pytest.raises(EncodeError) as caught:
        bare.write("a|b")
    assert caught.value.code == "unencodable"
