"""``make ablation``: what each part of the learned tagger is worth, cross-validated by document.

A table for each language: token recall and precision whatever the type, entity strict F1, and how
likely chance makes as great a difference to the row before (approximate randomization over
documents for recall and F1, McNemar over tokens). Models and scores are kept in ``out/ablation``
by recipe and rules, so that it can be run in pieces::

    python -m tests.evaluation.ablation --language de --folds 5 --fold 0 --row rules --row crf
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer  # noqa: TC002 - typer reads the annotations

from adapter.cli.taggers.train import WITHOUT
from adapter.config.settings import load_settings
from adapter.evaluate.annotations import as_mentions
from adapter.evaluate.levels import Level, events
from adapter.evaluate.scores import Score, total
from adapter.evaluate.significance import mcnemar_of, randomize
from adapter.evaluate.token_labels import label_tokens
from adapter.resolve import resolve
from adapter.rules.compile import compile_language
from adapter.rules.folder import rules_folder
from adapter.rules.models import shown
from adapter.taggers.crf.arbitration import arbitrated
from adapter.taggers.crf.features import Featurizer
from adapter.taggers.crf.word_stats import WordStats
from adapter.taggers.trusted.variants.tagger import VariantTagger
from adapter.train.command import command_of
from adapter.train.crossval import split
from adapter.train.examples import Example, Reader
from adapter.train.model import Materials, TrainingRun
from adapter.train.recipe import CorpusPlan, Recipe, read_recipe
from adapter.types import CATEGORIES, Label
from tests.conftest import ROOT, data_folder
from tests.evaluation.ablation_rows import ELSEWHERE, PLANS, ROWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.evaluate.corpora.readers import Annotated
    from adapter.pipeline.language import Language
    from adapter.taggers.crf.tagger import CrfTagger
    from tests.evaluation.ablation_rows import Plan, Row

OUT = ROOT / "out" / "ablation"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for; ``copies`` and ``iterations`` None as the recipe says."""

    folds: int
    limit: int
    copies: int | None
    iterations: int | None
    threshold: float


def recipe_of(code: str, asked: Asked) -> Recipe:
    """The recipe of a language with corpora of other domains, cut to what is asked for.

    Where some corpora come with structured fields only these are scored.
    """
    recipe = read_recipe(ROOT / "models" / code / "recipe.toml")
    headers = any(plan.headers for plan in recipe.corpora)
    plans = [
        _cut(replace(plan, scored=plan.scored and (plan.headers or not headers)), asked)
        for plan in (*recipe.corpora, *ELSEWHERE.get(code, ()))
    ]
    parameters = dict(recipe.learning.parameters)
    if asked.iterations is not None:
        parameters["max_iterations"] = asked.iterations
    return replace(
        recipe,
        corpora=tuple(plans),
        folds=asked.folds,
        carried=0 if asked.copies == 0 else recipe.carried,
        learning=replace(recipe.learning, parameters=parameters),
    )


def _cut(plan: CorpusPlan, asked: Asked) -> CorpusPlan:
    limits = [limit for limit in (plan.limit, asked.limit) if limit]
    copies = plan.copies if asked.copies is None else min(plan.copies, asked.copies)
    return replace(plan, limit=min(limits, default=0), copies=copies)


