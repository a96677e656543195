"""``make eval-methods``: each method on each corpus that it can learn from, as one table.

    python -m tests.evaluation.methods [--method M ...] [--corpus C ...] [--out FOLDER] [--again]

A row is learned for each part that is held out and kept in the folder, so that the table can be
made in pieces; ``--again`` makes the chosen rows anew. The figures beside a row are those that the
method's paper reports, on other data. Intervals are of 95 %, by drawing documents 1,000 times.
"""

from __future__ import annotations

import json
import random
import time
from dataclasses import asdict, dataclass
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.evaluation import evaluate
from adapter.evaluate.levels import Level, events
from adapter.evaluate.scores import Score, total
from adapter.methods.registry import METHODS, method
from adapter.methods.resources import resources_of
from adapter.taggers.document.tokens import tokenize
from adapter.train.command import command_of
from tests.conftest import ROOT, data_folder
from tests.evaluation.folds import by_document, by_group, tagged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.evaluate.annotations import Annotated as Text
    from adapter.evaluate.annotations import Pair
    from adapter.methods.protocol import Resources
    from tests.evaluation.folds import Part

FOLDS = 5
SITES = ("nhs", "cip", "djq", "ekr", "flt", "gmu")
"""Files of the English notes, by group: those of a group are held out together."""
NOTES = tuple(tuple(f"notes_en/{file}" for file in group) for group in SITES)
DRAWS = 1000


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts of one language, and the way that parts of them are held out."""

    language: str
    groups: tuple[tuple[str, ...], ...]
    """Files; those of a group are held out together."""
    split: str
    """"document": folds; "group": each group in turn; "last": the last group alone."""
    headers: bool = False
    elsewhere: tuple[str, ...] = ()
    """Texts of other domains, for methods that learn from these too."""


NEWS = ("wikigold/all", "wnut17/train", "btc/part_a", "btc/part_b")
"""English of the web and of news, with names, places and organisations."""
CORPORA = {
    "meddocan": Corpus("es", (("meddocan/train",), ("meddocan/dev",)), "last"),
    "notes-folds": Corpus("en", NOTES, "document", headers=True, elsewhere=NEWS),
    "notes-sites": Corpus("en", NOTES, "group", headers=True, elsewhere=NEWS),
    "notes-site": Corpus("en", NOTES, "last", headers=True, elsewhere=NEWS),
    "grascco": Corpus("de", (("grascco/train",),), "document", elsewhere=("germeval14/dev",)),
}


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of one method on one corpus; ``size`` is the last part's model in bytes."""

    corpus: str
    method: str
    strict: tuple[float, float, float]
    token: tuple[float, float, float, float]
    blind: tuple[float, float]
    interval: tuple[float, float]
    leak_free: float
    tokens_per_second: float
    seconds: float
    size: int


def parts_of(corpus: Corpus) -> Iterator[Part]:
    """Yield the parts of a corpus."""
    groups = [
        (" ".join(group), [text for name in group for text in texts_of(name)])
        for group in corpus.groups
    ]
    if corpus.split == "document":
        return by_document([text for _, texts in groups for text in texts], FOLDS)
    parts = list(by_group(groups))
    return iter(parts if corpus.split == "group" else parts[-1:])


def texts_of(name: str) -> list[Text]:
    """The texts of a corpus by its path without suffix."""
    return list(read_corpus(data_folder() / "corpora" / f"{name}.jsonl"))


def resources_for(corpus: Corpus) -> Resources:
    """The rules of a corpus's language, and texts of other domains."""
    elsewhere = [text for name in corpus.elsewhere for text in texts_of(name)]
    return resources_of(corpus.language, headers=corpus.headers, elsewhere=elsewhere)


def row_of(corpus: str, name: str) -> Row:
    """Learn and score one method on one corpus."""
    plan = CORPORA[corpus]
    resources = resources_for(plan)
    pairs: list[Pair] = []
    learning = tagging = 0.0
    size = 0
    for part in parts_of(plan):
        begun = time.perf_counter()
        learned = method(name).learn(part.learn, resources)
        done = time.perf_counter()
        pairs += tagged(part.held, learned, resources)
        learning, tagging = learning + done - begun, tagging + time.perf_counter() - done
        size = sum(len(content) for content in learned.files().values())
        print(f"{corpus} {name} {part.name}: learned in {done - begun:.1f} s", flush=True)
    return _scored(corpus, name, pairs, (learning, tagging), size)


def _scored(
    corpus: str, name: str, pairs: Sequence[Pair], seconds: tuple[float, float], size: int
) -> Row:
    found = evaluate(pairs)
    strict, token, blind = (
        found.score(level) for level in (Level.STRICT, Level.TOKEN, Level.BLIND_TOKEN)
    )
    tokens = sum(len(tokenize(text.text)) for text, _ in pairs)
    return Row(
        corpus,
        name,
        (strict.precision, strict.recall, strict.f()),
        (token.precision, token.recall, token.f(), token.f(2)),
        (blind.precision, blind.recall),
        interval(pairs),
        found.safety.leak_free_share,
        tokens / seconds[1],
        seconds[0],
        size,
    )


def interval(pairs: Sequence[Pair], draws: int = DRAWS) -> tuple[float, float]:
    """The 95 % interval of strict F1, by drawing documents with replacement."""
    scores = [total(events(pair, Level.STRICT)) for pair in pairs]
    draw = random.Random(7)
    found = sorted(sum(draw.choices(scores, k=len(scores)), Score()).f() for _ in range(draws))
    return found[int(0.025 * draws)], found[int(0.975 * draws) - 1]


HEAD = (
    "| corpus | method | strict P | R | F1 (95 %) | token P | R | F1 | F2 | any type R | P "
    "| leak-free | tokens/s | learned in | size | its paper |\n|" + "---|" * 16
)


def line(row: Row) -> str:
    """One row of the table."""
    p, r, f = row.strict
    low, high = row.interval
    cells = [
        row.corpus,
        row.method,
        f"{p:.3f}",
        f"{r:.3f}",
        f"{f:.3f} ({low:.3f}-{high:.3f})",
        *(f"{value:.3f}" for value in row.token),
        f"{row.blind[1]:.3f}",
        f"{row.blind[0]:.3f}",
        f"{row.leak_free:.2f}",
        f"{row.tokens_per_second:,.0f}",
        f"{row.seconds:,.0f} s",
        f"{row.size / 1e6:.2f} MB",
        METHODS[row.method].reported,
    ]
    return f"| {' | '.join(cells)} |"


def table(
    *,
    methods: Annotated[list[str] | None, typer.Option("--method", help="Methods; all.")] = None,
    corpora: Annotated[list[str] | None, typer.Option("--corpus", help="Corpora; all.")] = None,
    out: Annotated[Path, typer.Option(help="Folder where rows are kept.")] = ROOT / "out/methods",
    again: Annotated[bool, typer.Option("--again", help="Learn chosen rows anew.")] = False,
) -> None:
    """Learn and score methods, and print all rows that are kept."""
    out.mkdir(parents=True, exist_ok=True)
    for corpus in corpora or CORPORA:
        for name in methods or METHODS:
            file = out / f"{corpus}-{name}.json"
            if again or not file.is_file():
                file.write_text(json.dumps(asdict(row_of(corpus, name)), indent=1), "utf-8")
    print(HEAD)
    for corpus in CORPORA:
        for name in METHODS:
            file = out / f"{corpus}-{name}.json"
            if file.is_file():
                print(line(Row(**json.loads(file.read_text("utf-8")))))


if __name__ == "__main__":
    command_of(table)()
