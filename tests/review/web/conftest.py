"""A console for each test, over SQLite."""

from __future__ import annotations

import pytest

from adapter.review.web.call import Retried
from tests.review.console import Browser, staffed


@pytest.fixture
def console(tmp_path):
    """People, messages and queues."""
    made = staffed(f"sqlite:///{tmp_path / 'review.sqlite'}")
    yield made
    made.store.database.close()


@pytest.fixture
def browser(console):
    """A client for somebody, logged in."""

    def made(name):
        client = Browser(console.app(retry=lambda _: Retried("Retried: 1 released", released=True)))
        assert client.log_in(name).status_code == 303
        return client

    return made
