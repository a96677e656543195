"""Natural keys of resources."""

from __future__ import annotations

import pytest

from adapter.codecs.hl7v2.delimiters import Delimiters
from adapter.errors import RuleError
from adapter.mart.landing.hl7v2.keys import Keys

NAMES = {"order": ["OBR-3.1", "OBR-2.1"]}
ROWS = {"OBR": ["OBR", "1", "P-4471^W", "F 88120^L~other"], "OBX": ["OBX", "1", "NM", "^text^LN"]}


def key(*alternatives, rows=ROWS, **context):
    """A resource's key by alternatives."""
    return Keys(NAMES, {"R": {"key": list(alternatives)}}, Delimiters()).of("R", rows, context)


def test_the_first_alternative_with_all_its_parts_counts():
    """Numbers compare as squeezed; a part with a question mark may be missing."""
    assert "f88120" == key("order")
    assert "f88120|text|" == key("OBX-9 + order", "order + OBX-3.1|2 + OBX-4?")
    assert key("OBX-9") is None


def test_short_numbers_are_the_patients():
    """A number of less than five characters is joined with the patient's key."""
    rows = {"OBR": ["OBR", "1", "71"]}
    assert key("order", rows=rows, patient="a") != key("order", rows=rows, patient="b")


def test_a_mistaken_part_is_an_error_of_the_rules():
    """A key names places."""
    with pytest.raises(RuleError):
        key("orders")
