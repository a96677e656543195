"""What a console that is served for months does meanwhile."""

from __future__ import annotations

from threading import Event

from adapter.cli.review import setup
from adapter.review.store.protocol import StoreError


def test_what_expires_while_it_is_served_is_erased(monkeypatch):
    """Again and again, also after the store did not answer; it ends with the console."""
    twice, asked, store = Event(), [], object()

    def purge(given):
        asked.append(given)
        if len(asked) == 1:
            raise StoreError("no answer")
        twice.set()

    monkeypatch.setattr(setup, "PURGE_SECONDS", 0.001)
    monkeypatch.setattr(setup, "purge", purge)
    with setup.expiring(store):
        assert twice.wait(30)
    number = len(asked)
    assert {store} == set(asked)
    assert number == len(asked) >= 2
