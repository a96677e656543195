"""Learning asks for its libraries and for texts."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.evaluate.annotations import Annotated
from adapter.methods.bilstm_crf import method
from adapter.methods.bilstm_crf.method import BiLstmCrf
from adapter.methods.resources import resources_of


def test_a_missing_library_names_the_extra(monkeypatch):
    """Learning without jax says what to install."""

    def absent(name):
        raise ModuleNotFoundError(name=name and "jax")

    monkeypatch.setattr(method, "import_module", absent)
    with pytest.raises(RuleError, match="train-neural"):
        BiLstmCrf().learn([], resources_of("en"))


def test_texts_without_words_teach_nothing():
    """There is a clear error where no text has a word."""
    with pytest.raises(RuleError, match="no text"):
        BiLstmCrf().learn([Annotated("a", " \n", "en", ())], resources_of("en"))
