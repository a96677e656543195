"""``kill -9`` under many senders: answered messages are settled once, others at most once."""

from __future__ import annotations

import pytest

from tests.transports.http.posting import post_all
from tests.transports.mllp import senders
from tests.transports.mllp.test_kills import killed, settings_file


@pytest.mark.parametrize(
    "load",
    [
        pytest.param({"connections": 3, "each": 50, "kills": 2}, id="short"),
        pytest.param(
            {"connections": 20, "each": 300, "kills": 5}, id="long", marks=pytest.mark.slow
        ),
    ],
)
def test_what_was_answered_is_out_or_held_once(tmp_path, capsys, load):
    """Through kills and a SIGTERM, answered messages are settled once, in each sender's order."""
    port = senders.free_port()
    file = settings_file(tmp_path, port, "http")
    told = killed(tmp_path, file, "http-*", port=port, by=post_all, **load)
    with capsys.disabled():
        print(told)
