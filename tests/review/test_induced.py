"""What induction found comes in as proposals, with why."""

from __future__ import annotations

from adapter.methods.induction.results import Induced, Term
from adapter.review.induced import propose
from adapter.review.judging.proposals import Effect
from adapter.review.store import proposed
from tests.review.console import store_at

FOUND = Induced(
    (
        Term("city", "ashford", "capital", 0.9, 12, 0, ()),
        Term("city", "brackwater", "capital", 0.8, 7, 2, ("lives in _", "_ , tx"), ""),
        Term("drug-name", "fenolex", "lower", 0.9, 9, 1, ("takes _",)),
    ),
    (),
)


def test_induced_terms_are_proposed_with_their_contexts(tmp_path):
    """Seeds are known and drugs have no label; a second import adds nothing."""
    store = store_at(f"sqlite:///{tmp_path / 'review.sqlite'}")
    assert propose(store, FOUND, "en") == 1
    assert propose(store, FOUND, "en") == 1
    with store.database.transaction() as cursor:
        (made,) = proposed.listed(cursor, store.box, proposed.OPEN)
    assert (Effect.TERM, "CITY", "brackwater", ("lives in _", "_ , tx")) == (
        made.proposal.effect, made.proposal.label, made.proposal.phrase, made.proposal.advised
    )  # fmt: skip
