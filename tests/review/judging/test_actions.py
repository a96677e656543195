"""What readers do to spans, and the state that follows."""

from __future__ import annotations

import pytest

from adapter.review.judging.actions import (
    Action,
    ActionError,
    Kind,
    Status,
    applied,
    folded,
    initial,
    joined,
)
from adapter.review.judging.items import Content, Mark, ReviewText, packed, unpacked

TEXT = "Glasgow coma scale 15, seen by Anna Muster."
MARKS = (Mark(0, 7, "CITY", "crf", 0.6, "", "Leeds"), Mark(31, 35, "DOCTOR", "crf", 0.9))
CONTENT = Content(
    "hl7v2", "ORU^R01", "en", (ReviewText("p", "OBX-5", "scan", TEXT, "en", MARKS),), b"x"
)


def done(*actions):
    """The state after some actions on the machine's spans."""
    return folded(CONTENT, initial(CONTENT), actions)


def test_content_is_what_was_packed():
    """Nothing of an item is lost while it is sealed, and its repr quotes nothing."""
    assert unpacked(packed(CONTENT)) == CONTENT
    assert "Anna" not in repr(CONTENT)
    assert "Leeds" not in repr(initial(CONTENT))


def test_actions_survive_packing():
    """What was done is what is read again."""
    action = Action(Kind.ADD, text=0, start=36, end=42, label="DOCTOR", reason="term")
    assert Action.unpacked(action.packed()) == action


def test_accept_reject_relabel_resize():
    """Each changes one span, and remembers what the machine had."""
    state = done(
        Action(Kind.REJECT, span=0, reason="ambiguous"), Action(Kind.RESIZE, span=1, right=1)
    )
    assert (Status.REJECTED, "ambiguous") == (state[0].status, state[0].reason)
    assert (31, 42, "boundary", True) == (
        state[1].start, state[1].end, state[1].reason, state[1].is_changed
    )  # fmt: skip
    state = done(Action(Kind.RELABEL, span=1, label="PATIENT"), Action(Kind.ACCEPT, span=0))
    assert ("PATIENT", "label") == (state[1].label, state[1].reason)
    assert state[0].stands
    assert not state[0].is_changed


def test_a_caret_adds_its_token():
    """An addition snaps to tokens and comes last."""
    state = done(Action(Kind.ADD, text=0, start=38, end=38, label="DOCTOR", reason="term"))
    assert (36, 42, "DOCTOR") == (state[2].start, state[2].end, state[2].label)
    assert state[2].before is None


@pytest.mark.parametrize(
    "action",
    [
        Action(Kind.ACCEPT, span=7),
        Action(Kind.REJECT, span=0, reason="no such"),
        Action(Kind.RELABEL, span=0, label="NONE"),
        Action(Kind.ADD, text=3, start=0, end=1, label="CITY"),
        Action(Kind.ADD, text=0, start=0, end=900, label="CITY"),
        Action(Kind.ADD, text=0, start=31, end=42, label="DOCTOR"),
        Action(Kind.ADD, text=0, start=len(TEXT), end=len(TEXT), label="DOCTOR"),
    ],
)
def test_what_cannot_be_done_is_refused(action):
    """Unknown spans, labels and reasons, extents outside of the text or over a span."""
    with pytest.raises(ActionError) as error:
        applied(CONTENT, initial(CONTENT), action)
    assert "Anna" not in str(error.value)


def test_what_both_readers_found_is_settled():
    """The rest is to be decided, with who found it."""
    anna = Action(Kind.ADD, text=0, start=31, end=42, label="DOCTOR", reason="term")
    city = Action(Kind.ADD, text=0, start=0, end=7, label="CITY", reason="term")
    one, other = folded(CONTENT, (), [anna, city]), folded(CONTENT, (), [anna])
    state = joined({"ann": one, "ben": other})
    assert [(0, Status.OPEN, "ann"), (31, Status.ACCEPTED, "ann and ben")] == [
        (span.start, span.status, span.source) for span in state
    ]
