"""What taggers leave of a short value decides whether the value stays, goes in part, or wholly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.types import Action, Handling, Label, Message, Span, TextSegment
from adapter.values.proof.proved import Proved
from adapter.values.proof.settling import BRIEF, _torn
from adapter.values.proof.settling import settled as settle

SCAN = Action(Handling.SCAN)
KEEP = Action(Handling.KEEP)


def span(text, part, label=Label.PATIENT):
    """The span of a part of a text."""
    start = text.index(part)
    return Span(start, start + len(part), label, "names.pair", 0.9, 60)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Smith-Oduya", "Smith"),
        ("Smith-Oduya", "Oduya"),
        ("with Anna Smith\u2010Oduya", "Anna Smith"),
        ("with Anna Smith\u2011Oduya", "Anna Smith"),
        ("O-Smith", "Smith"),
        ("ElspethSmithScore", "Smith"),
        ("Smithson", "Smith"),
    ],
)
def test_half_a_double_name_is_torn(text, part):
    """Letters that no span covers hang at a covered name, on either side of any hyphen."""
    assert _torn(text, [span(text, part)])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Smith-Oduya", ["Smith-Oduya"]),
        ("Smith-Oduya", ["Smith", "Oduya"]),
        ("Smith - Oduya", ["Smith"]),
        ("Smith-3", ["Smith"]),
        ("3-Smith", ["Smith"]),
        ("-Smith-", ["Smith"]),
        ("Smith\u2013Oduya", ["Smith"]),
        ("Smith Oduya", ["Smith"]),
    ],
)
def test_a_whole_name_is_not_torn(text, parts):
    """A dash between words, a digit, an edge of the text and a covered part tear nothing."""
    assert not _torn(text, [span(text, part) for part in parts])


@pytest.mark.parametrize("label", [Label.CITY, Label.HOSPITAL, Label.DATE, Label.IDNUM])
def test_only_names_are_torn(label):
    """The text "Boston-based" keeps its second part."""
    assert not _torn("Boston-based", [span("Boston-based", "Boston", label)])


@given(st.text("ab-\u2010 3", max_size=12), st.integers(0, 11), st.integers(1, 12))
def test_tearing_never_reads_beyond_the_text(text, start, length):
    """Any span of any text is judged; one that covers all is never torn."""
    end = min(len(text), start + length)
    if start < end:
        assert _torn(text, [Span(start, end, Label.PATIENT, "x", 1.0, 1)]) in (True, False)
    assert not _torn(text, [Span(0, len(text), Label.PATIENT, "x", 1.0, 1)])


def settled(values, text, *spans, datatype="ST", element="OBX-8"):
    """What becomes of a scanned string that taggers have seen: its handling, and how many drop."""
    segment = TextSegment(f"{element}[1]", element, datatype, text)
    message = Message("hl7v2", "ORU^R01", (segment,), None)
    proved = settle(values, message, Proved((SCAN,)), {segment.path: tuple(spans)})
    (action,) = proved.actions
    return action.handling, proved.dropped


@pytest.mark.parametrize("text", ["Quibbleworth", "Okonkwo", "OKONKWO", "415-555-2671", "83920174"])
def test_a_string_with_a_stray_name_or_number_goes(values, text):
    """What nothing explains in a string that is no text is dropped, and counted."""
    assert settled(values, text) == (Handling.DROP, 1)


@pytest.mark.parametrize(
    ("text", "handling"),
    [
        ("Cardiology, attn. Peverell-Onslowe", Handling.DROP),
        ("Cardiology service", Handling.SCAN),
        ("Privacy consent Okonkwo", Handling.DROP),
    ],
)
def test_a_scanned_display_has_words_of_care(values, text, handling):
    """Wherever a code stands, its display names nobody, whatever code is beside it."""
    segment = TextSegment("/a/coding/0/display", "X.a.coding.display", "Coding.display", text)
    message = Message("fhir", "X", (segment,), None)
    proved = settle(values, message, Proved((SCAN,)), {})
    assert [action.handling for action in proved.actions] == [handling]


@pytest.mark.parametrize(
    ("element", "datatype", "text", "handling"),
    [
        ("PV1-3.1", "PL.1", "ANSGAR", Handling.DROP),
        ("PV1-3.1", "PL.1", "ICU", Handling.SCAN),
        ("PID-13.9", "XTN.9", "2392 41-7736", Handling.DROP),
        ("PID-13.9", "XTN.9", "evenings", Handling.SCAN),
        ("PV2-3.2", "CE.2", "ROTATOR CUFF TEAR L SHOULDER", Handling.SCAN),
    ],
)
def test_likely_names_and_numbers_beside_people_go(values, element, datatype, text, handling):
    """A ward or the text of a telephone number has no context by which a tagger finds a name."""
    assert settled(values, text, datatype=datatype, element=element)[0] == handling


@pytest.mark.parametrize(
    ("element", "text", "handling"),
    [
        ("Immunization.protocolApplied.series", "1-Okonkwo", Handling.DROP),
        ("Immunization.protocolApplied.series", "2-dose", Handling.SCAN),
        ("Device.deviceName.name", "Stryker Mako", Handling.SCAN),
        ("Observation.valueString", "Okonkwo", Handling.SCAN),
        ("Observation.component.valueString", "Okonkwo", Handling.SCAN),
    ],
)
def test_a_string_of_fhir_that_is_no_result_names_nobody(values, element, text, handling):
    """A short string has no context; the value of a result is read as a text."""
    segment = TextSegment("/a", element, "string", text)
    proved = settle(values, Message("fhir", "X", (segment,), None), Proved((SCAN,)), {})
    assert [action.handling for action in proved.actions] == [handling]


@pytest.mark.parametrize("text", ["final", "HIGH", "not detected", "2.5.1", "refill"])
def test_a_string_of_known_words_stays_scanned(values, text):
    """Words of codes, and short figures, explain themselves."""
    assert settled(values, text) == (Handling.SCAN, 0)


def test_what_is_covered_is_not_stray(values):
    """A name that a span replaces leaves nothing to drop."""
    assert settled(values, "Okonkwo", span("Okonkwo", "Okonkwo")) == (Handling.SCAN, 0)


def test_texts_and_results_are_not_asked_for_strays(values):
    """Text types, results, and strings as long as a sentence have a context that taggers read."""
    assert settled(values, "Okonkwo", datatype="TX") == (Handling.SCAN, 0)
    assert settled(values, "Okonkwo", element="OBX-5") == (Handling.SCAN, 0)
    assert settled(values, "seen by old Okonkwo") == (Handling.SCAN, 0)
    assert settled(values, "Okonkwo" + "," * BRIEF) == (Handling.SCAN, 0)


@pytest.mark.parametrize("text", ["  F  ", "F ", " F"])
def test_blanks_around_a_code_are_no_part_of_it(values, text):
    """A code that a sender fills with blanks is proved without them."""
    place = values.places["hl7v2"].place("PID-8", "IS")
    assert values.checks.proves(place, text, ())


@pytest.mark.parametrize("text", [" Okonkwo ", "\tF", "  83920174"])
def test_blanks_around_prove_nothing(values, text):
    """A name or number is none the less one for blanks, and a tab is no blank."""
    place = values.places["hl7v2"].place("PID-8", "IS")
    assert not values.checks.proves(place, text, ())


@pytest.mark.parametrize(
    ("code", "system", "stays"),
    [
        ("44054006", "SCT", True),
        ("E11.9", "I10", True),
        ("44054007", "SCT", False),
        ("44054006", "L", False),
        ("Okonkwo", "SCT", False),
        ("seen by Okonkwo", "I10", False),
        ("OKONKWO", "HGNC", False),
        ("1102003", "RXNORM", False),
        ("5755550177", "NDC", False),
        ("24047291", "USGSGNIS", False),
        ("19570107", "SCT", False),
        ("C0011849", "UML", True),
    ],
)
@pytest.mark.parametrize("element", ["PRB-3", "OBR-31", "PV2-3"])
def test_a_scanned_code_of_a_published_system_stays(values, element, code, system, stays):
    """A code in a place for text stays if it proves itself, not because it says whose it is."""
    parts = {1: code, 2: "Type 2 diabetes", 3: system}
    segments = tuple(
        TextSegment(f"{element}.{n}", f"{element}.{n}", f"CWE.{n}", text)
        for n, text in parts.items()
    )
    proved = values.judge(Message("hl7v2", "ORU^R01", segments, None), [SCAN, SCAN, KEEP])
    assert (proved.actions[0] == KEEP) == stays
