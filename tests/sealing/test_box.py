"""Boxes: closed without the key, bound to their place, opened by every key that is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.sealing.box import Box, SealError

OLD, NEW = bytes(32), bytes(range(32))
BEFORE = Box("k1", {"k1": OLD})
AFTER = Box("k2", {"k2": NEW, "k1": OLD})
CANARY = b"Quillfeather"


@given(plain=st.binary(max_size=200), bound=st.binary(max_size=20))
def test_what_is_sealed_can_be_opened(plain, bound):
    """Opening gives back the bytes, also under a key that was rotated meanwhile."""
    assert (plain, plain) == (
        AFTER.open(AFTER.seal(plain, bound), bound),
        AFTER.open(BEFORE.seal(plain, bound), bound),
    )


def test_nothing_can_be_read_without_the_key():
    """Neither the sealed bytes nor the box's repr show content or secret."""
    assert CANARY not in BEFORE.seal(CANARY)
    assert "keys=" not in repr(BEFORE)


def test_no_two_seals_are_alike():
    """The same bytes are sealed under another nonce each time."""
    assert BEFORE.seal(CANARY) != BEFORE.seal(CANARY)


@given(place=st.integers(0, 30), flip=st.integers(1, 255))
def test_a_changed_byte_is_noticed(place, flip):
    """Whatever byte is changed, version and key id included, the seal does not open."""
    sealed = bytearray(BEFORE.seal(b"plain", b"here"))
    sealed[place % len(sealed)] ^= flip
    with pytest.raises(SealError):
        BEFORE.open(bytes(sealed), b"here")


@given(noise=st.binary(max_size=60))
def test_what_was_never_sealed_is_refused(noise):
    """Any bytes give a SealError, never another failure."""
    with pytest.raises(SealError):
        BEFORE.open(noise)


def test_a_seal_holds_in_its_place_only():
    """What was sealed for one place does not open in another."""
    with pytest.raises(SealError, match="seal is broken"):
        BEFORE.open(BEFORE.seal(CANARY, b"here"), b"there")


@pytest.mark.parametrize(
    ("box", "why"),
    [(Box("k2", {"k2": NEW}), "no key k1"), (Box("k2", {}, frozenset({"k1"})), "k1 was destroyed")],
)
def test_a_key_that_is_not_there_is_named(box, why):
    """An unknown key and a destroyed one are told apart, by id."""
    with pytest.raises(SealError, match=why):
        box.open(BEFORE.seal(CANARY))
