"""Names behind a title or kin, and labelled numbers, stay covered whatever a learned model says."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.resolve import resolve
from adapter.rules.compile import compile_language
from adapter.rules.folder import rules_folder
from adapter.taggers.crf.arbitration import arbitrated
from adapter.taggers.document.document import read
from adapter.taggers.trusted.index import NOBODY
from adapter.types import Label, Span, Veto
from tests.corpus.runs import settings as shipped

CUES = {
    "es": (
        "la Dra.", "el Dr.", "Dra.", "D.", "Dña.", "Sr.", "la Sra.", "el señor", "la señora",
        "la doctora", "don", "doña", "su hija", "su hijo", "su esposa", "su marido", "su madre,",
        "mi hermano", "la hija", "su tía", "su primo", "su abuela", "su pareja", "su cuidadora",
        "su vecino",
    ),
    "de": (
        "Dr.", "Prof. Dr.", "Dr. med.", "Herr", "Frau", "Herrn", "Fr.", "OA Dr.", "Oberarzt Dr.",
        "ihre Tochter", "sein Sohn", "die Ehefrau", "ihr Ehemann", "seine Mutter,", "ihr Bruder",
        "die Lebensgefährtin", "ihre Enkelin", "der Schwiegersohn", "seine Nichte",
    ),
    "en": (
        "Dr.", "Dr", "Mr.", "Mrs.", "Ms.", "Miss", "Prof.", "Rev.", "her daughter", "his son",
        "his wife", "her husband", "the mother,", "her sister", "his brother", "grandmother",
    ),
}  # fmt: skip
"""Titles and kin as they are written before a name."""
REST = {
    "es": " en la consulta de hoy, sin cambios en el tratamiento habitual ni otras incidencias.",
    "de": " in der heutigen Sprechstunde, ohne Änderung der bisherigen Therapie und ohne Fieber.",
    "en": " in clinic today, without any change to the usual treatment and with no new complaint.",
}
LEADS = {"es": "Se habla con ", "de": "Heute gesehen: ", "en": "Seen today with "}
NUMBERS = {
    "es": ("NHC 4410273", "NHC: 4410273", "NIF 12345678Z", "NASS 281234567840",
           "teléfono 655120345", "tfno. 912345678", "historia clínica nº 998877",
           "CIP ABCD123456789012"),
    "de": ("Vers.-Nr. A123456789", "KVNR B987654321", "Tel. 030 1234567", "Fallnummer 4711089"),
    "en": ("MRN 4410273", "MRN: 4410273", "SSN 219-09-9999", "phone 603-555-0176"),
}  # fmt: skip


@cache
def language(code):
    """The shipped language."""
    said = shipped()
    return compile_language(rules_folder(said), code, said)


@cache
def names(code):
    """(given, family) names of many people that are no cue or stop word of their language."""
    lexicons = rules_folder(shipped()).lexicons(code)
    found = []
    for part in ("given", "family"):
        strengths = lexicons[f"{code}-{part}"].strengths
        common = sorted(strengths, key=lambda name: (-strengths[name], name))[:600]
        medical = lexicons[f"{code}-medical"].strengths
        words = (name for name in common if name.isalpha() and len(name) > 3)
        found.append([word.capitalize() for word in words if word not in medical])
    return found


def covered(spans):
    """The places that spans cover."""
    return {at for span in spans for at in range(span.start, span.end)}


@cache
def read_by_rules(code, text):
    """What the rules alone say of a text."""
    spoken = language(code)
    document = read(text, code, spoken.sections)
    return [item for tagger in spoken.taggers for item in tagger.tag(document, NOBODY)]


def stands(code, text, learned):
    """The spans of a text where the learned model said this."""
    spoken = language(code)
    found = arbitrated(text, read_by_rules(code, text), learned, spoken.sure)
    return resolve([text], [found], spoken.options)[0][0]


@st.composite
def mentions(draw):
    """A language, a text with a cue and a name, and the name's place in it."""
    code = draw(st.sampled_from(sorted(CUES)))
    given_names, family = names(code)
    cue = draw(st.sampled_from(CUES[code]))
    name = draw(st.sampled_from(given_names)) + " " + draw(st.sampled_from(family))
    lead = draw(st.sampled_from(("", LEADS[code])))
    rest = draw(st.sampled_from((".", REST[code])))
    text = f"{lead}{cue} {name}{rest}"
    start = len(lead) + len(cue) + 1
    return code, text, start, start + len(name)


@st.composite
def said(draw, text):
    """Spans that a learned model might say."""
    spans = []
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        label = draw(st.sampled_from((Label.PATIENT, Label.CITY, Label.DATE, Label.HOSPITAL)))
        spans.append(Span(start, end, label, "crf", 0.9, 75))
    return spans


def stays_covered(data):
    """Draw a mention and what a model says; its name is covered."""
    code, text, start, end = data.draw(mentions())
    spans = stands(code, text, data.draw(said(text)))
    left = "".join(text[at] for at in sorted(set(range(start, end)) - covered(spans)))
    assert not any(map(str.isalnum, left)), (code, text, left)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_a_title_or_kin_vouches_for_is_covered_under_any_model(data):
    """In each language, with any spans a model might give, short texts too."""
    stays_covered(data)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(st.data())
def test_what_a_title_or_kin_vouches_for_is_covered_under_any_model_at_length(data):
    """The same, with many more names and spans."""
    stays_covered(data)


@pytest.mark.parametrize(("code", "number"), [(c, n) for c, row in NUMBERS.items() for n in row])
def test_labelled_numbers_are_covered_under_any_model(code, number):
    """With a model that finds nothing, and in a text too short for a model."""
    for text in (f"{LEADS[code]}{number}{REST[code]}", number):
        digits = {at for at, c in enumerate(text) if c.isdigit()}
        assert digits <= covered(stands(code, text, []))


def test_only_named_rules_vouch():
    """A rule without a cue yields to what was learned; a veto never vouches."""
    found = read_by_rules("en", "Seen by Dr. Ruiz in Boston on 3/14/2024")
    sure = {item.source for item in found if not isinstance(item, Veto) and item.sure}
    assert "names.title" in sure
    assert not any(source.startswith(("places", "proper")) for source in sure)
