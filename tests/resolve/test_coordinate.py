"""People listed side by side: one member that was found makes its neighbours people."""

from __future__ import annotations

import pytest

from adapter.resolve import Options, resolve
from adapter.types import Label, Span, Veto

_OPTIONS = Options(
    frozenset({"smith", "cardiology", "sodium"}),
    shared=frozenset({"smith"}),
    dotted=frozenset({"trach"}),
)


def _marked(text: str, name: str, *vetoes: Veto) -> list[str]:
    start = text.index(name)
    span = Span(start, start + len(name), Label.DOCTOR, "model", 0.9, 75)
    (spans,), _ = resolve([text], [[span, *vetoes]], _OPTIONS)
    return [text[one.start : one.end] for one in spans]


@pytest.mark.parametrize(
    ("text", "name", "marked"),
    [
        ("Lund/Vest-Mo/Ramnar", "Ramnar", ["Lund", "Vest-Mo", "Ramnar"]),
        ("Anes: Nakag>Ferruc 1500", "Ferruc", ["Nakag", "Ferruc"]),
        ("handoff Ferruc -> Nakag 0700", "Ferruc", ["Ferruc", "Nakag"]),
        ("tubes: Lund <-> Ramnar", "Ramnar", ["Lund", "Ramnar"]),
        ("of DUNSH,O and RAMNAR,J", "RAMNAR,J", ["DUNSH,O", "RAMNAR,J"]),
        ("CC: QUILL, MAVIS; DUNSH, OTTO", "QUILL, MAVIS", ["QUILL, MAVIS", "DUNSH, OTTO"]),
        ("Smith/Ramnar", "Ramnar", ["Smith", "Ramnar"]),
        ("Cardiology/Ramnar", "Ramnar", ["Ramnar"]),
        ("Trach/Ramnar", "Ramnar", ["Ramnar"]),
        ("EKG/Ramnar", "Ramnar", ["Ramnar"]),
        ("SODIUM,K; LUND,J", "LUND,J", ["LUND,J"]),
        ("Ramnar; Lasix given", "Ramnar", ["Ramnar"]),
    ],
)
def test_neighbours_of_a_person(text: str, name: str, marked: list[str]) -> None:
    """Members of the same form are marked, words and abbreviations are not."""
    assert _marked(text, name) == marked


def test_a_veto_keeps_a_neighbour() -> None:
    """A neighbour that a veto covers stays."""
    veto = Veto(0, 5, "eponym.thing", frozenset(), 80)
    assert _marked("Foley/Ramnar", "Ramnar", veto) == ["Ramnar"]
