"""Bare runs of Ascii85 and base 85 are bodies, whole or cut; long words of signs are not."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.codecs.nested.recognition import bodies

NOTE = b"Seen today with her daughter. Thaddeus Okonkwo was admitted with fever and cough at night."
WRITERS = (base64.a85encode, base64.b85encode)


@given(st.sampled_from(WRITERS), st.integers(0, 12), st.integers(0, 12))
def test_a_run_is_one_closed_body_wherever_it_was_cut(write, head, tail):
    """To its ends, between words, whatever is missing of it."""
    run = write(NOTE).decode()
    run = run[head : len(run) - tail]
    (body,) = bodies(f"Report: {run} end")
    assert (body.start, body.end, body.closed) == (8, 8 + len(run), True)


def test_each_line_of_a_wrapped_run_is_a_body():
    """Lines may end within a group."""
    text = base64.a85encode(NOTE, wrapcol=61).decode()
    assert [(body.start, body.end) for body in bodies(text)] == [(0, 61), (62, len(text))]


@pytest.mark.parametrize(
    "text",
    [
        "http://example.org/fhir/StructureDefinition/patient-birthPlace?x=1&y=2#anchor&&!!$$",
        "K/uL;10*3/uL;mg/dL;[arb'U]/mL;{score};{index_val};mm[Hg];10*6/mm3;%{Total}",
        "c.[1521_1523delCTT];[=]_p.[(Phe508del)];[=]_NM_000492.3(CFTR):c.1521",
        "HLA-A*02:01:01:01,A*24:02:01:01;B*07:02:01,B*44:03;C*07:02:01:03",
        "*" * 60,
        "-" * 40 + ">" * 20,
        "(" * 60,
        "!" * 30 + "?" * 30,
    ],
)
def test_long_words_of_signs_are_none(text):
    """Addresses, units, variants, types and rules across a page decode to no words."""
    assert bodies(text) == ()
