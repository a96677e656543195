"""One text read by one language: a network beside the CRF, and memos that end."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import pytest

from adapter.pipeline.language import CONTEXT, find_in, tag
from adapter.rules.compile import compile_language
from adapter.rules.folder import rules_folder, shipped
from adapter.rules.models import load_model
from adapter.taggers.trusted.index import NOBODY
from adapter.types import Label, Span
from tests.corpus.runs import settings
from tests.taggers.neural.networks import model

TEXT = "Mujer de 58 años que acude hoy con dolor, junto a jarnol queldrano en la sala."
FOLDER = rules_folder(settings())


def learned(neural=None):
    """The shipped Spanish model, and the small network beside it."""
    folder, lexicons = shipped("models") / "es", FOLDER.lexicons("es")
    return load_model(folder, lexicons, 0.95, FOLDER.fields.joining, neural)[0]


@pytest.fixture(scope="module")
def spanish():
    """Spanish without a network, and with the small one."""
    shipped_ = compile_language(FOLDER, "es", settings())
    return replace(shipped_, learned=learned()), replace(shipped_, learned=learned(model()))


def covered(spans):
    """The places of a text that spans cover."""
    return {place for span in spans for place in range(span.start, span.end)}


def test_what_only_the_network_finds_is_found(spanish):
    """Words that neither rules nor the CRF know."""
    without, beside = (find_in(TEXT, NOBODY, one) for one in spanish)
    at = TEXT.index("jarnol")
    assert at not in covered(without)
    (name,) = [span for span in beside if span.start == at]
    assert ("jarnol queldrano", Label.PATIENT) == (TEXT[name.start : name.end], name.label)
    assert "crf:NOMBRE_SUJETO_ASISTENCIA" == name.source


def test_a_text_too_short_for_the_crf_is_not_read(spanish):
    """A lone word gives the network no context either."""
    text = "jarnol queldrano " + "x " * (CONTEXT - 3)
    assert [] == tag(text, NOBODY, spanish[1])
    assert tag(f"{text} y z", NOBODY, spanish[1])


def test_the_whole_language_returns_what_our_scheme_lacks(spanish):
    """Sex is no label of ours; with all of the corpus's labels it is OTHER."""
    own = "crf:SEXO_SUJETO_ASISTENCIA"
    assert own not in {span.source for span in find_in(TEXT, NOBODY, spanish[1])}
    found = tag(TEXT, NOBODY, spanish[1].whole())
    assert own in {item.source for item in found if isinstance(item, Span)}


def test_rules_that_are_let_go_are_forgotten(spanish):
    """What they found in brief texts does not hold them: a service loads its rules again."""
    language = replace(spanish[0])
    gone = weakref.ref(language)
    assert find_in("Paciente: Jarnol Queldrano acude hoy con dolor en la sala", NOBODY, language)
    assert find_in("Jarnol", NOBODY, language.by_rules) is not None
    del language
    gc.collect()
    assert gone() is None
