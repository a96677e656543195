"""Recall from a stratified sample: the interval covers the truth as often as it says."""

from __future__ import annotations

import numpy as np
import pytest

from adapter.review.figures.estimation import Reading, estimate
from adapter.review.figures.sampling import draw, stratum

STRATA = (("ORU short", 1800, 6, 0.006), ("ORU long", 750, 25, 0.012), ("MDM long", 450, 30, 0.04))


def population(source):
    """Messages by stratum: mentions, and those found; misses come in clusters."""
    found = {}
    for name, size, mean, missed in STRATA:
        mentions = source.poisson(mean, size)
        rate = source.beta(missed * 12, (1 - missed) * 12, size)
        found[name] = mentions, source.binomial(mentions, 1 - rate)
    return found


def sample(source, messages, wanted):
    """A random sample of each stratum in proportion."""
    total = sum(len(mentions) for mentions, _ in messages.values())
    return [
        Reading(name, int(mentions[i]), int(found[i]))
        for name, (mentions, found) in messages.items()
        for i in source.choice(len(mentions), round(wanted * len(mentions) / total), replace=False)
    ]


@pytest.mark.slow
def test_the_interval_covers_the_truth_in_95_of_100_runs():
    """Of 1,000 samples of 200 messages the interval has the true recall in 930 to 970."""
    source = np.random.default_rng(11)
    covered = 0
    for run in range(1000):
        if run % 100 == 0:
            messages = population(source)
            sizes = {name: len(m) for name, (m, _) in messages.items()}
            found, mentions = (sum(part[n].sum() for part in messages.values()) for n in (1, 0))
        made = estimate(sample(source, messages, 200), sizes, rounds=300, seed=run)
        covered += made.recall.low <= found / mentions <= made.recall.high
    assert 930 <= covered <= 970


@pytest.mark.slow
@pytest.mark.parametrize(
    ("drawn", "mean", "missed", "concentration", "most"),
    [(200, 15, 0.01, 12, 0.97), (56, 52, 0.01, 12, 0.97), (56, 52, 0.01, 1, 0.97),
     (56, 52, 0.003, 0.5, 1), (60, 15, 0.005, 0.3, 1)],
)  # fmt: skip
def test_the_interval_covers_the_truth_where_misses_cluster(
    drawn, mean, missed, concentration, most
):
    """In 93 of 100 samples at least, also where most samples have no miss at all.

    A message's share of missed mentions is beta distributed; the less the concentration, the fewer
    messages have all the misses.
    """
    size, runs, covered = 3000, 400, 0
    source = np.random.default_rng(1)
    for run in range(runs):
        if run % 40 == 0:
            mentions = source.poisson(mean, size)
            rate = source.beta(missed * concentration, (1 - missed) * concentration, size)
            found = source.binomial(mentions, 1 - rate)
        chosen = source.choice(size, drawn, replace=False)
        read = [Reading("a", int(mentions[i]), int(found[i])) for i in chosen]
        made = estimate(read, {"a": size}, rounds=200, seed=run)
        covered += made.recall.low <= found.sum() / mentions.sum() <= made.recall.high
    assert 0.93 * runs <= covered <= most * runs


@pytest.mark.slow
def test_samples_of_a_growing_store_are_pooled_by_when_messages_came():
    """A sample of 200 messages, then 2,000 better ones and another: the interval covers.

    A message of the first 200 is likelier to be read than one that came later: it counts for less.
    """
    source, runs, covered, values = np.random.default_rng(2), 300, 0, []
    old = [(f"old{n}", stratum("ORU", 80, 0)) for n in range(200)]
    new = [(f"new{n}", stratum("ORU", 80, 0, samples=1)) for n in range(2000)]
    found = dict(zip((name for name, _ in old), source.binomial(20, 0.90, 200), strict=True))
    found |= dict(zip((name for name, _ in new), source.binomial(20, 0.99, 2000), strict=True))
    truth = sum(found.values()) / (20 * len(found))
    for run in range(runs):
        first = draw(old, 60, seed=run)
        gone = {name for frame in first for name in frame.drawn}
        rest = [each for each in (*old, *new) if each[0] not in gone]
        second = draw(rest, 60, seed=run, read={frame.stratum for frame in first})
        sizes = {frame.stratum: frame.size for frame in (*second, *first)}
        read = [
            Reading(frame.stratum, 20, int(found[name]))
            for frame in (*first, *second)
            for name in frame.drawn
        ]
        made = estimate(read, sizes, rounds=200, seed=run)
        covered += made.recall.low <= truth <= made.recall.high
        values.append(made.recall.value)
    assert np.mean(values) == pytest.approx(truth, abs=0.001)
    assert 0.93 * runs <= covered <= 0.97 * runs


def test_mentions_of_one_message_are_missed_together():
    """Where nothing was missed, many mentions in few messages tell no more than few in as many."""
    few, many = (estimate([Reading("a", n, n)] * 20, {"a": 1000}) for n in (2, 50))
    assert few.recall == many.recall


def test_the_estimate_weighs_strata_by_their_size():
    """A message of a stratum read to a tenth counts for ten."""
    read = [Reading("a", 10, 10)] * 5 + [Reading("b", 10, 5)] * 5
    made = estimate(read, {"a": 50, "b": 5})
    assert made.recall.value == pytest.approx((50 * 10 + 5 * 5) / (55 * 10))
    assert made.clean.value == pytest.approx(50 / 55)
    assert (10, 100, 75) == (made.messages, made.mentions, made.found)


def test_nothing_missed_is_no_proof_of_perfection():
    """Without a miss the lower limit is Wilson's, which depends on how much was read."""
    few, many = (estimate([Reading("a", 10, 10)] * n, {"a": 1000}) for n in (5, 50))
    assert few.recall.value == many.recall.high == 1
    assert few.recall.low < many.recall.low < 1


def test_a_sample_without_mentions_gives_no_estimate():
    """Nothing was there to be found."""
    assert estimate([Reading("a", 0, 0)], {"a": 10}) is None


def test_the_same_seed_gives_the_same_estimate():
    """Whoever doubts a figure can make it again."""
    read = [Reading("a", n % 7, max(0, n % 7 - n % 2)) for n in range(40)]
    assert estimate(read, {"a": 400}, seed=3) == estimate(read, {"a": 400}, seed=3)
