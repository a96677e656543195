"""Which extents of a text may be terms."""

from __future__ import annotations

import pytest

from adapter.methods.induction.candidates import Grammar
from adapter.methods.induction.parting import parted
from adapter.methods.induction.seeds import Seeds
from adapter.methods.induction.words import WordCounts, read_words

SEEDS = Seeds(
    {
        "facility": ("Hospital de la Paz", "Hospital del Mar"),
        "person": ("Ana",),
        "age": ("38 años",),
    }
)
AROUND = ["Fue al hospital. El hospital y el servicio de zona.\n", "Correo: no.\n", "Correo: sí.\n"]


def found(text, *others):
    """The candidates of a text, as written."""
    read = [read_words(one) for one in (text, *AROUND, *others)]
    grammar = Grammar.of(read, SEEDS, WordCounts.of(read, frozenset(("servicio",))))
    return [" ".join(read[0].forms[a:b]) for a, b, _ in parted(read, grammar)[0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vio a Ana Soler Gil ayer", ["Ana Soler Gil"]),
        ("vio a Ana Soler Hospital de la Luz", ["Ana Soler", "Hospital de la Luz"]),
        ("vio a Ana Soler Servicio de Día", ["Ana Soler", "Servicio de Día"]),
        ("en Hospital 12 de Octubre hoy", ["Hospital 12 de Octubre", "12 de"]),
        ("vive en Vitoria-Gasteiz hoy", ["Vitoria - Gasteiz"]),
        ("firma J. Soler hoy", ["J . Soler"]),
        ("firma Ana Nº 7", ["Ana"]),
        ("firma Ana Correo: ana", ["Ana"]),
        ("el TAC de ella", []),
        ("de 38 años de edad", ["38 años"]),
        ("el 28029", ["28029"]),
        ("el (12/03/2024).", ["12 / 03 / 2024"]),
    ],
)
def test_names_end_where_another_word_begins(text, expected):
    """Heads, labels and marks cut a run of capitals; numbers come with the word behind."""
    assert expected == [item for item in found(text) if item != "Correo"]


def test_names_side_by_side_are_told_by_standing_alone():
    """Two names with nothing between them are two if each is often alone."""
    alone = ["vive en Brozas hoy\n", "vive en Portugal hoy\n"] * 8
    assert ["Brozas", "Portugal"] == found("vive en Brozas Portugal hoy", *alone)
    assert ["Brozas Portugal"] == found("vive en Brozas Portugal hoy")
