"""Texts with random gold and random findings, whose words are one letter each."""

from __future__ import annotations

from hypothesis import strategies as st

from adapter.evaluate.annotations import Annotated, Mention

LABELS = ("PATIENT", "DOCTOR", "CITY", "DATE")
WORDS = 24
TEXT = " ".join("abcdefghijklmnopqrstuvwx")


@st.composite
def mentions(draw, labels=LABELS):
    """Disjoint mentions of whole words."""
    found, word = [], 0
    for gap, length, label, score in draw(
        st.lists(
            st.tuples(
                st.integers(0, 4),
                st.integers(1, 3),
                st.sampled_from(labels),
                st.sampled_from((0.1, 0.4, 0.5, 0.9, 1.0)),
            ),
            max_size=10,
        )
    ):
        first, last = word + gap, word + gap + length
        if last > WORDS:
            break
        found.append(Mention(2 * first, 2 * last - 1, label, score=score))
        word = last
    return tuple(found)


@st.composite
def pairs(draw, labels=LABELS):
    """A few texts with gold and findings; about half of the findings are gold's own."""
    made = []
    for number in range(draw(st.integers(1, 4))):
        gold = draw(mentions(labels))
        found = gold if draw(st.booleans()) and draw(st.booleans()) else draw(mentions(labels))
        made.append((Annotated(str(number), TEXT, "en", gold), found))
    return made


def tags(mentions):
    """The mentions as IOB2 tags of the text's words."""
    row = ["O"] * WORDS
    for mention in mentions:
        first, last = mention.start // 2, (mention.end + 1) // 2
        row[first:last] = ["B-" + mention.type] + ["I-" + mention.type] * (last - first - 1)
    return row


def document(text, *gold, extra=(), unlabelled=(), name="a"):
    """A text and its gold: (start, end, type) each."""
    return Annotated(
        name,
        text,
        "en",
        tuple(Mention(*each) for each in gold),
        tuple(Mention(*each) for each in extra),
        unlabelled=frozenset(unlabelled),
    )


def found(*spans):
    """Findings: (start, end, type) each."""
    return tuple(Mention(*each) for each in spans)
