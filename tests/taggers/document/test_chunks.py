"""Long texts in pieces: every character is read, every mention is seen whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.pipeline.language import find_in, tag
from adapter.taggers.document.chunks import LONGEST, OVERLAP, Piece, pieces
from adapter.taggers.trusted.index import NOBODY
from adapter.types import Label, Span
from tests.corpus.runs import ruleset

FILLER = "The patient was stable and ate well. Nothing else was noted on the ward round.\n"
LENGTHS = st.integers(0, 5 * LONGEST)


@given(LENGTHS, st.sampled_from([" ", "\n", "x", "a. b", "\n\nab"]))
def test_cores_are_the_text(length, unit):
    """Cores lie side by side from the first character to the last, none over the limit."""
    text = (unit * (length // len(unit) + 1))[:length]
    found = list(pieces(text))
    assert "".join(text[p.core : p.stop] for p in found) == text
    assert all(0 < p.stop - p.core <= LONGEST for p in found)
    assert all(p.start == max(0, p.core - OVERLAP) for p in found)
    assert all(p.end == min(length, p.stop + OVERLAP) for p in found)


@given(LENGTHS.filter(bool), st.integers(1, OVERLAP), st.data())
def test_every_mention_is_whole_in_some_piece(length, size, data):
    """A mention up to the overlap's length lies inside a piece whose core it touches."""
    text = (FILLER * (length // len(FILLER) + 1))[:length]
    start = data.draw(st.integers(0, max(0, length - size)))
    mention = Span(start, min(length, start + size), Label.PATIENT, "t")
    holding = [
        piece for piece in pieces(text) if piece.start <= mention.start and mention.end <= piece.end
    ]
    assert any(list(p.placed([_inside(mention, p)])) == [mention] for p in holding)


def _inside(span: Span, piece: Piece) -> Span:
    return Span(span.start - piece.start, span.end - piece.start, span.label, span.source)


def test_what_lies_outside_the_core_is_left_to_its_neighbour():
    """A mention in the overlap alone is told by one piece, not by two."""
    piece = Piece(100, 200, 300, 400)
    assert [] == list(
        piece.placed([Span(0, 100, Label.DATE, "t"), Span(200, 210, Label.DATE, "t")])
    )
    assert [Span(199, 201, Label.DATE, "t")] == list(piece.placed([Span(99, 101, Label.DATE, "t")]))


def test_a_long_text_is_tagged_as_its_sentences_are():
    """A sentence with mentions is found wherever it stands, across every border of pieces too."""
    language = ruleset().languages["en"]
    index = NOBODY
    sentence = "Seen by Dr. Okonkwo-Tarrant, phone (617) 555-8143, on the ward."
    for place in (LONGEST - 70, LONGEST - 40, LONGEST - 20, LONGEST + 5):
        text = "x" * 20 + " " * (place - 20) + sentence + " " * (2 * LONGEST)
        spans = find_in(text, index, language)
        result = [text[span.start : span.end] for span in spans]
        assert "(617) 555-8143" in result, place
        assert any("Okonkwo-Tarrant" in name for name in result), place


def test_short_texts_are_read_whole():
    """A text up to the limit is one piece: it is tagged as ever."""
    language = ruleset().languages["en"]
    text = ("Seen by Dr. Okonkwo. " + FILLER)[: LONGEST // 64]
    assert tag(text, NOBODY, language)
    assert [Piece(0, 0, len(text), len(text))] == list(pieces(text))


def test_rows_of_a_long_table_are_read_below_its_heads():
    """A number in a row far below is what the head of its column says."""
    rows = [f"Okolita,Ysolde,{7000000 + row},Glucose,{row % 90 + 60}" for row in range(700)]
    text = "\n".join(["last name,first name,mrn,test,value", *rows])
    found = find_in(text, NOBODY, ruleset().languages["en"])
    numbers = [text[span.start : span.end] for span in found if span.label is Label.MEDICALRECORD]
    assert [row.split(",")[2] for row in rows] == numbers
