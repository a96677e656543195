"""Tables of terms and contexts."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.methods.induction.bootstrap import induce
from adapter.methods.induction.tables import CONTEXTS, TERMS, read_tables, tables
from tests.methods.induction.letters import SEEDS, letters


@pytest.fixture(scope="module")
def induced():
    """What follows from the letters."""
    return induce(letters(), SEEDS)


def test_tables_are_read_as_they_were_written(induced):
    """Terms and contexts come back."""
    written = {name: text.encode() for name, text in tables(induced).items()}
    assert read_tables(written) == induced


def test_a_row_has_term_pattern_and_numbers_only(induced):
    """A table quotes no more of the texts than terms and contexts."""
    text = tables(induced)[TERMS]
    assert {7} == {line.count("\t") for line in text.splitlines()}
    assert "refiere" not in text


def test_broken_tables_are_named(induced):
    """A table with a missing column, another kind or no number is an error."""
    good = {name: text.encode() for name, text in tables(induced).items()}
    for name, old, new in (
        (TERMS, b"\tcapital\t", b"\tpickled\t"),
        (TERMS, b"long form", b"other"),
        (CONTEXTS, b"\t1\n", b"\tone\n"),
    ):
        with pytest.raises(RuleError, match=name):
            read_tables({**good, name: good[name].replace(old, new)})
