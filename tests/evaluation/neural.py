"""What a network is worth beside the CRF, on texts that neither has seen.

    python -m tests.evaluation.neural en [--fold N ...] [--out FOLDER] [--again]

The folds are those of the CRF's recipe: for each, CRF and network learn from the rest, and the
texts held out are scored with the structured fields of their messages, by the CRF alone and by the
mean of both, at each threshold. The last columns leave aside what the message's own names explain:
texts of a patient who is called like a sign or stain ("Homans neg" of a Ms Homans). What was
learned and counted is kept in the folder, so that folds can be made in pieces. Intervals are of
95 %, by drawing documents 1,000 times.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapter.cli.taggers.train import WITHOUT
from adapter.config.settings import load_settings
from adapter.evaluate.annotations import as_mentions
from adapter.evaluate.meddocan import official
from adapter.evaluate.scores import Score
from adapter.methods.bilstm_crf.shipping import Learning, learn, read_neural_recipe
from adapter.methods.resources import resources_of
from adapter.rules.compile import compile_language
from adapter.rules.folder import rules_folder, shipped
from adapter.rules.networks import network_of
from adapter.taggers.neural.model import NeuralModel
from adapter.taggers.neural.network import NETWORK, VOCABULARY, read_vocabulary
from adapter.taggers.neural.vectors import VECTORS, Vectors
from adapter.train.command import command_of
from adapter.train.crossval import held_out, split
from adapter.train.examples import Reader
from adapter.train.model import Materials, TrainingRun
from adapter.train.own_labels import source_labels, with_own_labels
from adapter.train.recipe import read_recipe
from adapter.types import PHRASE_SOURCE, VARIANT_SOURCE
from tests.conftest import ROOT, data_folder
from tests.evaluation.sites import MEASURES, counts_of, interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.methods.bilstm_crf.shipping import NeuralRecipe
    from adapter.taggers.crf.tagger import CrfTagger
    from adapter.taggers.neural.network import Network
    from adapter.train.crossval import Held
    from adapter.train.examples import Example

THRESHOLDS = (0.5, 0.45, 0.4, 0.36, 0.34, 0.32, 0.3, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02)

Counts = dict[str, list[int]]
"""Column -> true positives, false positives, false negatives."""
Documents = dict[str, dict[str, Counts]]
"""Document -> threshold -> counts."""


def prepared(language: str) -> TrainingRun:
    """All texts of the recipe of a language's CRF."""
    said = {"rules": {"languages": [language], "taggers": list(WITHOUT)}}
    settings = load_settings(None, said=said, transport="files")
    rules = rules_folder(settings)
    recipe = read_recipe(ROOT / "models" / language / "recipe.toml")
    compiled = compile_language(rules, language, settings)
    lexicons = rules.lexicons(language)
    return TrainingRun.of(Materials(recipe, compiled, lexicons, data_folder(), rules.path))


def texts_beside(plan: NeuralRecipe, score: Iterable[Example]) -> Learning:
    """The texts of a network that may be learned where some are held out."""
    held = {one.plan.path for one in score}
    corpora = tuple(corpus for corpus in plan.corpora if corpus.path not in held)
    return Learning.of(replace(plan, corpora=corpora), data_folder(), shipped("models"))


def network_of_fold(plan: NeuralRecipe, score: Iterable[Example], folder: Path) -> Network:
    """The network that has learned all but the texts held out."""
    names = (NETWORK, VOCABULARY, *([VECTORS] if plan.vectors else []))
    if all((folder / name).is_file() for name in names):
        content, vocabulary, *vectors = ((folder / name).read_bytes() for name in names)
        return network_of(content, *read_vocabulary(vocabulary), *map(Vectors.read, vectors))
    resources = resources_of(plan.language, seed=plan.seed)
    tagger = learn(texts_beside(plan, score), resources)
    for name, content in tagger.files().items():
        (folder / name).write_bytes(content)
    return tagger.network


def taggers_of_fold(
    run: TrainingRun, plan: NeuralRecipe, number: int, folder: Path
) -> tuple[list[Example], dict[str, CrfTagger]]:
    """The texts that a fold holds out; the CRF alone, and with the network."""
    folder.mkdir(parents=True, exist_ok=True)
    learned, score = split(run.examples, number, run.recipe.folds, run.recipe.by)
    headings, weights = run.headings(learned), folder / "weights.bin"
    if not weights.is_file():
        weights.write_bytes(run.fitted(learned, headings, run.recipe.learning.fold_draws))
    network = network_of_fold(plan, score, folder)
    ways = {"crf": None, "mean": NeuralModel(network, plan.share, plan.thresholds)}
    content = weights.read_bytes()
    return score, {way: run.tagger(content, headings, neural=of) for way, of in ways.items()}


def counted(run: TrainingRun, score: Sequence[Example], tagger: CrfTagger) -> Documents:
    """Counts of held-out texts at each threshold."""
    reader = Reader(run.recipe, run.language, run.featurizer)
    names = source_labels(run)
    return {
        f"{Path(one.plan.path).stem}:{one.text.id}": _counts(
            held_out(one, reader, tagger, run.language, run.recipe.sure, thresholds=THRESHOLDS),
            names,
        )
        for one in score
    }


