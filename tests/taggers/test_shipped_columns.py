"""Tables in the languages of the shipped rules: who is named under the heads of each language."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from adapter.rules.compile import compile_language, without_models
from adapter.rules.folder import rules_folder
from adapter.taggers.attributes import AttributeTagger
from adapter.taggers.document.document import read
from adapter.types import Span, Veto
from tests.corpus.runs import settings

if TYPE_CHECKING:
    from adapter.pipeline.language import Language

PEOPLE = [
    ("en", "Visitor", "Time"),
    ("en", "Surgeon", "Procedure"),
    ("de", "Besucher", "Uhrzeit"),
    ("de", "Operateur", "Eingriff"),
    ("es", "Visitante", "Hora"),
    ("es", "Cirujano", "Intervención"),
    ("fr", "Visiteur", "Heure"),
    ("fr", "Chirurgien", "Acte"),
]
THINGS = [
    ("en", "Dose"),
    ("en", "Dosage"),
    ("de", "Dosis"),
    ("de", "Dosierung"),
    ("es", "Dosis"),
    ("es", "Frecuencia"),
    ("fr", "Dose"),
    ("fr", "Posologie"),
]
NAMES = {"en": "Name", "de": "Name", "es": "Nombre", "fr": "Nom"}
PROBLEMS = [
    ("en", "Diagnosis", "Parkinson"),
    ("de", "Diagnose", "Parkinson"),
    ("es", "Diagnóstico", "Parkinson"),
    ("fr", "Maladie", "Parkinson"),
]


@cache
def _compiled(code: str) -> Language:
    said = without_models(settings())
    return compile_language(rules_folder(said), code, said)


def _found(code: str, text: str) -> list[Span | Veto]:
    language = _compiled(code)
    (tagger,) = (each for each in language.taggers if isinstance(each, AttributeTagger))
    return list(tagger.find(read(text, code, language.sections)))


@pytest.mark.parametrize(("code", "head", "other"), PEOPLE)
def test_a_cell_under_a_head_for_people_is_a_name(code, head, other):
    """A name that no list has is found in a column of people."""
    text = f"{other}\t{head}\nx\tThibaultine Ashgrovian\n"
    spans = [item for item in _found(code, text) if isinstance(item, Span)]
    assert [text[span.start : span.end] for span in spans] == ["Thibaultine Ashgrovian"]


@pytest.mark.parametrize(("code", "other"), THINGS)
def test_names_of_drugs_are_no_people(code, other):
    """Beside a column of doses, the column of names has names of drugs."""
    text = f"{NAMES[code]}\t{other}\nThibaultine\t5 mg\n"
    assert not [item for item in _found(code, text) if isinstance(item, Span)]


@pytest.mark.parametrize(("code", "head", "cell"), PROBLEMS)
def test_an_eponym_under_a_head_for_diseases_is_vetoed(code, head, cell):
    """A cell that is an eponym names nobody in a column of diseases."""
    text = f"x\t{head}\ny\t{cell}\n"
    vetoed = [text[v.start : v.end] for v in _found(code, text) if isinstance(v, Veto)]
    assert cell in vetoed
