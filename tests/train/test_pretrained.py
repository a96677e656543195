"""Word statistics and vectors are written from a package of vectors."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from adapter.errors import RuleError
from adapter.taggers.crf.word_stats import WordStats
from adapter.taggers.neural.vectors import Vectors
from adapter.train import pretrained
from adapter.train.command import command_of

WORDS = ["de", ".", "Brest", "Élodie", "elodie", "toux"]


def package(words=WORDS):
    """What a package of vectors loads: its words by number, and a row for each."""
    data = np.random.default_rng(1).normal(size=(20, 6)).astype(np.float32)
    vectors = SimpleNamespace(
        key2row={100 + place: place for place in range(len(words))}, data=data
    )
    strings = {100 + place: word for place, word in enumerate(words)}
    return SimpleNamespace(load=lambda: SimpleNamespace(
        vocab=SimpleNamespace(vectors=vectors, strings=strings)
    ))  # fmt: skip


def installed(monkeypatch, loaded):
    """Put a package where an installed one would be found."""
    monkeypatch.setattr(pretrained, "find_spec", lambda _: loaded)
    monkeypatch.setattr(pretrained, "import_module", lambda _: loaded)


def test_statistics_and_vectors_are_of_the_most_common_words(tmp_path, monkeypatch):
    """Words of letters; vectors are by folded word, and as wide as asked."""
    installed(monkeypatch, package())
    given = ["fr_words", "--out", str(tmp_path), "--words", "3", "--width", "4", "--forms", "4"]
    CliRunner().invoke(command_of(pretrained.build), given, catch_exceptions=False)
    stats = WordStats.parse((tmp_path / "words.txt").read_text("utf-8"))
    vectors = Vectors.read((tmp_path / "neural" / "vectors.bin").read_bytes())
    assert {"de", "Brest", "Élodie", "elodie"} == set(stats.bands)
    assert (["brest", "de", "elodie"], 4) == ([w.decode() for w in vectors.words], vectors.width)


@pytest.mark.parametrize(("loaded", "why"), [(None, "packages spacy"), (package([]), "no vectors")])
def test_a_package_that_has_none_is_refused(monkeypatch, loaded, why):
    """It is not installed, or has no vectors."""
    installed(monkeypatch, loaded)
    with pytest.raises(RuleError, match=why):
        pretrained._opened("fr_words")
