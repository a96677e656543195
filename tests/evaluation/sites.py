"""What a new site would see: the English notes scored by models that have not seen their file.

    deid-adapter train models/en/recipe.toml --data DATA --predictions P
    python -m tests.evaluation.sites P
    python -m tests.evaluation.sites --curve

The recipe's folds are of whole files, so the spans in P are of models that learned none of a file's
texts. Intervals are of 95 %, by drawing documents 1,000 times.

``--curve`` learns from 12, 25, 50 and 100 % of the notes, scores documents of known files and files
that are held out whole, and draws ``docs/learning-curve.svg``; counts are kept in ``out/sites``.
"""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adapter.cli.taggers.train import WITHOUT
from adapter.config.settings import load_settings
from adapter.evaluate.annotations import Mention
from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.levels import HIPAA_TYPES, Level, events
from adapter.evaluate.scores import Score, total
from adapter.rules.compile import compile_language
from adapter.rules.folder import rules_folder
from adapter.train.command import command_of
from adapter.train.crossval import GRID, fold_of, group_of, held_out
from adapter.train.examples import Example, Reader
from adapter.train.model import Materials, TrainingRun
from adapter.train.recipe import Recipe, read_recipe
from tests.conftest import ROOT, data_folder
from tests.evaluation.learning_curve import SHARES, drawn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from adapter.evaluate.annotations import Pair
    from adapter.train.crossval import Held

NEW, FOLDS = "flt", 5
"""Files of the learning curve that no model sees, and folds of which it holds out the first."""
NAMES = frozenset({"PATIENT", "DOCTOR", "USERNAME", "NAME"})
COLUMNS: dict[str, tuple[Level, frozenset[str] | None]] = {
    "all": (Level.BLIND_TOKEN, None),
    "hipaa": (Level.BLIND_TOKEN, HIPAA_TYPES),
    "names": (Level.BLIND_TOKEN, NAMES),
    "strict": (Level.STRICT, None),
}
DRAWS = 1000

Counts = dict[str, dict[str, list[int]]]
"""Document -> column -> true positives, false positives, false negatives."""


def file_of(example: Example) -> str:
    """Return the letter of an example's file of notes; "" for other corpora."""
    path = Path(example.plan.path)
    return path.stem if path.parent.name == "notes_en" else ""


def lighter(recipe: Recipe) -> Recipe:
    """Return the recipe, reduced so that it can be trained several times."""
    corpora = tuple(replace(plan, copies=min(plan.copies, 1)) for plan in recipe.corpora)
    learning = replace(recipe.learning, draws=1)
    carried = min(recipe.carried, 1000)
    return replace(recipe, corpora=corpora, learning=learning, carried=carried)


def prepared() -> TrainingRun:
    """All texts of the shipped English recipe."""
    said = {"rules": {"languages": ["en"], "taggers": list(WITHOUT)}}
    settings = load_settings(None, said=said, transport="files")
    rules = rules_folder(settings)
    language = compile_language(rules, "en", settings)
    recipe = lighter(read_recipe(ROOT / "models/en/recipe.toml"))
    lists = rules.lexicons("en")
    return TrainingRun.of(Materials(recipe, language, lists, data_folder(), rules.path))


def learned_and_run(
    run: TrainingRun, learned: Callable[[Example], bool], scored: Callable[[Example], bool]
) -> list[Held]:
    """Learn from some texts, and tag the originals of others."""
    tagger = run.tagger(run.fitted(filter(learned, run.examples)))
    reader = Reader(run.recipe, run.language, run.featurizer)
    return [
        held_out(example, reader, tagger, run.language, run.recipe.sure)
        for example in run.examples
        if scored(example) and "#" not in example.text.id and example.trusting
    ]


def counted(held: Iterable[Held]) -> dict[str, Counts]:
    """Counts by threshold and document."""
    found: dict[str, Counts] = {str(threshold): {} for threshold in GRID}
    for one in held:
        name = f"{file_of(one.example)}:{one.example.text.id}"
        for threshold in GRID:
            found[str(threshold)][name] = counts_of(one.pair(threshold))
    return found


def counts_of(pair: Pair) -> dict[str, list[int]]:
    """Return true positives, false positives and false negatives by column."""
    return {
        column: _numbers(total(events(pair, level, counted_types)))
        for column, (level, counted_types) in COLUMNS.items()
    }


def _numbers(score: Score) -> list[int]:
    return [score.tp, score.fp, score.fn]


