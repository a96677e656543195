"""What a model found ends where the mention ends."""

from __future__ import annotations

import pytest

from adapter.resolve.trim import trim
from adapter.types import Label, Span
from tests.wording import WORDS


def _trimmed(marked, label, source="crf"):
    """Return what is left of the part of a text in brackets."""
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    (span,) = trim(text, [Span(start, end, label, source, 0.9, 75)], WORDS.context)
    return text[span.start : span.end]


@pytest.mark.parametrize(
    ("marked", "label", "left"),
    [
        ("seen in [October.] No fever", Label.DATE, "October"),
        ("in [1993 y] 1994", Label.DATE, "1993"),
        ("[Anna Roe and] her son", Label.PATIENT, "Anna Roe"),
        ("Remitido por: [Doctora Marta Ruiz].", Label.DOCTOR, "Marta Ruiz"),
        ("write to [ana@example.] Thanks", Label.EMAIL, "ana@example"),
        ("Domicilio: [Avda. Valdecilla, 1.] Telf.", Label.STREET, "Avda. Valdecilla, 1"),
        ("ingresa en [Hospital Universitario.] Alta", Label.HOSPITAL, "Hospital Universitario"),
        ("Vive en [calle Almendralejo con su] hija", Label.STREET, "calle Almendralejo"),
    ],
)
def test_what_is_no_part_of_a_mention_is_cut_off(marked, label, left):
    """A title before a name, a conjunction and the full stop of a sentence behind a mention."""
    assert left == _trimmed(marked, label)
    assert left == _trimmed(marked, label, "crf:OWN")


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("lives in [D.F.] now", Label.CITY),
        ("signed [J.] at", Label.DOCTOR),
        ("at [Heart Assoc.] today", Label.HOSPITAL),
        ("on [Oak St.] Alone", Label.STREET),
        ("[Rose E] came", Label.PATIENT),
        ("[Doctor] came", Label.DOCTOR),
    ],
)
def test_parts_of_a_mention_stay(marked, label):
    """The point of an abbreviation, an initial, and a word that is the whole mention stay."""
    start, end = marked.index("["), marked.index("]")
    assert marked[start + 1 : end] == _trimmed(marked, label)


def test_of_a_full_stop_alone_nothing_is_left():
    """A learned span of it is no mention."""
    stop = Span(11, 12, Label.DATE, "crf", 0.9, 75)
    assert [] == trim("until today.", [stop], WORDS.context)


@pytest.mark.parametrize("source", ["dates.month", "field", "variants"])
def test_rules_and_phrases_are_not_trimmed(source):
    """Only what a model found is trimmed: the others have the extent they were written with."""
    assert "October." == _trimmed("in [October.] No", Label.DATE, source)
