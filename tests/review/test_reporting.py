"""What counts as hidden in the recall report."""

from __future__ import annotations

import pytest

from adapter.review.judging.actions import Judged
from adapter.review.judging.items import Content, Mark, ReviewText
from adapter.review.settled import is_found

TEXT = "Seen in Ashford."


@pytest.mark.parametrize(
    ("written", "hidden"), [("Leeds", True), (None, True), ("", True), ("Ashford", False)]
)
def test_what_is_released_as_it_was_is_not_hidden(written, hidden):
    """A mention that the machine finds and the profile lets stay counts as missed."""
    mark = Mark(8, 15, "CITY", "crf", 0.9, "", written)
    content = Content("hl7v2", "x", "en", (ReviewText("p", "e", "scan", TEXT, "en", (mark,)),), b"")
    assert hidden == is_found(content, Judged(0, 8, 15, "CITY"))
