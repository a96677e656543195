"""A neural model for the pipeline: its recipe, its card, and that the pipeline can open it."""

from __future__ import annotations

import json
import tomllib

import numpy as np
import pytest

from adapter.errors import RuleError
from adapter.methods.bilstm_crf import shipping
from adapter.methods.bilstm_crf.graph import exported
from adapter.methods.bilstm_crf.shipping import Learning, read_neural_recipe
from adapter.methods.bilstm_crf.tagger import BiLstmCrfTagger
from adapter.methods.resources import resources_of
from adapter.rules.networks import load_neural
from adapter.taggers.neural.vectors import Vectors
from tests.methods.bilstm_crf.networks import VOCABULARY, parameters
from tests.taggers.neural.networks import MOVES, NAME, SEX, SMALL, onnx_file

RECIPE = """\
language = "es"
method = "bilstm-crf"
seed = 7
labels = "source"
share = 0.4
[thresholds."0.95"]
all = 0.5
[[corpus]]
path = "train.jsonl"
licence = "made"
[[corpus]]
path = "dev.jsonl"
licence = "made"
scored = true
"""


def text(number, name="Jarnol Queldrano"):
    """A text with a name, and with a mention that our scheme does not have."""
    written = f"mujer {name}\n"
    person = {"start": 6, "end": 6 + len(name), "type": "PATIENT", "orig": NAME}
    sex = {"start": 0, "end": 5, "orig": SEX}
    line = {"id": str(number), "text": written, "lang": "es"}
    return json.dumps(line | {"spans": [person], "extra_spans": [sex]}) + "\n"


class Learned:
    """Stands for the learning, which takes minutes: gives the small network, keeps the texts."""

    def __init__(self, texts):
        self.texts = texts

    def learn(self, texts, resources, copies=()):
        """The small network."""
        del resources
        self.texts += [*texts, *copies]
        return BiLstmCrfTagger.of(onnx_file(), SMALL, MOVES)


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A model's folder, and the texts it was learned from."""
    (tmp_path / "train.jsonl").write_text(text(1) + text(2))
    (tmp_path / "dev.jsonl").write_text(text(3) + text(4, "Aurelio Benavides"))
    (tmp_path / "recipe.toml").write_text(RECIPE)
    texts = []
    monkeypatch.setattr(shipping, "BiLstmCrf", lambda: Learned(texts))
    learning = Learning.of(read_neural_recipe(tmp_path / "recipe.toml"), tmp_path, tmp_path)
    resources = resources_of("es")
    tagger = shipping.learn(learning, resources)
    shipping.write(tmp_path / "es" / "neural", learning, tagger, resources)
    return tmp_path / "es", texts


def test_copies_in_another_case_are_learned_too(tmp_path, monkeypatch):
    """A recipe may say for which share of the texts."""
    (tmp_path / "train.jsonl").write_text(text(1) + text(2))
    (tmp_path / "dev.jsonl").write_text(text(3))
    recipe = RECIPE.replace("[[corpus]]", "[recased]\nupper = 1.0\n[[corpus]]", 1)
    (tmp_path / "recipe.toml").write_text(recipe)
    texts = []
    monkeypatch.setattr(shipping, "BiLstmCrf", lambda: Learned(texts))
    read = read_neural_recipe(tmp_path / "recipe.toml")
    shipping.learn(Learning.of(read, tmp_path, tmp_path), resources_of("es"))
    assert [one.id for one in texts] == ["1", "2", "1#upper", "2#upper"]


def test_the_corpus_own_labels_are_learned_from_what_is_not_scored(made):
    """Mentions outside our scheme too; texts that are scored are left out."""
    texts = made[1]
    assert ["1", "2"] == [one.id for one in texts]
    assert [(SEX, NAME)] * 2 == [tuple(m.type for m in one.mentions) for one in texts]


def test_the_pipeline_opens_what_is_written(made):
    """With the recipe's share and thresholds."""
    model = load_neural(made[0])
    assert (0.4, {"0.95": {"all": 0.5}}) == (model.share, model.thresholds)


