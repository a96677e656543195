"""Models made as their recipes say: reproducible, and they protect what they have learned."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapter.errors import RuleError
from adapter.taggers.document.document import read
from adapter.taggers.document.sections import SectionRules
from adapter.train import model
from adapter.train.examples import Reader
from adapter.train.fitting import Trainer
from adapter.train.model import Materials, TrainingRun, cross_validated
from adapter.train.recipe import ChainPlan
from adapter.types import Label
from tests.train.training_runs import (
    PLAN,
    WORDS,
    language,
    note,
    notes,
    recipe,
    training_run,
    write,
)

CHAINS = (ChainPlan("names", frozenset({"PATIENT", "DOCTOR"})), ChainPlan("quantities"))


@pytest.fixture(scope="module")
def made():
    """A training run of 40 notes and two chains."""
    return training_run(chains=CHAINS)


@pytest.fixture(scope="module")
def weights(made):
    """What it has learned."""
    return made.fitted(made.examples)


def labelled(tagger, text):
    """What a tagger finds in a text."""
    document = read(text, "en", SectionRules({}))
    return {(text[s.start : s.end], s.label) for s in tagger.predict(document, [])}


def test_the_tagger_protects_what_the_model_learned(made, weights):
    """Notes it has not seen, with names it has not seen, are read as those it has learned from."""
    tagger = made.tagger(weights)
    for number in range(200, 220):
        text = note(number, names="Barrowclough Ndiaye Vasquez Thorvaldsen".split())
        expected = {(text.text[m.start : m.end], Label(m.type)) for m in text.mentions}
        assert expected == labelled(tagger, text.text)


def test_learning_twice_gives_the_same_bytes(made, weights):
    """The same texts, recipe and seed give byte-identical weights."""
    assert weights == made.fitted(made.examples)
    assert weights == training_run(chains=CHAINS).fitted(training_run(chains=CHAINS).examples)


def test_folds_read_a_text_once(made, monkeypatch):
    """What has been read of a text for one fold is learned from in another, and not read again."""
    made = replace(made)
    first = made.fitted(made.examples[:20])
    monkeypatch.setattr(Reader, "sequences", lambda *_: pytest.fail("read again"))
    assert first == made.fitted(made.examples[:20])


def test_folds_may_take_fewer_draws_than_the_model(made):
    """Cross-validation learns in as many orders as its recipe says; the model keeps its own."""
    drafts = []
    learning = replace(made.recipe.learning, draws=2, fold_draws=1)
    made = replace(made, recipe=replace(made.recipe, learning=learning))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Trainer, "_learned", _counting(Trainer._learned, drafts))
        made.fold(0)
        in_folds = len(drafts)
        made.fitted(made.examples)
    assert (2, 4) == (in_folds, len(drafts) - in_folds)


def _counting(learned, drafts):
    def counted(self, seed):
        drafts.append(seed)
        return learned(self, seed)

    return counted


def test_a_model_of_the_corpus_s_labels_says_them():
    """Its spans have our label, and the corpus's own in their source."""
    made = training_run(labels="source")
    document = read(note(200).text, "en", SectionRules({}))
    spans = made.tagger(made.fitted(made.examples)).predict(document, [])
    assert {(Label.PATIENT, "crf:OWN_PATIENT"), (Label.DATE, "crf:OWN_DATE")} < {
        (span.label, span.source) for span in spans
    }


def test_domain_copies_leave_the_target_s_weights():
    """An adapted model protects its domain's texts, and has no feature of another."""
    made = training_run(adapt=True)
    tagger = made.tagger(made.fitted(made.examples))
    assert len(labelled(tagger, note(200).text)) == 3


def test_all_scored_texts_are_run_by_models_that_did_not_see_them(made):
    """Cross-validation gives each text once, the same in one process and in two."""
    held = cross_validated(made, 2)
    assert sorted(one.text.id for one in made.examples) == sorted(h.example.text.id for h in held)
    alone = [one for fold in range(made.recipe.folds) for one in made.fold(fold)]
    assert [one.found for one in alone] == [one.found for one in held]


@pytest.fixture
def materials(tmp_path, monkeypatch, repository):
    """What a recipe over a file of notes is followed with."""
    monkeypatch.setattr(model, "build_word_stats", lambda *_: WORDS)
    write(tmp_path / "notes.jsonl", notes(6))

    def of(**more):
        plan = recipe(corpora=(replace(PLAN, **more),))
        return Materials(plan, language(), {}, tmp_path, repository / "rules")

    return of


def test_a_kitchen_has_texts_and_copies(materials):
    """Each text is there with the copies its plan asks for, seeded."""
    made = TrainingRun.of(materials(copies=2))
    assert (6, 12) == (
        sum("#" not in one.text.id for one in made.examples),
        sum("#" in one.text.id for one in made.examples),
    )
    assert made.examples == TrainingRun.of(materials(copies=2)).examples


def test_a_recipe_may_name_its_word_statistics(materials):
    """They are read from the folder of models; a file that is missing is an error."""
    named = materials()
    french = named._replace(recipe=replace(named.recipe, words="fr/words.txt"))
    assert TrainingRun.of(french).words == (french.models / "fr/words.txt").read_text("utf-8")
    with pytest.raises(RuleError, match="not a readable file"):
        TrainingRun.of(named._replace(recipe=replace(named.recipe, words="fr/none.txt")))


def test_a_kitchen_takes_no_more_than_its_limit(materials):
    """A limit takes the first texts of a corpus."""
    made = TrainingRun.of(materials(limit=2))
    assert ["0", "1"] == [one.text.id for one in made.examples]


def test_texts_with_headers_are_learned_from_with_and_without_them(materials):
    """What a field would say may be missing when the model is used."""
    made = TrainingRun.of(materials(headers=True, limit=1))
    assert {False, True} == {one.trusting for one in made.examples}
    assert 2 == len(made.examples)