class Bench:
    """One language: its texts, the models learned from them, and the scores of rows."""

    def __init__(self, code: str, asked: Asked) -> None:
        """Begin; nothing is read before it is needed."""
        self.code, self.asked = code, asked
        self.recipe = recipe_of(code, asked)
        said = {"rules": {"languages": [code], "taggers": list(WITHOUT)}}
        self._settings = load_settings(None, said=said, transport="files")
        self._rules = rules_folder(self._settings)
        self.folder = OUT / f"{code}-{self._digest()}"
        self.folder.mkdir(parents=True, exist_ok=True)

    def _digest(self) -> str:
        """Return the digest of everything except the code that scores depend on."""
        state = hashlib.sha256()
        said = json.dumps(asdict(self.recipe), default=sorted, sort_keys=True)
        state.update(said.encode())
        for file in sorted(path for path in self._rules.path.rglob("*") if path.is_file()):
            state.update(file.name.encode() + file.read_bytes())
        return state.hexdigest()[:12]

    @cached_property
    def language(self) -> Language:
        """The language with all its taggers but the learned one."""
        return compile_language(self._rules, self.code, self._settings)

    @cached_property
    def training_run(self) -> TrainingRun:
        """All texts and copies, those of other domains included."""
        lexicons = self._rules.lexicons(self.code)
        return TrainingRun.of(
            Materials(self.recipe, self.language, lexicons, data_folder(), self._rules.path)
        )

    def planned(self, plan: Plan) -> TrainingRun:
        """The training run for a model of the plan."""
        groups = tuple(group for group in self.recipe.groups if group not in plan.off)
        recipe = replace(self.recipe, groups=groups, phases=plan.phases, adapt=plan.adapt)
        lists = shown(self.code, self._rules.lexicons(self.code))
        featurizer = Featurizer(lists, WordStats.parse(self.training_run.words), groups)
        return replace(self.training_run, recipe=recipe, featurizer=featurizer)

    def tagger(self, name: str, fold: int) -> tuple[TrainingRun, CrfTagger]:
        """The training run of a plan, and the tagger learned in it from all folds but one; kept."""
        plan = PLANS[name]
        training_run = self.planned(plan)
        weights, headings = (self.folder / f"{name}-{fold}.{kind}" for kind in ("bin", "json"))
        if not weights.is_file() or not headings.is_file():
            learn, _ = split(training_run.examples, fold, self.asked.folds)
            chosen = list(self._chosen(learn, plan))
            headings.write_text(json.dumps(training_run.headings(chosen)))
            weights.write_bytes(training_run.fitted(chosen, json.loads(headings.read_text())))
        vouching = json.loads(headings.read_text())
        return training_run, training_run.tagger(weights.read_bytes(), vouching, whole=False)

    def _chosen(self, learn: Iterable[Example], plan: Plan) -> Iterable[Example]:
        """Texts of the plan's domains; once each where structured fields are not seen."""
        seen: set[tuple[str, str]] = set()
        for example in learn:
            key = example.plan.path, example.text.id
            if not plan.elsewhere and example.plan.domain != self.recipe.target:
                continue
            if plan.trusting:
                yield example
            elif key not in seen:
                seen.add(key)
                yield replace(example, trusting=False)

    def scores(self, name: str, fold: int) -> dict[str, Any]:
        """Return the scores of a row by document, stored for reuse."""
        file = self.folder / f"{name}-{fold}-at-{self.asked.threshold}.json"
        if not file.is_file():
            file.write_text(json.dumps(self._scored(ROWS[name], fold)))
        return dict(json.loads(file.read_text()))

    def _scored(self, row: Row, fold: int) -> dict[str, Any]:
        training_run, tagger = (
            self.tagger(row.plan, fold) if row.plan else (self.training_run, None)
        )
        taggers = self.language.taggers
        if not row.variants:
            taggers = tuple(one for one in taggers if not isinstance(one, VariantTagger))
        options = replace(self.language.options, **row.options)
        language = replace(self.language, taggers=taggers, options=options)
        reader = Reader(training_run.recipe, language, training_run.featurizer)
        _, held = split(training_run.examples, fold, self.asked.folds)
        return {
            f"{example.plan.path}:{example.text.id}": self._marked(
                replace(example, trusting=example.trusting and row.header), reader, tagger, language
            )
            for example in held
        }

    def _marked(
        self, example: Example, reader: Reader, tagger: CrfTagger | None, language: Language
    ) -> dict[str, Any]:
        found = reader.found(example)
        if tagger is not None:
            seen = tagger.read(reader.document(example), found)
            learned = tagger.spans(seen, dict.fromkeys(tagger.chains, self.asked.threshold))
            found = arbitrated(example.text.text, found, learned, self.recipe.sure)
        ((spans,), _) = resolve([example.text.text], [found], language.options)
        pair = _ours(example.text), as_mentions(spans)
        labels = label_tokens(pair)
        right = (bool(a) == bool(b) for a, b in zip(labels.gold, labels.predicted, strict=True))
        return {
            "token": _counts(total(events(pair, Level.BLIND_TOKEN, labels=labels))),
            "strict": _counts(total(events(pair, Level.STRICT))),
            "right": "".join("01"[each] for each in right),
        }