def test_the_card_says_what_the_network_finds_alone(made):
    """By the official measures, on texts that were not learned from; with data and licences."""
    card = tomllib.loads((made[0] / "neural" / "card.toml").read_text())
    scores = card["scores"]["dev.jsonl"]
    ner = scores["ner"]
    assert (2, 1.0, 0.75) == (scores["documents"], ner["precision"], ner["recall"])
    (data,) = card["data"]
    assert ("train.jsonl", "made", 2, 4) == tuple(data.values())


def test_a_missing_corpus_is_named(tmp_path):
    """Before anything is learned."""
    (tmp_path / "recipe.toml").write_text(RECIPE)
    plan = read_neural_recipe(tmp_path / "recipe.toml")
    with pytest.raises(RuleError, match="does not exist") as refused:
        Learning.of(plan, tmp_path, tmp_path)
    assert "train.jsonl" == refused.value.place


VECTORS = """\
[vectors]
path = "es/vectors.bin"
origin = "GloVe"
licence = "PDDL 1.0"
"""


def test_vectors_of_the_recipe_are_learned_with_and_written(tmp_path, monkeypatch):
    """The learner gets them, the folder has them, and the card tells where they are from."""
    (tmp_path / "train.jsonl").write_text(text(1))
    (tmp_path / "dev.jsonl").write_text(text(2))
    (tmp_path / "recipe.toml").write_text(RECIPE.replace("[[corpus]]", VECTORS + "[[corpus]]", 1))
    plan = read_neural_recipe(tmp_path / "recipe.toml")
    with pytest.raises(RuleError, match="does not exist") as refused:
        Learning.of(plan, tmp_path, tmp_path)
    assert "es/vectors.bin" == refused.value.place
    content = Vectors.of(["mujer"], np.ones((1, 2), np.float32)).written()
    (tmp_path / "es").mkdir()
    (tmp_path / "es" / "vectors.bin").write_bytes(content)
    learning, given = Learning.of(plan, tmp_path, tmp_path), []

    class Learner:
        def learn(self, _, resources, _copies):
            given.append(resources.vectors)
            found = parameters(resources.vectors.width)
            return BiLstmCrfTagger.of(exported(found), VOCABULARY, moves, resources.vectors)

    moves = np.zeros((3, 3), np.float32)
    monkeypatch.setattr(shipping, "BiLstmCrf", Learner)
    tagger = shipping.learn(learning, resources_of("es"))
    shipping.write(tmp_path / "es" / "neural", learning, tagger, resources_of("es"))
    assert [b"mujer"] == given[0].words.tolist()
    folder = tmp_path / "es" / "neural"
    assert content == (folder / "vectors.bin").read_bytes()
    card = tomllib.loads((folder / "card.toml").read_text())
    assert {"path": "es/vectors.bin", "origin": "GloVe", "licence": "PDDL 1.0"} == card["vectors"]
    opened = load_neural(tmp_path / "es").network
    assert 2 == opened.vectors.width


def test_recipes_of_other_models_are_none(repository):
    """The CRF's recipe is not a network's; the shipped one is read."""
    assert read_neural_recipe(repository / "models/es/recipe.toml") is None
    plan = read_neural_recipe(repository / "models/es/neural/recipe.toml")
    assert ("es", {False}) == (plan.language, {corpus.scored for corpus in plan.corpora})


@pytest.mark.parametrize("old", ["seed = 7", 'path = "train.jsonl"', "share = 0.4", '"source"'])
def test_a_recipe_that_lacks_something_is_refused(tmp_path, old):
    """The file is named."""
    (tmp_path / "recipe.toml").write_text(RECIPE.replace(old, ""))
    with pytest.raises(RuleError, match="is not a recipe") as refused:
        read_neural_recipe(tmp_path / "recipe.toml")
    assert refused.value.place.endswith("recipe.toml")
