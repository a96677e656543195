"""Keys and draws."""

from __future__ import annotations

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.surrogates.keys import Key


@given(st.binary(min_size=16, max_size=100), st.lists(st.text(), max_size=4))
def test_mac_is_hmac_sha256(secret, values):
    """The MAC made of copied states is the standard library's HMAC-SHA256."""
    text = "\x1f".join(values).encode("utf-8", "surrogatepass")

    assert hmac.digest(secret, text, "sha256") == Key("k", secret).mac(*values)


def test_repr_shows_only_the_id():
    """A key's repr shows its name and nothing of its secret."""
    assert "Key(id='k1')" == repr(Key("k1", b"0123456789abcdef"))


def test_short_secret_is_refused():
    """A secret of less than 16 bytes is refused at start."""
    with pytest.raises(RuleError):
        Key("k1", b"short")
