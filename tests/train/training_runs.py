"""A tiny language, corpus and recipe, to learn from in seconds."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import Annotated, Mention
from adapter.pipeline.language import Language
from adapter.resolve import Options
from adapter.taggers.crf.features import Featurizer
from adapter.taggers.crf.word_stats import WordStats
from adapter.taggers.document.sections import SectionRules
from adapter.train.examples import Example
from adapter.train.model import TrainingRun
from adapter.train.recipe import ChainPlan, CorpusPlan, Learning, Recipe
from tests.wording import word_list

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NAMES = "Okafor Lindqvist Marchetti Oyelaran Halvorsen Petrosyan Quillfeather Wexcombe".split()
PLAIN = "was stable and slept well", "has mild cough", "took water with tablets", "walked alone"
WORDS = "10\t9\twas well and has took\n110\t3\tstable cough tablets\n"
"""The text of a word statistics."""
RECIPE = """
language = "en"
target = "notes"
folds = 2
[learning]
parameters = { max_iterations = 20, c2 = 0.1 }
[[chain]]
name = "names"
labels = ["PATIENT", "DOCTOR"]
[[chain]]
name = "quantities"
[[corpus]]
path = "notes.jsonl"
licence = "own"
domain = "notes"
scored = true
"""


def note(number: int, *, names: Iterable[str] = NAMES) -> Annotated:
    """A note of its number: a patient's line, a doctor and a day in prose."""
    draw = random.Random(number)
    patient, doctor = draw.sample(tuple(names), 2)
    day = f"{draw.randint(1, 12)}/{draw.randint(1, 28)}/20{draw.randint(10, 24)}"
    pieces = (
        ("Patient: ", ""), (patient, "PATIENT"), ("\nSeen by Dr. ", ""), (doctor, "DOCTOR"),
        (" on ", ""), (day, "DATE"), (".\n", ""), (f"The man {draw.choice(PLAIN)}.\n", ""),
    )  # fmt: skip
    text, mentions = "", []
    for piece, kind in pieces:
        if kind:
            mentions.append(Mention(len(text), len(text) + len(piece), kind, f"OWN_{kind}"))
        text += piece
    return Annotated(str(number), text, "en", tuple(mentions))


def notes(count: int) -> list[Annotated]:
    """The first notes."""
    return [note(number) for number in range(count)]


def write(path: Path, texts: Iterable[Annotated]) -> Path:
    """A corpus as a file."""
    path.write_text("".join(json.dumps(_entry(text)) + "\n" for text in texts))
    return path


def _entry(text: Annotated) -> dict[str, object]:
    spans = [
        {"start": m.start, "end": m.end, "type": m.type, "orig": m.source_label}
        for m in text.mentions
    ]
    return {"id": text.id, "text": text.text, "lang": "en", "spans": spans, "meta": {}}


def language(**more: object) -> Language:
    """A language without rules."""
    bare = Language("en", SectionRules({}), (), Options(), word_list())
    return replace(bare, **more)


PLAN = CorpusPlan("notes.jsonl", "own", "notes", scored=True)


def recipe(**more: object) -> Recipe:
    """A recipe of one chain, quickly learned."""
    parameters = {"max_iterations": 20, "c2": 0.1}
    made = Recipe("en", (PLAN,), (ChainPlan("all"),), Learning(parameters=parameters), folds=2)
    return replace(made, target="notes", **more)


def featurizer(**more: object) -> Featurizer:
    """Features with a few words of a word statistics."""
    return Featurizer({}, WordStats.parse(WORDS), **more)


def training_run(texts: Iterable[Annotated] = (), **more: object) -> TrainingRun:
    """All there is to learn from these texts, else from 40 notes."""
    made = recipe(**more)
    examples = tuple(Example(text, PLAN) for text in texts or notes(40))
    return TrainingRun(made, language(), featurizer(groups=made.groups), examples, WORDS)
