"""``make eval``: the shipped rules on the development corpora, and what models' cards say.

Models have learned from these corpora, so they are left out, unless ``--learned`` asks for them:
their honest scores are the cross-validated ones of their cards, printed below the table, and for
English those of `tests.evaluation.sites`.

Tokens are protected by a span of any type; entities count with their type and extent. With
``--labels`` scores by label follow each corpus. The names of corpora choose among them.
"""

from __future__ import annotations

import sys
import time
import tomllib
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from adapter.evaluate.annotations import as_mentions
from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.evaluation import evaluate
from adapter.evaluate.headers import from_header
from adapter.evaluate.levels import Level
from adapter.evaluate.report.cells import share
from adapter.evaluate.report.markdown import block_lines
from adapter.evaluate.report.sections import labels
from adapter.pipeline.language import find_in
from adapter.rules.compile import compile_language, without_models
from adapter.rules.folder import rules_folder, shipped
from adapter.taggers.trusted.index import PhraseIndex
from tests.conftest import data_folder
from tests.corpus.runs import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.config.settings import Settings
    from adapter.evaluate.annotations import Annotated, Pair
    from adapter.evaluate.evaluation import Evaluation
    from adapter.pipeline.language import Language

CORPORA = {
    "notes_en": tuple("cdefghijklmnpqrstu"),
    "asq_phi": ("dev",),
    "aci_bench_phi": ("train",),
    "meddocan": ("dev",),
    "grascco": ("train",),
}
LANGUAGES = {"meddocan": "es", "grascco": "de"}
"""Languages of corpora that are not English."""

HEADERS = {"notes_en"}
"""Corpora whose texts come with the structured fields of their messages."""


class Run(NamedTuple):
    """Texts with what was found in them, and the seconds that took."""

    pairs: list[Pair]
    seconds: float


@cache
def language(code: str) -> Language:
    """The shipped rules of a language, with its model if that is asked for."""
    said = chosen()
    return compile_language(rules_folder(said), code, said)


def chosen() -> Settings:
    """The shipped rules' settings, without what was learned unless that is asked for."""
    said = settings()
    return said if "--learned" in sys.argv else without_models(said)


def tag(documents: Sequence[Annotated], *, header: bool) -> Run:
    """Tag texts, with or without the phrases their structured fields vouch for."""
    pairs, seconds = [], 0.0
    for document in documents:
        spoken = language(document.language)
        start = time.perf_counter()
        phrases = from_header(document.meta, spoken.words).phrases if header else ()
        spans = find_in(document.text, PhraseIndex.build(phrases, spoken.words.cues), spoken)
        seconds += time.perf_counter() - start
        pairs.append((document, as_mentions(spans)))
    return Run(pairs, seconds)


HEAD = (
    f"{'':28}{'recall':>8}{'precis.':>8}{'F2':>8}{'ent. F1':>8}{'relaxed':>8}"
    f"{'leak-free':>10}{'FP/1000':>8}{'touched':>9}{'docs/s':>8}"
)


def line(name: str, found: Evaluation, seconds: float) -> str:
    """One row of the table."""
    token, strict, relaxed = (
        found.score(level) for level in (Level.BLIND_TOKEN, Level.STRICT, Level.RELAXED)
    )
    measures = (token.recall, token.precision, token.f(2), strict.f(), relaxed.f())
    safe = found.safety
    return (
        f"{name:28}{''.join(f'{share(value):>8}' for value in measures)}"
        f"{100 * safe.leak_free_share:8.1f} %{safe.over_redaction:8.2f}"
        f"{f'{safe.touched}/{safe.without_phi}':>9}{found.documents / seconds:8.0f}"
    )


def show(corpus: str, parts: Sequence[str], *, header: bool, by_label: bool) -> None:
    """Print the rows of one corpus: its parts, where it has several, and the whole."""
    suffix = " + fields" if header else ""
    whole: list[Pair] = []
    spent = 0.0
    for part in parts:
        documents = list(read_corpus(data_folder() / "corpora" / corpus / f"{part}.jsonl"))
        language(documents[0].language)
        run = tag(documents, header=header)
        whole, spent = [*whole, *run.pairs], spent + run.seconds
        if len(parts) > 1:
            print(line(f"  {corpus}/{part}{suffix}", evaluate(run.pairs), run.seconds))
    found = evaluate(whole)
    print(line(corpus + suffix, found, spent))
    if by_label:
        for block in labels(found).blocks:
            print("\n".join(("", *block_lines(block))))


def main() -> None:
    """Print the table."""
    asked = [name for name in sys.argv[1:] if name in CORPORA] or list(CORPORA)
    by_label = "--labels" in sys.argv
    known = rules_folder(settings()).languages
    print(HEAD)
    for corpus in asked:
        if LANGUAGES.get(corpus, "en") not in known:
            print(f"{corpus:28} left out: no rules for its language")
            continue
        for header in (False, True) if corpus in HEADERS else (False,):
            show(corpus, CORPORA[corpus], header=header, by_label=by_label)
    cards()


def cards() -> None:
    """Print what each model's card says of texts held out while it was learned."""
    for file in sorted(shipped("models").glob("*/card.toml")):
        card = tomllib.loads(file.read_text("utf-8"))
        unit = card.get("held_out", {}).get("by", "document")
        print(f"\n{file.parent.name}, cross-validated by {unit}")
        for target, point in card["reached"].items():
            print(
                f"  recall {target}: token recall {point['token_recall']:.3f}, "
                f"precision {point['token_precision']:.3f}"
            )
        for corpus, scores in card["scores"].items():
            print(
                f"  {corpus:40} recall {scores['token_recall']:.3f} "
                f"precision {scores['token_precision']:.3f} entity F1 {scores['strict_f1']:.3f}"
            )


if __name__ == "__main__":
    main()
