"""Linear support vector machines over windows."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")

from adapter.errors import RuleError
from adapter.evaluate.annotations import Annotated, Mention
from adapter.methods.arrays import packed, unpacked
from adapter.methods.linear.svc import FILE, LinearGazetteerMethod, LinearMethod
from adapter.methods.prediction import spans_in

NAMES = ("Ana", "Bruno", "Carla", "Dieter", "Elena", "Femi", "Gustavo", "Hilda")


def texts(kind="PATIENT"):
    """Notes with a name after a cue; without a type none is marked."""
    for name in NAMES:
        mentions = (Mention(8, 8 + len(name), kind),) if kind else ()
        yield Annotated(name, f"Nombre: {name}.\nSin fiebre.", "es", mentions)


def test_two_classes_have_two_scores(spanish):
    """Texts of one type alone are learned as well."""
    learned = LinearMethod().learn(tuple(texts()), spanish)
    found = spans_in("Nombre: Carla.\nSin tos.", {}, learned, spanish)
    assert [(span.start, span.end, str(span.label)) for span in found] == [(8, 13, "PATIENT")]


def test_texts_without_mentions_teach_nothing(spanish):
    """Texts without a mention are a clear error."""
    with pytest.raises(RuleError):
        LinearMethod().learn(tuple(texts("")), spanish)
    with pytest.raises(RuleError):
        LinearMethod().learn((), spanish)


def test_gazetteers_find_names_not_seen(spanish):
    """With gazetteers a name in a list is taken as the names learned from."""
    learned = LinearGazetteerMethod().learn(tuple(texts()), spanish)
    assert [span.start for span in spans_in("Nombre: Beatriz.", {}, learned, spanish)] == [8]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("types", np.array(["O", "no such type"])),
        ("biases", np.zeros(5, np.float32)),
        ("indices", np.array([1 << 30], np.int32)),
        ("indptr", np.array([0, 9], np.int32)),
    ],
)
def test_broken_weights_are_named(spanish, name, value):
    """Weights that do not fit one another are a clear error."""
    files = LinearMethod().learn(tuple(texts()), spanish).files()
    arrays = unpacked(files, FILE, ("types", "biases", "data", "indices", "indptr"))
    with pytest.raises(RuleError):
        LinearMethod().read({FILE: packed(arrays | {name: value})}, spanish)