def _counts(held: Held, names: Mapping[str, str]) -> dict[str, Counts]:
    return {
        str(threshold): counts_of(held.pair(threshold))
        | _unexplained(held, threshold)
        | _official(held, threshold, names)
        for threshold in THRESHOLDS
    }


def _official(held: Held, threshold: float, names: Mapping[str, str]) -> Counts:
    """Counts by the measures of a corpus with labels of its own, which is MEDDOCAN."""
    if not names:
        return {}
    found = official([with_own_labels(held, threshold, names)])
    scores = {name: getattr(found, name) for name in OFFICIAL}
    return {f"MEDDOCAN {name}": [of.tp, of.fp, of.fn] for name, of in scores.items()}


def _unexplained(held: Held, threshold: float) -> Counts:
    """Counts without needless mentions that have a name of the message.

    Of texts without mentions: how many are changed, changed by nothing else, and unchanged.
    """
    text, spans = held.example.text, held.found[threshold]
    explained = [span for span in spans if span.source in _EXPLAINED]
    needless = [
        span
        for span in explained
        if not any(m.start < span.end and span.start < m.end for m in text.mentions)
    ]
    left = [span for span in spans if span not in needless]
    changed = [int(bool(left)), int(bool(spans) and not left), int(not spans)]
    return {
        "unexplained": counts_of((text, as_mentions(left)))["all"],
        "empty": [0, 0, 0] if text.mentions else changed,
    }


_EXPLAINED = frozenset({PHRASE_SOURCE, VARIANT_SOURCE})
OFFICIAL = "ner", "strict", "merged"
ORDINARY = "c to h, u"
"""The English files of ordinary notes; the others were written about what models miss."""
HEAD = (
    "| texts | way | threshold | token recall | token precision | recall, HIPAA identifiers "
    "| recall, names | entity strict F1 | MEDDOCAN NER F1 | strict | merged "
    "| precision, names of the message aside | texts changed of those without mentions, same |\n|"
    + "---|"
    * 13
)


def line(name: str, way: str, threshold: float, documents: Documents) -> str:
    """One row of the table."""
    cells = [f"{name} ({len(documents)})", way, str(threshold)]
    for column, measure in MEASURES:
        rows = [of[str(threshold)][column] for of in documents.values()]
        value, low, high = interval(rows, measure)
        cells.append(f"{value:.3f} ({low:.3f}-{high:.3f})")
    for column in (f"MEDDOCAN {each}" for each in OFFICIAL):
        rows = [of[str(threshold)].get(column, [0, 0, 0]) for of in documents.values()]
        cells.append(f"{interval(rows, Score.f)[0]:.4f}" if any(map(any, rows)) else "")
    found = [of[str(threshold)] for of in documents.values()]
    aside = [sum(column) for column in zip(*(of["unexplained"] for of in found), strict=True)]
    changed, *rest = (sum(column) for column in zip(*(of["empty"] for of in found), strict=True))
    cells.append(f"{Score(*aside).precision:.3f}")
    cells.append(f"{changed} of {changed + sum(rest)}" if changed + sum(rest) else "")
    return f"| {' | '.join(cells)} |"


def table(found: Mapping[str, Documents], thresholds: Mapping[str, float]) -> str:
    """Rows of all texts at several thresholds, and of each file at the way's own."""
    rows = [HEAD]
    for way, documents in found.items():
        rows += [line("all", way, threshold, documents) for threshold in THRESHOLDS]
    files = sorted({name.partition(":")[0] for name in found["crf"]})
    groups = {file: (file,) for file in files} | {ORDINARY: tuple("cdefghu")}
    for group, members in groups.items():
        for way, documents in found.items():
            own = {name: of for name, of in documents.items() if name.partition(":")[0] in members}
            if own:
                rows.append(line(group, way, thresholds[way], own))
    return "\n".join(rows)


def compare(
    language: Annotated[str, typer.Argument(help="Language of the models.")],
    *,
    folds: Annotated[list[int] | None, typer.Option("--fold", help="Folds; all.")] = None,
    at: Annotated[
        tuple[float, float], typer.Option(help="Thresholds of the rows by file: CRF, mean.")
    ] = (0.2, 0.32),
    out: Annotated[Path, typer.Option(help="Folder of what is kept.")] = ROOT / "out/neural",
    again: Annotated[bool, typer.Option("--again", help="Score anew.")] = False,
) -> None:
    """Score the CRF alone and with the network on held-out texts."""
    plan = read_neural_recipe(ROOT / "models" / language / "neural/recipe.toml")
    if plan is None:
        raise SystemExit("no recipe of a network")
    run: TrainingRun | None = None
    count = read_recipe(ROOT / "models" / language / "recipe.toml").folds
    found: dict[str, Documents] = {"crf": {}, "mean": {}}
    for number in folds or range(count):
        folder = out / f"{language}-{number}"
        kept = folder / "counts.json"
        if again or not kept.is_file():
            run = run or prepared(language)
            score, taggers = taggers_of_fold(run, plan, number, folder)
            counts = {way: counted(run, score, tagger) for way, tagger in taggers.items()}
            kept.write_text(json.dumps(counts), "utf-8")
        for way, documents in json.loads(kept.read_text("utf-8")).items():
            found[way] |= documents
    print(table(found, dict(zip(("crf", "mean"), at, strict=True))))


if __name__ == "__main__":
    command_of(compare)()
