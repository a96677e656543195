"""Why a message is held, in words: what the documentation says of it."""

from __future__ import annotations

import re

from adapter.errors import CODES
from adapter.review.web.holds import explained, holds
from tests.conftest import ROOT

ROW = re.compile(r"^\| `([a-z0-9-]+/[a-z0-9-]+)` \| (.*?) \| (.*?) \|$", re.MULTILINE)
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
ELSEWHERE = {"transport", "mart", "spark", "request"}
"""Stages that hold no message: what a request is refused for stays with its sender."""


def test_every_reason_to_hold_a_message_is_in_words():
    """Each code of a stage that holds messages, as docs/errors.md has it."""
    text = (ROOT / "docs/errors.md").read_text("utf-8").partition("## What may pass")[0]
    rows = [tuple(LINK.sub(r"\1", cell) for cell in row) for row in ROW.findall(text)]
    documented = {name: said for name, *said in rows if name.partition("/")[0] not in ELSEWHERE}
    told = {name: [each.means, each.advice] for name, each in holds().items()}
    known = {f"{stage}/{code}" for stage in CODES.keys() - ELSEWHERE for code in CODES[stage]}
    assert known == set(told)
    assert [name for name in told if told[name][0] != documented[name][0]] == []
    differ = {name for name in told if told[name][1] != documented[name][1]}
    assert {name for name in differ if documented[name][1] != "the same"} == set()


def test_an_unknown_reason_has_no_words():
    """A later version may have held it."""
    assert explained("later/unheard-of") is None
