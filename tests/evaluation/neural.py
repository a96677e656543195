"""What a neural tagger is worth beside the CRF: MEDDOCAN's official scores of both and together.

    deid-adapter train models/es/recipe.toml --data DATA --predictions P
    python -m tests.evaluation.neural P/corpora-meddocan-dev.jsonl [MODELS/es]

P has the spans of a CRF that has not seen the scored part. Ways to combine: ``united`` as the
pipeline does, ``beside`` with those of the network's mentions alone that overlap none of the
CRF's. Intervals are of 95 %, by drawing documents 1,000 times.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import Mention
from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.evaluation import evaluate
from adapter.evaluate.levels import Level
from adapter.evaluate.meddocan import official, with_source_labels
from adapter.languages.context import Context
from adapter.resolve.unite import unite
from adapter.rules.folder import rules_folder, shipped
from adapter.rules.networks import load_neural
from adapter.taggers.document.document import read
from adapter.taggers.neural.tagger import NeuralTagger
from adapter.taggers.trusted.index import NOBODY
from adapter.types import Label, Span
from tests.conftest import data_folder
from tests.corpus.runs import settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.evaluate.annotations import Annotated, Pair
    from adapter.taggers.document.resources import Resources

DRAWS, CRF = 1000, 75


def predicted(line: Mapping[str, object], labels: Mapping[str, Label | None]) -> list[Span]:
    """The CRF's spans of one text, by their corpus's labels."""
    return [
        Span(
            span["start"],
            span["end"],
            labels.get(span["type"]) or Label.OTHER,
            f"crf:{span['type']}",
            span["score"],
            CRF,
        )
        for span in line["spans"]
    ]


def combined(text: str, crf: Sequence[Span], found: Sequence[Span]) -> dict[str, list[Span]]:
    """Return the mentions of each way to combine, in one text."""
    free = [n for n in found if not any(n.start < c.end and c.start < n.end for c in crf)]
    united = unite(text, [*crf, *found], Context())
    return {"crf": list(crf), "neural": list(found), "united": united, "beside": [*crf, *free]}


def pair_of(text: Annotated, spans: Sequence[Span]) -> Pair:
    """Return a text and its mentions, by the corpus's labels on both sides."""
    found = (Mention(s.start, s.end, s.source.partition(":")[2]) for s in spans)
    return with_source_labels(text), tuple(found)


def figures(pairs: Sequence[Pair]) -> list[float]:
    """NER, strict and merged F1."""
    found = official(pairs)
    return [score.f() for score in (found.ner, found.strict, found.merged)]


def row(name: str, pairs: Sequence[Pair]) -> str:
    """Official scores with intervals; token recall, precision and leak-free share of our types."""
    draw = random.Random(7)
    drawn = [figures(draw.choices(pairs, k=len(pairs))) for _ in range(DRAWS)]
    shown = []
    for value, column in zip(figures(pairs), zip(*drawn, strict=True), strict=True):
        ordered = sorted(column)
        shown.append(f"{value:.4f} ({ordered[DRAWS // 40]:.3f}-{ordered[-DRAWS // 40]:.3f})")
    found = evaluate(pairs)
    token = found.score(Level.BLIND_TOKEN)
    rest = f"{token.recall:.4f} {token.precision:.4f} {found.safety.leak_free_share:.2f}"
    return f"{name:8}" + "  ".join([*shown, rest])


def compared(
    texts: Sequence[Annotated], lines: Sequence[Mapping[str, object]], resources: Resources
) -> dict[str, list[Pair]]:
    """The pairs of each way to combine."""
    tagger = NeuralTagger(resources).whole()
    by_id = {line["id"]: line for line in lines}
    found: dict[str, list[Pair]] = {}
    for text in texts:
        document = read(text.text, resources.language, resources.sections)
        crf = predicted(by_id[text.id], resources.neural.labels)
        for way, spans in combined(text.text, crf, tagger.tag(document, NOBODY)).items():
            found.setdefault(way, []).append(pair_of(text, spans))
    return found


def main() -> None:
    """Print the table."""
    predictions, *rest = map(Path, sys.argv[1:])
    folder = rules_folder(settings())
    model = load_neural(rest[0] if rest else shipped("models") / "es", folder.fields.joining)
    if model is None:
        sys.exit("no neural model; see docs/models.md")
    resources = replace(folder.resources("es"), neural=model)
    texts = list(read_corpus(data_folder() / "corpora/meddocan/dev.jsonl"))
    lines = [json.loads(line) for line in predictions.read_text("utf-8").splitlines()]
    print("way     NER, strict, merged F1; token recall, precision, documents without a leak")
    for way, pairs in compared(texts, lines, resources).items():
        print(row(way, pairs))


if __name__ == "__main__":
    main()
