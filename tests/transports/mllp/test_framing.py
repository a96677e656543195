"""MLLP framing: bytes to blocks, however TCP splits them and whatever is between blocks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.transports.mllp.framing import HEAD_BYTES, Framer, framed

LONGEST = 10_000
MARKS = b"\x0b\x1c\r\nMSHBF|"
TEXT = st.lists(st.sampled_from([bytes([n]) for n in MARKS]) | st.binary(max_size=5)).map(b"".join)


def plain(value: bytes) -> bool:
    """Return whether a value may be in a block (by the standard) and contains no start of one."""
    begins = any(b"\x0b" + name in value for name in (b"MSH", b"BHS", b"FHS"))
    return not begins and b"\x1c\r" not in value


MESSAGES = st.lists(TEXT.filter(plain), max_size=6)
OUTSIDE = TEXT.map(lambda raw: raw.replace(b"\x0b", b""))


def fed(stream: bytes, cuts: list[int], longest: int = LONGEST) -> tuple[list, Framer]:
    """Return the blocks of a stream that arrives in pieces, and the framer afterwards."""
    framer = Framer(longest)
    ends = sorted({cut % (len(stream) + 1) for cut in cuts} | {len(stream)})
    blocks = []
    for start, end in zip([0, *ends], ends, strict=False):
        blocks += framer.feed(stream[start:end])
    return blocks, framer


@given(MESSAGES, st.data(), st.lists(st.integers(min_value=0), max_size=30))
def test_any_split_gives_the_same_messages(messages, data, cuts):
    """Messages are returned as sent, whatever is between them and however the stream is split."""
    stray = [data.draw(OUTSIDE) for _ in range(len(messages) + 1)]
    stream = stray[0] + b"".join(
        framed(message) + other for message, other in zip(messages, stray[1:], strict=True)
    )
    blocks, framer = fed(stream, cuts)
    assert messages == [block.value for block in blocks]
    assert all(block.whole and block.size == len(block.value) for block in blocks)
    assert (sum(map(len, stray)), False) == (framer.stray, framer.inside)


@given(TEXT, st.lists(st.integers(min_value=0), max_size=30))
def test_any_bytes_in_any_pieces_give_what_they_give_at_once(stream, cuts):
    """The blocks of any byte stream do not depend on how it is split."""
    pieces, framer = fed(stream, cuts)
    whole, at_once = fed(stream, [])
    assert whole == pieces
    assert (at_once.stray, at_once.inside) == (framer.stray, framer.inside)


@given(OUTSIDE)
def test_bytes_outside_are_never_a_message(stream):
    """Bytes without a start of block are no message, and are not kept in memory."""
    blocks, framer = fed(stream, [3, 7])
    assert ([], 0, len(stream)) == (blocks, framer.pending, framer.stray)


@given(st.integers(1, 3 * HEAD_BYTES), st.lists(st.integers(min_value=0), max_size=20))
def test_a_message_too_large_leaves_its_beginning(longer, cuts):
    """A message that is too large gives its beginning and its size, and the next one is whole."""
    value = b"MSH|" + b"x" * (LONGEST + longer)
    (first, second), framer = fed(framed(value) + framed(b"MSH|2"), cuts)
    assert (False, len(value), value[:HEAD_BYTES]) == (first.whole, first.size, first.value)
    assert (True, b"MSH|2", 0) == (second.whole, second.value, framer.pending)


def test_a_message_too_large_is_not_kept_in_memory():
    """At most the longest message and one read are kept in memory."""
    framer = Framer(LONGEST)
    framer.feed(b"\x0bMSH|")
    most = 0
    for _ in range(100):
        framer.feed(b"y" * 1000)
        most = max(most, framer.pending)
    assert most <= LONGEST + 1000
    ((block),) = framer.feed(b"\x1c\r")
    assert (100_004, False) == (block.size, block.whole)


def test_a_block_without_end_is_not_part_of_the_next():
    """If the end of a block is missing, the message is the one that began last."""
    framer = Framer(LONGEST)
    (block,) = framer.feed(b"\x0bMSH|^~\\&|lost\r\x0bMSH|^~\\&|sent\r\x1c\r")
    assert (b"MSH|^~\\&|sent\r", True) == (block.value, block.whole)


def test_a_vertical_tab_in_a_text_stays():
    """0x0B begins a block only before a header segment."""
    framer = Framer(LONGEST)
    (block,) = framer.feed(framed(b"MSH|^~\\&|x\rOBX|1|TX|||two\x0blines\r"))
    assert b"MSH|^~\\&|x\rOBX|1|TX|||two\x0blines\r" == block.value
