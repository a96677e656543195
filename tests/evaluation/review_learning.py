"""``python -m tests.evaluation.review_learning FOLDER``: what a model learns from 200 decisions.

A model is learned by the shipped recipe (with fewer folds and draws, to save time) without the
notes of `tests.evaluation.review`, in FOLDER, unless it is there. Reviewers are simulated over one
half of those notes until they have made so many decisions. The notes that they have read to the end
are what `review export` writes for `train`: a second model learns from them too, by the same
recipe. Recall and precision of both on the other half, at the profile's target, show what the
decisions are worth.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path  # noqa: TC003 - typer reads it
from typing import TYPE_CHECKING, Annotated

import tomli_w
import typer

from adapter.cli.taggers.train import train
from adapter.config.settings import load_settings
from adapter.rules.compile import compile_language
from adapter.rules.folder import models_folder, rules_folder
from tests.conftest import data_folder
from tests.evaluation.review import FILES, print_figures, reviewed, texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.evaluate.annotations import Annotated as Text
    from adapter.pipeline.language import Language

REVIEWED = "reviewed.jsonl"


def recipe(*more: str) -> str:
    """The shipped recipe without the notes of the trial, with more corpora, and made faster."""
    file = models_folder(load_settings(None, transport="memory")) / "en" / "recipe.toml"
    table = tomllib.loads(file.read_text("utf-8"))
    left_out = {f"corpora/notes_en/{name}.jsonl" for name in FILES}
    kept = [corpus for corpus in table["corpus"] if corpus["path"] not in left_out]
    like = next(corpus for corpus in kept if corpus["path"].endswith("notes_en/h.jsonl"))
    table["folds"] = 2
    table["learning"]["draws"] = 1
    table["corpus"] = kept + [like | {"path": path, "headers": False} for path in more]
    return tomli_w.dumps(table)


def learned(folder: Path, data: Path, *more: str) -> Language:
    """The tagger with a model learned into a folder, unless it is there."""
    if not (folder / "en" / "card.toml").exists():
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "recipe.toml"
        file.write_text(recipe(*more), "utf-8")
        train([file], data, folder / "en")
    rules = {"languages": ["en"], "models": str(folder)}
    settings = load_settings(None, transport="memory", rules=rules)
    return compile_language(rules_folder(settings), "en", settings)


def as_line(text: Text) -> str:
    """A reviewed note as `review export` writes it."""
    spans = [{"start": m.start, "end": m.end, "type": m.type} for m in text.mentions]
    return json.dumps({"id": text.id, "text": text.text, "lang": "en", "spans": spans})


def data_with(folder: Path, notes: Sequence[Text]) -> Path:
    """A data folder with the corpora and the reviewed notes."""
    folder.mkdir(parents=True, exist_ok=True)
    corpora = folder / "corpora"
    if not corpora.exists():
        corpora.symlink_to((data_folder() / "corpora").resolve())
    (folder / REVIEWED).write_text("".join(f"{as_line(note)}\n" for note in notes), "utf-8")
    return folder


def main(
    folder: Annotated[Path, typer.Argument(help="Where the models are kept.")],
    number: Annotated[int, typer.Option(help="Decisions.")] = 200,
    seed: Annotated[int, typer.Option(help="Of the halves.")] = 7,
) -> None:
    """Print recall and precision on the other half, before and after."""
    before = learned(folder / "before", data_folder())
    read, other = texts(len(FILES) * 1000, seed)
    _, notes = reviewed(read, before, number)
    data = data_with(folder / f"data-{seed}-{number}", notes)
    after = learned(folder / f"after-{seed}-{number}", data, REVIEWED)
    print(f"{number} decisions, {len(notes)} notes reviewed")
    print_figures(other, before, after)


if __name__ == "__main__":
    typer.run(main)
