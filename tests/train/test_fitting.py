"""Learning a chain: what is kept, and that domains' copies fold into one set of weights."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from adapter.errors import RuleError
from adapter.taggers.crf.weights import Weights
from adapter.train.fitting import Trainer, _folded, adapted, model_bytes
from adapter.train.recipe import Learning

ROWS = [["w=dr"], ["w=okafor", "cap"], ["w=slept"], ["cap"]]
LABELS = ["O", "B-DOCTOR", "O", "B-DOCTOR"]


def fitted(rows=ROWS, labels=LABELS, target="", seed=1, more=(), **learning):
    """A chain learned from one segment, and more of them, ten times each."""
    trainer = Trainer("names", Learning(**{"parameters": {"max_iterations": 20}, **learning}), seed)
    for _ in range(10):
        trainer.add(rows, labels)
        for stretch in more:
            trainer.add(*stretch)
    return trainer.fitted(target)


def test_weights_are_the_mean_over_draws():
    """Several orders of texts give the mean of what each gives alone."""
    said = {"least": 0.0, "more": [(ROWS[1:], LABELS[1:])]}
    one, two, both = fitted(**said), fitted(seed=2, **said), fitted(draws=2, **said)
    assert one.states != two.states
    for key, weight in both.states.items():
        mean = (one.states.get(key, 0.0) + two.states.get(key, 0.0)) / 2
        assert weight == pytest.approx(mean)


def test_outside_is_the_first_label():
    """The first column of a chain is the label of what is no mention."""
    assert ("O", "B-DOCTOR") == fitted().labels


def test_weights_tell_what_was_learned():
    """What always goes with a label speaks for it."""
    states = fitted().states
    assert states["cap", "B-DOCTOR"] > 0 > states.get(("w=slept", "B-DOCTOR"), -1)


def test_small_weights_are_left_out():
    """No weight nearer to zero than the least is kept."""
    assert all(abs(weight) >= 0.5 for weight in fitted(least=0.5).states.values())
    assert len(fitted(least=0.5).states) < len(fitted(least=0.0).states)


def test_the_same_data_give_the_same_bytes():
    """Learning is reproducible."""
    assert model_bytes([fitted()]) == model_bytes([fitted()])


def test_a_copy_of_each_feature_for_its_domain():
    """EasyAdapt keeps the general feature and adds its domain's."""
    assert [["a", "b", "news\x1fa", "news\x1fb"], []] == adapted([["a", "b"], []], "news")


@pytest.mark.parametrize("target", ["notes", "news"])
def test_folded_copies_score_as_the_copies_would(target):
    """Weights with the target's copies folded in equal those of explicitly adapted rows."""
    states = {
        ("a", "X"): 0.5, ("notes\x1fa", "X"): 0.25, ("news\x1fa", "X"): -1.0,
        ("b", "X"): 0.125, ("notes\x1fc", "X"): 2.0,
    }  # fmt: skip
    folded = _folded(states, target)
    for row in (["a"], ["a", "b"], ["c"], ["a", "b", "c", "d"]):
        explicit = sum(states.get((name, "X"), 0.0) for name in adapted([row], target)[0])
        assert explicit == sum(folded.get((name, "X"), 0.0) for name in row)


def test_copies_of_other_domains_fall():
    """A packed model has no feature of a domain."""
    trainer = Trainer("all", Learning(parameters={"max_iterations": 20}))
    for domain in ("notes", "news"):
        for _ in range(10):
            trainer.add(adapted(ROWS, domain), LABELS)
    chains = Weights.parse(model_bytes([trainer.fitted("notes")]))
    assert chains.attributes
    assert not [name for name in chains.attributes if "\x1f" in name]


def test_what_is_packed_is_what_was_learned():
    """Labels, transitions and weights come back as they were, to the precision they have."""
    one = fitted()
    chains = Weights.parse(model_bytes([one]))
    assert one.labels == chains.chains[0].labels
    assert np.allclose(one.transitions, chains.chains[0].transitions, atol=1e-4)
    for (name, label), weight in one.states.items():
        cell = chains.table[chains.attributes[name], one.labels.index(label)]
        assert np.float32(weight) == cell


def test_a_model_without_weights_is_refused():
    """A feature of one text may be rarer than the least number of times."""
    chain = fitted(rows=[["w=a"]], labels=["O"], least=9.0)
    with pytest.raises(RuleError, match="too few texts"):
        model_bytes([chain])


def test_learning_starts_no_thread_that_draws():
    """The threads of onnxruntime call rand(), by which CRFsuite's order of texts is drawn."""
    code = "import sys, adapter.cli.taggers.train; sys.exit('onnxruntime' in sys.modules)"
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
