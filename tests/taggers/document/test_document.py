"""A document knows its lines, tokens, sections and attributes."""

from __future__ import annotations

import regex
from hypothesis import given
from hypothesis import strategies as st

from adapter.taggers.attributes import AttributeTagger
from adapter.taggers.document import tokens as tokens_module
from adapter.taggers.document.document import read
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.document.tokens import tokenize
from adapter.types import Label, Span, Veto

RULES = SectionRules(
    {
        "shapes": {"number": r"(?P<phi>\d+)", "person": r"\p{Lu}\w+"},
        "section": [{"name": "family-history", "headings": ["family history", "fhx"]}],
        "attribute": [
            {"names": ["mrn", "medical record no."], "label": "MEDICALRECORD", "shape": "number"},
            {"names": ["name"], "label": "PATIENT", "shape": "person"},
            {"names": ["bp"]},
        ],
    }
)


def _attributes(text):
    return [(a.name, text[a.start : a.end]) for a in read(text, "en", RULES).attributes]


def test_sections():
    """A known heading at the start of a line, alone or before a colon, begins a section."""
    text = "Seen.\nFAMILY HISTORY: none of family history: x\n== FHx ==\nmore"
    document = read(text, "en", RULES)
    assert [s.name for s in document.sections] == ["family-history"] * 2
    assert (document.section_at(0), document.section_at(30)) == ("", "family-history")


def test_numbers_by_length():
    """The index has the starts of numbers by how many digits they have when folded."""
    index = read("14 of 2019, 202\u00b2 or \uff12\uff10; 7\u0663", "en", RULES).index
    assert [index.get(f"<{count} digits>") for count in (1, 2, 3, 4)] == [
        None,
        [0, 20, 24],
        None,
        [6, 12],
    ]


def test_attributes_in_columns():
    """Several attributes of one line each end where the next begins."""
    text = "Name: Ana   MRN: 77 BP: 1/2\nMedical Record No.: 88\tx"
    assert _attributes(text) == [
        ("name", "Ana"), ("mrn", "77"), ("bp", "1/2"), ("medical record no", "88"),
    ]  # fmt: skip


def test_an_empty_value_continues_on_the_next_line():
    """An attribute without a value on its line takes the next line's."""
    assert _attributes("MRN:\n  77\n") == [("mrn", "77")]


def test_attribute_tagger():
    """A value of the wanted shape is a mention; a value that never is one is vetoed."""
    text = "Name: Ana  MRN: none  BP: 1/2"
    found = AttributeTagger(Resources("en", (), {}, RULES)).find(read(text, "en", RULES))
    assert [(type(f), text[f.start : f.end]) for f in found] == [(Span, "Ana"), (Veto, "1/2")]
    assert found[0].label is Label.PATIENT


def test_conjoined_words_come_apart():
    """Words run together by faulty exports are tokens of their own."""
    assert tokenize("OkaforReports MDNote winterHx 57yo").words == [
        "okafor", "reports", "md", "note", "winter", "hx", "57", "yo",
    ]  # fmt: skip


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=80))
def test_plain_text_tokens_equal_those_of_any_text(text):
    """The faster expression for ASCII gives the tokens of the general one."""
    general = [m.span() for m in regex.finditer(tokens_module._TOKEN, text)]
    tokens = tokenize(text)
    assert list(zip(tokens.starts, tokens.ends, strict=True)) == general


def test_a_document_is_a_key_of_what_is_kept_of_it():
    """What was learned of a brief text is kept by its document, whatever else has the same text."""
    one, two = (read("brief", "en", RULES) for _ in range(2))
    assert {one: 1, two: 2}[one] == 1
