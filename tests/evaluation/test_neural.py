"""How a neural tagger's mentions are combined with the CRF's, and scored."""

from __future__ import annotations

from dataclasses import replace

from adapter.evaluate.annotations import Annotated, Mention
from adapter.rules.folder import Folder, shipped
from adapter.types import Label, Span
from tests.evaluation.neural import combined, compared, figures, row
from tests.taggers.neural.networks import model

TEXT = "mujer Jimena Quintanar y Aurelio"
RESOURCES = replace(Folder(shipped("rules")).resources("es"), neural=model())


def span(start, end, source, priority):
    """A patient's name."""
    return Span(start, end, Label.PATIENT, source, 0.9, priority)


def test_united_spans_cover_both_and_others_stand_beside():
    """The CRF's types win; "beside" leaves the CRF's extents as they are."""
    crf = [span(6, 12, "crf:NOMBRE", 75)]
    found = [span(6, 22, "neural:NOMBRE", 55), span(25, 32, "neural:NOMBRE", 55)]
    ways = combined(TEXT, crf, found)
    extents = {way: [(s.start, s.end, s.source) for s in spans] for way, spans in ways.items()}
    aurelio = (25, 32, "neural:NOMBRE")
    assert [(6, 22, "crf:NOMBRE"), aurelio] == extents["united"]
    assert [(6, 12, "crf:NOMBRE"), aurelio] == extents["beside"]


def test_each_way_is_scored_by_the_corpus_own_labels():
    """What one tagger misses the other finds: together they miss nothing."""
    name = Mention(6, 22, "PATIENT", "NOMBRE")
    other = Mention(25, 32, "PATIENT", "NOMBRE")
    text = Annotated("a", TEXT, "es", (name, other), (Mention(0, 5, "", "SEXO"),))
    line = {"id": "a", "spans": [{"start": 25, "end": 32, "type": "NOMBRE", "score": 0.9}]}
    found = compared([text], [line], RESOURCES)
    assert 0.5 == figures(found["crf"])[0]
    assert 0.8 == figures(found["neural"])[0]
    assert [1.0] * 3 == figures(found["united"]) == figures(found["beside"])
    assert row("united", found["united"]).endswith("1.0000 1.0000 1.00")