def by_file(predictions: Path) -> dict[str, Counts]:
    """Return the counts of each file of notes that has predictions, by the file's letter."""
    found: dict[str, Counts] = {}
    for kept in sorted(predictions.glob("corpora-notes_en-*.jsonl")):
        file = kept.stem.rpartition("-")[2]
        spans = {line["id"]: line["spans"] for line in map(json.loads, kept.open(encoding="utf-8"))}
        texts = read_corpus(data_folder() / "corpora/notes_en" / f"{file}.jsonl", "en")
        found[file] = {f"{file}:{one.id}": counts_of((one, _said(spans[one.id]))) for one in texts}
    return found


def _said(spans: Iterable[Mapping[str, Any]]) -> tuple[Mention, ...]:
    return tuple(Mention(span["start"], span["end"], span["type"]) for span in spans)


def curve(out: Path, *, again: bool) -> dict[str, dict[str, Counts]]:
    """Counts by share of the notes and threshold."""
    run: TrainingRun | None = None
    found = {}
    for share in SHARES:
        kept = out / f"share-{share}.json"
        if again or not kept.is_file():
            run = run or prepared()
            held = learned_and_run(run, lambda one, share=share: _taken(one, share), _aside)
            kept.write_text(json.dumps(counted(held)), "utf-8")
        found[str(share)] = json.loads(kept.read_text("utf-8"))
    return found


def _aside(example: Example) -> bool:
    """Return whether the learning curve holds a text out."""
    file = file_of(example)
    return bool(file) and (file in NEW or fold_of(group_of(example), FOLDS) == 0)


def _taken(example: Example, share: float) -> bool:
    """Return whether a text belongs to the training share; other corpora always do."""
    group = group_of(example).partition("#")[0]
    draw = int.from_bytes(hashlib.sha256(f"share {group}".encode()).digest()[:4], "big") / 2**32
    return not file_of(example) or (not _aside(example) and (share >= 1 or draw < share))


def interval(
    rows: Sequence[list[int]], measure: Callable[[Score], float]
) -> tuple[float, float, float]:
    """A measure of documents' counts with its 95 % interval."""
    draw = random.Random(7)
    scores = [Score(*row) for row in rows]
    found = sorted(measure(sum(draw.choices(scores, k=len(scores)), Score())) for _ in range(DRAWS))
    return measure(sum(scores, Score())), found[int(0.025 * DRAWS)], found[int(0.975 * DRAWS) - 1]


def line(name: str, counts: Counts) -> str:
    """One row of the table."""
    cells = [name, str(len(counts))]
    for column, measure in MEASURES:
        value, low, high = interval([row[column] for row in counts.values()], measure)
        cells.append(f"{value:.3f} ({low:.3f}-{high:.3f})")
    return f"| {' | '.join(cells)} |"


def _recall(score: Score) -> float:
    return score.recall


def _precision(score: Score) -> float:
    return score.precision


MEASURES = (
    ("all", _recall), ("all", _precision), ("hipaa", _recall), ("names", _recall),
    ("strict", Score.f),
)  # fmt: skip
HEAD = (
    "| file | texts | token recall | token precision | recall, HIPAA identifiers | recall, names "
    "| entity strict F1 |\n|---|---|---|---|---|---|---|"
)


def sites(
    predictions: Annotated[Path | None, typer.Argument(help="Spans of held-out texts.")] = None,
    *,
    learning: Annotated[bool, typer.Option("--curve", help="The learning curve.")] = False,
    threshold: Annotated[float, typer.Option(help="Of the curve's probabilities.")] = 0.3,
    again: Annotated[bool, typer.Option("--again", help="Learn anew what is kept.")] = False,
    out: Annotated[Path, typer.Option(help="Folder of what is kept.")] = ROOT / "out/sites",
) -> None:
    """Score files that models have not seen, or draw the learning curve."""
    if learning:
        out.mkdir(parents=True, exist_ok=True)
        points = {share: by[str(threshold)] for share, by in curve(out, again=again).items()}
        (ROOT / "docs/learning-curve.svg").write_text(drawn(points, NEW), "utf-8")
    if predictions:
        files = by_file(predictions)
        print("\n".join([HEAD, *(line(file, counts) for file, counts in files.items())]))
        print(line("all", {name: row for counts in files.values() for name, row in counts.items()}))


if __name__ == "__main__":
    command_of(sites)()
