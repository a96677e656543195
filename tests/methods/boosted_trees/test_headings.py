"""Words before colons as headings."""

from __future__ import annotations

from adapter.methods.boosted_trees.headings import Part, learned, places

NAME = ("nombre", ":", "ana", "gil", "nhc", ":", "123", "<br>", "sin", "fiebre")
LABELS = ("O", "O", "B-PATIENT", "I-PATIENT", "O", "O", "B-IDNUM", "O", "O", "O")


def test_headings_are_the_words_before_colons_in_most_texts():
    """Words that stand before colons in few texts are none."""
    found = learned([(NAME, LABELS)] * 5 + [(("otro", ":", "x"), ("O",) * 3)])
    assert set(found.shares) == {"nombre", "ana gil nhc"}
    assert [part.name for part in found.parts(("otro", ":", "x", "nombre", ":", "y"))] == ["nombre"]


def test_parts_end_before_the_next_heading_or_line():
    """What is behind a heading ends where the next one begins, or with its line."""
    rare = [(("n" + str(n), "gil", "nhc", ":", "7"), ("O",) * 5) for n in range(5)]
    found = learned([(NAME, LABELS)] * 4 + [(("nombre", ":", "eva"), ("O",) * 3)] + rare)
    assert found.parts(NAME) == [Part("nombre", 2, 3), Part("gil nhc", 6, 7)]
    inside = places(found.parts(NAME), len(NAME))
    assert [part.name if part else "" for part in inside] == [
        "", "", "nombre", "", "", "", "gil nhc", "", "", "",
    ]  # fmt: skip


def test_shares_are_of_tokens_behind_a_heading():
    """Half of the tokens behind a heading are of a type."""
    text = (("edad", ":", "53", "anos", "de"), ("O", "O", "B-AGE", "I-AGE", "O"))
    found = learned([text] * 5)
    assert found.shares["edad"] == {"AGE": 0.667}


def test_trusted_headings_hold_one_type():
    """A heading is trusted if nearly each holds a mention, and nearly all are of one type."""
    one = (("medico", ":", "eva"), ("O", "O", "B-DOCTOR"))
    mixed = [(("firma", ":", "eva"), ("O", "O", f"B-{kind}")) for kind in ("DOCTOR", "PATIENT")]
    empty = (("nota", ":", "nada"), ("O", "O", "O"))
    found = learned([one] * 9 + mixed * 5 + [empty] * 9)
    assert found.trusted == {"medico": "DOCTOR"}


def test_texts_without_colons_have_no_headings():
    """No colon, or one without words before it, is no heading; empty texts neither."""
    found = learned([((":", "x", "<br>", ":", "-", ":"), ("O",) * 6), ((), ())] * 9)
    assert not found.shares
    assert found.parts((":", "x")) == []