def _ours(text: Annotated) -> Annotated:
    """Return the text with only the mentions of our scheme."""
    known = {*Label, *CATEGORIES.values()}
    return replace(text, mentions=tuple(one for one in text.mentions if one.type in known))


def _counts(score: Score) -> list[int]:
    return [score.tp, score.fp, score.fn]


@dataclass(frozen=True, slots=True)
class Column:
    """A row's scores over all folds that were run, by document in order of names."""

    documents: dict[str, Any] = field(repr=False)

    def marks(self, level: str) -> list[Score]:
        """Its scores by document."""
        return [Score(*one[level]) for _, one in sorted(self.documents.items())]

    @property
    def right(self) -> str:
        """Which tokens it has right, one character each."""
        return "".join(one["right"] for _, one in sorted(self.documents.items()))


HEAD = (
    "| | token recall | token precision | entity strict F1 | p (recall) | p (F1) "
    "| McNemar: tokens lost, won | p |\n|---|---|---|---|---|---|---|---|"
)


def line(row: Row, found: Column, before: Column | None) -> str:
    """A row of the table."""
    token, strict = (sum(found.marks(level), Score()) for level in ("token", "strict"))
    cells = [row.title, *(f"{x:.4f}" for x in (token.recall, token.precision, strict.f()))]
    if before is None:
        return f"| {' | '.join([*cells, '', '', '', ''])} |"
    recall = randomize(before.marks("token"), found.marks("token"), lambda score: score.recall)
    strictly = randomize(before.marks("strict"), found.marks("strict"), lambda score: score.f())
    pairs = list(zip(before.right, found.right, strict=True))
    lost, won = pairs.count(("1", "0")), pairs.count(("0", "1"))
    test = mcnemar_of(lost, won)
    cells += [f"{recall.p:.4f}", f"{strictly.p:.4f}", f"{lost}, {won}", f"{test.p:.4f}"]
    return f"| {' | '.join(cells)} |"


def table(bench: Bench, folds: Sequence[int], names: Sequence[str]) -> str:
    """The table of a language."""
    columns: dict[str, Column] = {}
    lines = []
    for name in names:
        documents: dict[str, Any] = {}
        for fold in folds:
            documents |= bench.scores(name, fold)
            print(f"{bench.code} {name} fold {fold}: {len(documents)} texts", flush=True)
        columns[name] = Column(documents)
        earlier = list(columns)[:-1]
        against = ROWS[name].against or (earlier[-1] if earlier else "")
        lines.append(line(ROWS[name], columns[name], columns.get(against)))
    count = len(next(iter(columns.values())).documents)
    about = f"{bench.code}: {count} texts, {len(folds)} of {bench.asked.folds} folds"
    return "\n".join((f"**{about}, threshold {bench.asked.threshold}**\n", HEAD, *lines, ""))


Name = StrEnum("Name", {name: name for name in ROWS})


def main(
    *,
    language: Annotated[list[str], typer.Option()] = ["en", "es", "de"],  # noqa: B006
    folds: Annotated[int, typer.Option(help="Parts that documents fall into.")] = 5,
    fold: Annotated[list[int], typer.Option(help="Only these of them, from 0 on.")] = [],  # noqa: B006
    limit: Annotated[int, typer.Option(help="Documents of a corpus; 0 for all.")] = 0,
    copies: Annotated[int | None, typer.Option(help="Most copies of a text; 0 for none.")] = None,
    iterations: Annotated[int | None, typer.Option(help="Of training, not the recipe's.")] = None,
    threshold: float = 0.3,
    row: Annotated[list[Name], typer.Option(help="Rows of the table.")] = list(Name),  # noqa: B006
) -> None:
    """Print the tables of the learned tagger's ablation, and write each to out/ablation."""
    asked = Asked(folds, limit, copies, iterations, threshold)
    for code in language:
        bench = Bench(code, asked)
        text = table(bench, fold or range(folds), [name.value for name in row])
        Path(OUT / f"{code}.md").write_text(text, encoding="utf-8")
        print(text)


if __name__ == "__main__":
    command_of(main)()
