"""Keys and draws."""

from __future__ import annotations

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.surrogates.drawing.keys import Key, joined

TEXTS = st.lists(st.text() | st.text("\x1f\x1b[_a", max_size=4), min_size=1, max_size=4)


@given(st.binary(min_size=16, max_size=100), TEXTS)
def test_mac_is_hmac_sha256(secret, values):
    """The MAC made of copied states is the standard library's HMAC-SHA256."""
    text = joined(*values).encode("utf-8", "surrogatepass")

    assert hmac.digest(secret, text, "sha256") == Key("k", secret).mac(*values)


@given(TEXTS, TEXTS)
def test_different_values_never_share_a_mac_input(some, others):
    """Values with separators and escapes in them are joined unambiguously."""
    assert (some == others) == (joined(*some) == joined(*others))


@pytest.mark.parametrize("values", [("\x1f",), ("a", "b\x1fc"), ("\x1b_", "\x1f"), ("a\x1f", "b")])
def test_separators_within_values_are_escaped(values):
    """What looks like several values is one."""
    assert len(values) - 1 == joined(*values).count("\x1f")


@pytest.mark.parametrize("count", [1, 32, 33, 100])
def test_numbers_of_any_length(count):
    """As many bytes as asked for, none of them those of another purpose or block."""
    key = Key("k1", b"0123456789abcdef")
    drawn = key.numbers(count, "purpose", "value")

    assert count == len(drawn)
    assert drawn[:8] != key.numbers(count, "purpose", "other")[:8]
    assert drawn[:32] != drawn[32:64]


def test_repr_shows_only_the_id():
    """A key's repr shows its name and nothing of its secret."""
    assert "Key(id='k1')" == repr(Key("k1", b"0123456789abcdef"))


def test_short_secret_is_refused():
    """A secret of less than 16 bytes is refused at start."""
    with pytest.raises(RuleError):
        Key("k1", b"short")
