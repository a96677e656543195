"""Imported by the server of `tests.compiled`: what is forked from it has English compiled."""

from tests.compiled import warm_up

warm_up()
