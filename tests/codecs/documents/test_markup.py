"""Markup as what a reader sees, and everything else it holds as leaves."""

from __future__ import annotations

import pytest

from adapter.codecs.documents.markup import read_markup


@pytest.mark.parametrize("attribute", ['lindgren=""', "lindgren=''", "lindgren", "lindgren = ''"])
def test_an_attribute_without_a_value_is_a_leaf(attribute):
    """Its name may name somebody."""
    (leaf,) = read_markup(f"<p {attribute}>x</p>").leaves
    assert ("@?", "lindgren") == (leaf.kind, leaf.passage.text)


@pytest.mark.parametrize("attribute", ["hidden", 'hidden=""', 'xmlns=""', 'alt="y"'])
def test_names_that_html_has_are_no_leaves(attribute):
    """A switch says nothing of anybody, and a value has a leaf of its own."""
    assert [] == [leaf for leaf in read_markup(f"<p {attribute}>x</p>").leaves if leaf.kind == "@?"]
