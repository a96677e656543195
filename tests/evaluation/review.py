"""``python -m tests.evaluation.review``: the effect of 200 decisions of reviewers.

``--models`` names a folder whose English model has not learned from these notes: the shipped one
has, and finds nearly all of them. The notes are parted by chance. Over one part reviewers are
simulated: in notes drawn at random they add what gold has and the shipped tagger misses, and reject
what it finds and gold has not, until 200 decisions are made. A second person approves a proposal
only if in the reviewed part it is right more often than wrong. What is approved is
applied as the console applies it, and the other part is tagged with and without it.
"""

from __future__ import annotations

import random
from pathlib import Path  # noqa: TC003 - typer reads it
from typing import TYPE_CHECKING, Annotated

import regex
import typer

from adapter.config.settings import load_settings
from adapter.evaluate.annotations import as_mentions
from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.token_labels import label_tokens
from adapter.normalize.folding import fold
from adapter.pipeline.language import find_in
from adapter.review.feedback.effect import Overlaid, lexicon_items
from adapter.review.feedback.rendering import form_of, overlay
from adapter.review.judging.actions import Action, ActionError, Kind, applied, initial
from adapter.review.judging.editing import canonical, occurrences
from adapter.review.judging.items import Content, Mark, ReviewText
from adapter.review.judging.proposals import Effect, proposals
from adapter.rules.compile import compile_language
from adapter.rules.folder import rules_folder
from adapter.taggers.trusted.index import NOBODY
from tests.conftest import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.evaluate.annotations import Annotated as Text
    from adapter.pipeline.language import Language
    from adapter.review.judging.proposals import Proposal

FILES = "ijklmnpqrstu"
"""Of notes_en: those that the model of ``--models`` has not learned from."""


def texts(most: int, seed: int) -> tuple[list[Text], list[Text]]:
    """Notes that the model has not seen, in two parts."""
    folder = data_folder() / "corpora" / "notes_en"
    found = [text for name in FILES for text in read_corpus(folder / f"{name}.jsonl", "en")]
    random.Random(seed).shuffle(found)
    found = found[:most]
    return found[: len(found) // 2], found[len(found) // 2 :]


def content(text: Text, language: Language) -> Content:
    """A note as reviewers see it."""
    spans = find_in(text.text, NOBODY, language)
    marks = tuple(Mark(s.start, s.end, str(s.label), s.source, s.score) for s in spans)
    return Content("text", "note", "en", (ReviewText("", "", "scan", text.text, "en", marks),), b"")


def decisions(text: Text, shown: Content) -> Iterator[Action]:
    """Yield what a reviewer who is right would do."""
    marks = shown.texts[0].marks
    for mention in text.mentions:
        if not any(m.start < mention.end and mention.start < m.end for m in marks):
            form = any(c.isdigit() for c in text.text[mention.start : mention.end])
            label = mention.type if mention.type not in {"NAME", "LOCATION"} else "OTHER"
            yield Action(
                Kind.ADD, text=0, start=mention.start, end=mention.end, label=label,
                reason="form" if form else "term",
            )  # fmt: skip
    for number, mark in enumerate(marks):
        if not any(m.start < mark.end and mark.start < m.end for m in text.mentions):
            yield Action(Kind.REJECT, span=number, reason="ambiguous")


def reviewed(
    part: Sequence[Text], language: Language, wanted: int
) -> tuple[list[Proposal], list[Text]]:
    """The proposals that follow from so many decisions, and the notes that were read to the end."""
    made: list[Proposal] = []
    done: list[Text] = []
    left = wanted
    for text in part:
        shown = content(text, language)
        state = initial(shown)
        for action in decisions(text, shown):
            if not left:
                break
            try:
                state = applied(shown, state, action)
                left -= 1
            except ActionError:
                continue
        made += proposals(shown, state)
        if not left:
            break
        done.append(text)
    return list({p.key: p for p in made}.values()), done


def found_in(text: str, proposal: Proposal) -> Iterator[tuple[int, int]]:
    """Yield where a proposal applies."""
    if proposal.effect is Effect.PATTERN:
        form = rf"(?<![\p{{L}}\p{{N}}]){form_of(canonical(proposal.phrase))}(?![\p{{L}}\p{{N}}])"
        yield from (m.span() for m in regex.finditer(form, fold(text), regex.VERBOSE))
        return
    for start, end in occurrences(text, canonical(proposal.phrase)):
        if canonical(text[end : end + 40]).startswith(proposal.behind):
            yield start, end


def is_approved(proposal: Proposal, part: Sequence[Text]) -> bool:
    """Whether its phrase is what it says more often than not, in the notes that were reviewed."""
    right = wrong = 0
    for text in part:
        for start, end in found_in(text.text, proposal):
            inside = any(m.start < end and start < m.end for m in text.mentions)
            hides = proposal.effect is not Effect.VETO
            right, wrong = right + (inside == hides), wrong + (inside != hides)
    return right > wrong


def figures(part: Sequence[Text], language: Language) -> tuple[float, float]:
    """Token recall and precision of a tagger."""
    hits = gold = found = 0
    for text in part:
        labels = label_tokens((text, as_mentions(find_in(text.text, NOBODY, language))))
        for true, said in zip(labels.gold, labels.predicted, strict=True):
            hits, gold, found = hits + bool(true and said), gold + bool(true), found + bool(said)
    return hits / gold, hits / found


def print_figures(part: Sequence[Text], before: Language, after: Language) -> None:
    """Print `figures` of two taggers."""
    for name, tagger in (("before", before), ("after", after)):
        recall, precision = figures(part, tagger)
        print(f"{name:7} {len(part)} other notes: recall {recall:.4f} precision {precision:.4f}")


def main(
    models: Annotated[Path, typer.Option(help="Models that have not learned from these notes.")],
    number: Annotated[int, typer.Option(help="Decisions.")] = 200,
    most: Annotated[int, typer.Option(help="Notes.")] = 1220,
    seed: Annotated[int, typer.Option(help="Of the parts.")] = 7,
) -> None:
    """Print recall and precision on the other part, before and after."""
    settings = load_settings(
        None, transport="files", rules={"languages": ["en"], "models": str(models)}
    )
    folder = rules_folder(settings)
    language = compile_language(folder, "en", settings)
    read, other = texts(most, seed)
    made, _ = reviewed(read, language, number)
    approved = [p for p in made if is_approved(p, read)]
    over = overlay(approved, lexicon_items(folder, ["en"]))
    after = compile_language(Overlaid(folder.path, over=over), "en", settings)
    print(f"{number} decisions, {len(made)} proposals, {len(approved)} approved")
    print_figures(other, language, after)


if __name__ == "__main__":
    typer.run(main)
