"""One text read by one language: learned taggers that add, and memos that end."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from adapter.pipeline.language import CONTEXT, find_in, tag
from adapter.rules.compile import compile_language
from adapter.rules.folder import rules_folder
from adapter.taggers.neural.tagger import NeuralTagger
from adapter.taggers.trusted.index import NOBODY
from adapter.types import Label
from tests.corpus.runs import settings
from tests.taggers.neural.networks import model

TEXT = "Mujer de 58 años que acude hoy con dolor, junto a jimena quintanar en la sala."
FOLDER = rules_folder(settings())
NEURAL = NeuralTagger(replace(FOLDER.resources("es"), neural=model()))


@pytest.fixture(scope="module")
def spanish():
    """Spanish as it is shipped, and with the small network beside it."""
    without = compile_language(FOLDER, "es", settings())
    return without, replace(without, adding=(NEURAL,))


def covered(spans):
    """The places of a text that spans cover."""
    return {place for span in spans for place in range(span.start, span.end)}


def test_what_only_the_network_finds_is_added(spanish):
    """A name in small letters, which neither rules nor the CRF know."""
    without, beside = (find_in(TEXT, NOBODY, one) for one in spanish)
    at = TEXT.index("jimena")
    assert at not in covered(without)
    (name,) = [span for span in beside if span.start == at]
    assert ("jimena quintanar", Label.PATIENT) == (TEXT[name.start : name.end], name.label)
    assert "neural:NOMBRE" == name.source


PARTS = st.sampled_from(
    [
        *("Jimena", "jimena", "Quintanar", "mujer", "de", "Dr.", "58 años", "NHC: 4008821", "\n"),
        *("Paciente:", "12/03/2019", "calle Mayor 5,", "28013 Madrid", "acude hoy"),
        *("Hospital La Paz", "Tel. 612345678"),
    ]
)


@limits(max_examples=40, deadline=None)
@given(parts=st.lists(PARTS, min_size=5, max_size=25))
def test_coverage_never_shrinks(spanish, parts):
    """Whatever is found without the network is covered with it."""
    text = " ".join(parts)
    without, beside = (find_in(text, NOBODY, one) for one in spanish)
    assert covered(without) <= covered(beside)


def test_what_is_added_is_no_evidence_for_the_crf(spanish):
    """All others find in a text what they find without it."""
    without, beside = (tag(TEXT, NOBODY, one) for one in spanish)
    assert without == [item for item in beside if not item.source.startswith("neural")]
    assert without != beside


def test_a_text_too_short_for_the_crf_is_not_read(spanish):
    """A lone word gives the network no context either."""
    text = "jimena quintanar " + "x " * (CONTEXT - 3)
    assert [] == tag(text, NOBODY, spanish[1])
    assert tag(f"{text} y z", NOBODY, spanish[1])


def test_the_whole_language_returns_what_our_scheme_lacks(spanish):
    """Sex is no label of ours; with all of the corpus's labels it is OTHER."""
    assert "neural:SEXO" not in {span.source for span in find_in(TEXT, NOBODY, spanish[1])}
    assert "neural:SEXO" in {item.source for item in tag(TEXT, NOBODY, spanish[1].whole())}


def test_rules_that_are_let_go_are_forgotten(spanish):
    """What they found in brief texts does not hold them: a service loads its rules again."""
    language = replace(spanish[0])
    gone = weakref.ref(language)
    assert find_in("Paciente: Jimena Quintanar acude hoy con dolor en la sala", NOBODY, language)
    assert find_in("Jimena", NOBODY, language.by_rules) is not None
    del language
    gc.collect()
    assert gone() is None
