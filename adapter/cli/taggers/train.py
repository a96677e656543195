"""``deid-adapter train``: trains a model with its card from corpora."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adapter.cli.taggers.methods import Choices, learn, no_effect
from adapter.cli.terminal import say
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.evaluate.evaluation import evaluate
from adapter.methods.bilstm_crf.shipping import Learning, read_neural_recipe
from adapter.methods.bilstm_crf.shipping import learn as learn_network
from adapter.methods.bilstm_crf.shipping import write as write_network
from adapter.methods.resources import resources_of
from adapter.rules.compile import compile_language
from adapter.rules.folder import rules_folder, shipped
from adapter.train.card import card, write_model
from adapter.train.crossval import operating_points
from adapter.train.model import Materials, TrainingRun, cross_validated
from adapter.train.own_labels import own_label, source_labels, with_own_labels
from adapter.train.recipe import By, read_recipe

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.evaluate.evaluation import Evaluation
    from adapter.methods.bilstm_crf.shipping import NeuralRecipe
    from adapter.train.crossval import Held
    from adapter.train.recipe import Recipe

JOBS = 2
SEED, MOST_SEED = 7, 2**32 - 1
WITHOUT = ("phrases", "variants", "patterns", "attributes", "lexicons")


def train(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="RECIPE|CORPUS...",
            help="Recipe: models/LANGUAGE/recipe.toml; with --method: corpora.",
        ),
    ],
    data: Annotated[
        Path | None, typer.Option("--data", help="Folder of a recipe's corpora.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder of the model; default: only print scores."),
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(help="Folder for cross-validated spans by corpus, as `tag` writes them."),
    ] = None,
    *,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Number of folds trained at the same time; default: 2."),
    ] = None,
    by: Annotated[
        By | None,
        typer.Option(
            help="Unit that is held out together: one document, or all of a file; "
            "default: the recipe's."
        ),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(
            help="Number of folds; default: the recipe's; one per file if only --by says file.",
            min=2,
        ),
    ] = None,
    method: Annotated[
        str | None, typer.Option(help="A published system to train instead; see docs/methods.md.")
    ] = None,
    header: Annotated[
        bool, typer.Option(help="With --method: trust the structured fields in each text's meta.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=MOST_SEED, help="With --method: random seed; default: 7."),
    ] = None,
    lang: Annotated[
        str | None, typer.Option(help="With --method: language of texts that name none.")
    ] = None,
    elsewhere: Annotated[
        list[Path] | None,
        typer.Option(help="With --method: corpora of other domains, such as news, to learn from."),
    ] = None,
) -> None:
    """Train a language's model by its recipe, with cross-validated scores and thresholds."""
    if method is not None:
        if out is None:
            raise RuleError("--out", "is required with --method")
        no_effect(
            {"--data": data, "--predictions": predictions, "--jobs": jobs, "--by": by,
             "--folds": folds}, "with --method, which learns from all texts",
        )  # fmt: skip
        chosen = Choices(header, SEED if seed is None else seed, tuple(elsewhere or ()), lang or "")
        learn(method, sources, out, chosen)
        return
    own = {"--header": header, "--seed": seed is not None, "--lang": lang, "--elsewhere": elsewhere}
    no_effect(own, "without --method: the recipe says it")
    if len(sources) != 1 or data is None:
        raise RuleError("train", "needs one recipe and the folder of its corpora (--data)")
    neural = read_neural_recipe(sources[0])
    if neural is not None:
        _learn_network(neural, data, out)
        return
    recipe = read_recipe(sources[0])
    if by not in (None, recipe.by) and out is not None:
        raise RuleError("--by", "cannot differ from the recipe with --out: the card has its scores")
    plan = _held(recipe, by, folds)
    _follow(plan, data, out, predictions, jobs or JOBS)


def _learn_network(plan: NeuralRecipe, data: Path, out: Path | None) -> None:
    if out is None:
        raise RuleError("--out", "is required for a neural model")
    resources = resources_of(plan.language, seed=plan.seed)
    learning = Learning.of(plan, data, shipped("models"))
    _say(f"learning from {len(learning.learned)} texts")
    write_network(out, learning, learn_network(learning, resources), resources)


def _held(plan: Recipe, by: By | None, folds: int | None) -> Recipe:
    """Return the recipe with the requested folds."""
    if by in (None, plan.by):
        return replace(plan, folds=folds or plan.folds)
    files = sum(corpus.scored for corpus in plan.corpora)
    return replace(plan, by=by, folds=folds or (files if by is By.FILE else plan.folds))


def _follow(
    plan: Recipe, data: Path, out: Path | None, predictions: Path | None, jobs: int
) -> None:
    settings = load_settings(
        None,
        said={"rules": {"languages": [plan.language], "taggers": list(WITHOUT)}},
        transport="files",
    )
    folder = rules_folder(settings)
    language = compile_language(folder, plan.language, settings)
    _say(f"reading corpora and making copies for '{plan.language}'")
    lexicons = folder.lexicons(plan.language)
    training_run = TrainingRun.of(Materials(plan, language, lexicons, data, folder.path))
    _say(f"{len(training_run.examples)} texts; {plan.folds} folds, {jobs} at a time")
    held = cross_validated(
        training_run, jobs, lambda fold: _say(f"fold {fold} of {plan.folds} done")
    )
    chosen = operating_points(held, plan.learning)
    for point in chosen:
        _say(
            f"recall {point.target}: threshold {point.threshold} gives token recall "
            f"{point.recall:.4f}, precision {point.precision:.4f}"
        )
    names = source_labels(training_run)
    scores = {name: _scored(group, chosen[0].threshold, names) for name, group in _by_corpus(held)}
    if predictions is not None:
        _write(predictions, held, chosen[0].threshold, names)
    if out is None:
        return
    _say("learning from all texts")
    weights = training_run.fitted(
        training_run.examples, training_run.headings(training_run.examples)
    )
    command = f"deid-adapter train recipe.toml --data DATA -o models/{plan.language}"
    write_model(out, training_run, weights, card(training_run, chosen, scores, command))
    _say(f"{out}: {len(weights) / 1e6:.1f} MB of weights")


def _say(text: str) -> None:
    say(text, err=True)


def _by_corpus(held: Iterable[Held]) -> list[tuple[str, list[Held]]]:
    groups: dict[str, list[Held]] = {}
    for one in held:
        groups.setdefault(one.example.plan.path, []).append(one)
    return sorted(groups.items())


def _scored(held: Sequence[Held], threshold: float, names: Mapping[str, str]) -> Evaluation:
    """Return the scores, by the corpus's own labels if the model learns those."""
    if not names:
        return evaluate([one.pair(threshold) for one in held])
    return evaluate([with_own_labels(one, threshold, names) for one in held])


def _write(folder: Path, held: Sequence[Held], threshold: float, names: Mapping[str, str]) -> None:
    """Write spans by corpus, with the corpus's own types if the model learns those."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, group in _by_corpus(held):
        name = path.removesuffix(".jsonl").replace("/", "-")
        lines = [
            _line(one, threshold, names)
            for one in sorted(group, key=lambda one: one.example.text.id)
        ]
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")


def _line(held: Held, threshold: float, names: Mapping[str, str]) -> str:
    spans: list[dict[str, Any]] = [
        {
            "start": span.start,
            "end": span.end,
            "type": own_label(span, names),
            "source": span.source,
            "score": span.score,
        }
        for span in held.found[threshold]
    ]
    return json.dumps({"id": held.example.text.id, "spans": spans}) + "\n"
