"""Tables of components, read with a message's delimiters."""

from __future__ import annotations

import pytest

from adapter.codecs.hl7v2.delimiters import read_delimiters
from adapter.codecs.hl7v2.escapes import escapes_for
from adapter.errors import RuleError
from adapter.mart.landing.hl7v2.datatypes.composites import Datatypes
from adapter.mart.maps import read_maps

TABLES = {
    "Name": {"1": "family", "2": "given[]", "3": "given[]", "7": "use by code Use"},
    "Whole": {"*": "name by Name", "set": ["kind = a b if 2"]},
    "Staff": {"resource": "Practitioner", "key": ["1"], "1": "id1", "2": "name"},
    "Part": {"1": "period.start by date unless 2", "2": "period.end by date"},
}
CODES = {"Use": {"L": {"code": "official"}}}


def read(datatype, raw, codes=None, header="MSH|^~\\&|"):
    """A value of a field, and what it makes beside."""
    known = escapes_for(read_delimiters(header), "utf-8")
    return Datatypes(TABLES, CODES, known).field_converter(datatype, codes)(raw)


def test_components_go_where_the_table_says():
    """Lists grow, codes are translated, unknown ones are left out."""
    expected = {"family": "Doe", "given": ["Jane", "Q"], "use": "official"}
    assert expected == read("Name", "Doe&van^Jane^Q^^^^L")[0]
    assert {"family": "Doe"} == read("Name", "Doe^^^^^^?")[0]


def test_other_delimiters_separate_too():
    """The message declares its own."""
    assert {"family": "Doe", "given": ["Jane"]} == read("Name", "Doe#Jane", header="MSH|#~\\&|")[0]


def test_constants_and_conditions():
    """A constant is written beside values only, and where its condition holds."""
    assert {"name": {"family": "Doe"}} == read("Whole", "Doe")[0]
    assert "a b" == read("Whole", "Doe^Jane")[0]["kind"]
    assert read("Whole", "^^^")[0] is None
    assert {"period": {"end": "2025"}} == read("Part", "2024^2025")[0]


def test_a_resource_of_its_own_is_referred_to():
    """Its id is the digest of its key, so the same person is the same resource."""
    value, made = read("Staff", "77^Doe")
    ((kind, number, _),) = made
    assert {"reference": f"{kind}/{number}"} == value == read("Staff", "77^Roe")[0]
    assert value != read("Staff", "78^Doe")[0]


@pytest.mark.parametrize(("datatype", "codes"), [("Nowhere", None), ("Name", "Nowhere")])
def test_a_missing_table_is_an_error_of_the_rules(datatype, codes):
    """A line may name only tables that are there."""
    with pytest.raises(RuleError):
        read(datatype, "x", codes)


def test_a_coded_text_keeps_what_was_sent():
    """The code that a map gives follows the sent one, unless they are equal."""
    maps = read_maps()
    known = escapes_for(read_delimiters("MSH|^~\\&|"), "utf-8")
    datatypes = Datatypes(maps.datatype, maps.codes, known)
    found, _ = datatypes.field_converter("CWE", "MaritalStatus")("P^partner")
    assert ["P", "T"] == [coding["code"] for coding in found["coding"]]
    found, _ = datatypes.field_converter("CWE", "MaritalStatus")("M^married")
    (coding,) = found["coding"]
    assert coding["system"].endswith("v3-MaritalStatus")
