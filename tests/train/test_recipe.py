"""Recipes: what they may say, and what they may not."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.evaluate.annotations import Mention
from adapter.taggers.crf.features import GROUPS
from adapter.train.recipe import By, ChainPlan, CorpusPlan, read_recipe
from tests.train.training_runs import RECIPE, recipe


@pytest.fixture
def written(tmp_path):
    """Reads a recipe of a text."""

    def read(text):
        (tmp_path / "recipe.toml").write_text(text)
        return read_recipe(tmp_path / "recipe.toml")

    return read


def test_a_recipe_is_what_its_file_says(written):
    """Chains, corpora and parameters come from the file, the rest is as by default."""
    plan = written(RECIPE)
    assert ("en", "notes", 2) == (plan.language, plan.target, plan.folds)
    assert (
        ChainPlan("names", frozenset({"PATIENT", "DOCTOR"})),
        ChainPlan("quantities"),
    ) == plan.chains
    assert (CorpusPlan("notes.jsonl", "own", "notes", scored=True),) == plan.corpora
    assert {"max_iterations": 20, "c2": 0.1} == plan.learning.parameters
    assert GROUPS == plan.groups


def test_a_recipe_says_which_corpora_are_our_own_and_what_is_held_out(written):
    """``own`` puts a corpus below ``models/``; ``by`` makes folds of whole files."""
    text = RECIPE.replace("folds = 2", 'folds = 2\nby = "file"')
    plan = written(text.replace('licence = "own"', 'licence = "own"\nown = true'))
    assert plan.corpora[0].own
    assert By.FILE is plan.by


def test_groups_of_features_can_be_left_out(written):
    """Groups named by ``off`` are not learned from; the order of the others stays."""
    plan = written(RECIPE.replace("[learning]", '[features]\noff = ["quotes", "word"]\n[learning]'))
    assert tuple(group for group in GROUPS if group not in ("quotes", "word")) == plan.groups


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[learning]", '[features]\noff = ["smell"]\n[learning]', "no such group: 'smell'"),
        ('language = "en"', "", "is not a recipe"),
        ('licence = "own"', 'licences = "own"', "is not a recipe"),
        ("folds = 2", "fold = 2", "is not a recipe"),
        ("folds = 2", "folds = ", "is not a recipe"),
        ("folds = 2", "phases = 3", "must be 1 or 2"),
        ("folds = 2", 'by = "word"', "is not a recipe"),
        ("[[chain]]", "[[chain]]\n[[chain]]", "is not a recipe"),
    ],
)
def test_what_no_recipe_can_say_is_refused(written, old, new, problem):
    """An unknown key or group, a missing part and bad TOML are each a RuleError."""
    with pytest.raises(RuleError, match=problem):
        written(RECIPE.replace(old, new))


def test_a_missing_recipe_is_refused(tmp_path):
    """A file that is not there is named."""
    with pytest.raises(RuleError, match=r"none\.toml"):
        read_recipe(tmp_path / "none.toml")


def test_shipped_recipes_are_read(repository):
    """Each language's recipe is one, in the language of its folder."""
    for file in (repository / "models").glob("*/recipe.toml"):
        plan = read_recipe(file)
        assert file.parent.name == plan.language
        assert any(corpus.scored for corpus in plan.corpora)


def test_a_label_is_learned_by_one_chain():
    """A chain that names a label learns it, else the one that names none."""
    plan = recipe(chains=(ChainPlan("names", frozenset({"PATIENT"})), ChainPlan("rest")))
    assert ["names", "rest"] == [plan.chain_of(label) for label in ("PATIENT", "DATE")]


def test_a_label_no_chain_learns_is_refused():
    """Nothing that is annotated is left unlearned by accident."""
    with pytest.raises(RuleError, match="no chain learns 'DATE'"):
        recipe(chains=(ChainPlan("names", frozenset({"PATIENT"})),)).chain_of("DATE")


@pytest.mark.parametrize(
    ("labels", "types", "expected"),
    [
        ("type", {}, "NAME"),
        ("source", {}, "NOMBRE"),
        ("type", {"NAME": "PATIENT"}, "PATIENT"),
        ("type", {"NAME": ""}, ""),
    ],
)
def test_the_label_of_a_mention(labels, types, expected):
    """It is our type or the corpus's own, mapped as the corpus's plan says."""
    mention = Mention(0, 3, "NAME", "NOMBRE")
    plan = CorpusPlan("x", types=types)
    assert expected == recipe(labels=labels).label_of(mention, plan)


@pytest.mark.parametrize(
    ("text", "key"), [("", "language"), ('language = "en"\n', "corpus"), ("[[chain]]\n", "name")]
)
def test_a_missing_key_is_named(written, text, key):
    """With the file that lacks it."""
    with pytest.raises(RuleError, match=rf"recipe.toml: is not a recipe: it has no {key}$"):
        written(text)
