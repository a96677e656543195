"""Turns the terms of dictionary induction into proposals, with the contexts as evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.methods.induction.lexicons import class_label
from adapter.review.judging.proposals import FEWEST, Effect, Proposal
from adapter.review.store import proposed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.methods.induction.results import Induced
    from adapter.review.store.store import Store


def advised(induced: Induced, language: str) -> Iterator[Proposal]:
    """Yield a proposal per term, except seeds, short terms, and classes without a label."""
    for term in induced.terms:
        label = class_label(term.name)
        if term.round and label and len(term.item) >= FEWEST:
            yield Proposal(
                Effect.TERM, language, str(label), term.item, proposed.INDUCTION,
                advised=term.advised,
            )  # fmt: skip


def propose(store: Store, induced: Induced, language: str) -> int:
    """Add proposals for the terms that induction found, and return their number.

    Raises:
        StoreError: the database does not answer or reports an error.
    """
    with store.step("induced terms") as cursor:
        made = [proposed.propose(store, cursor, each) for each in advised(induced, language)]
        return len(made)
