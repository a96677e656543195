"""``deid-adapter evaluate``: scores a system's spans against annotated texts."""

from __future__ import annotations

import json
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from adapter.cli.terminal import say
from adapter.errors import RuleError
from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.evaluation import compare
from adapter.evaluate.evaluation import evaluate as measure
from adapter.evaluate.meddocan import official, with_source_labels
from adapter.evaluate.predictions import read_pairs
from adapter.evaluate.report import sections
from adapter.evaluate.report.comparison import comparison_section
from adapter.evaluate.report.document import Picture, Report, Section
from adapter.evaluate.report.figures import error_lines, figures
from adapter.evaluate.report.html import html
from adapter.evaluate.report.markdown import markdown
from adapter.evaluate.report.pictures import confusion_picture, curve_picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.evaluate.annotations import Annotated as Document
    from adapter.evaluate.annotations import Pair
    from adapter.evaluate.evaluation import Comparison, Evaluation
    from adapter.evaluate.meddocan import Official


GoldArgument = Annotated[
    Path,
    typer.Argument(metavar="GOLD", help="Annotated JSONL, or a folder of JSONL, brat or i2b2 XML."),
]
PredArgument = Annotated[
    Path, typer.Argument(metavar="PRED", help="Output of `tag`, or brat or i2b2 XML.")
]
AgainstOption = Annotated[
    Path | None,
    typer.Option(metavar="PRED2", help="Spans of another system, to test the difference."),
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Folder for report.html, report.md, scores.json, errors.tsv."),
]
ErrorsOption = Annotated[bool, typer.Option("--errors", help="Also print the list of errors.")]
TextOption = Annotated[
    bool,
    typer.Option("--show-text", help="Include the text of errors in the list; this text is PHI."),
]


class _Results(NamedTuple):
    """The results of all measurements."""

    evaluation: Evaluation
    official: Official | None
    other: Evaluation | None
    comparison: Comparison | None


def evaluate(
    gold: GoldArgument,
    pred: PredArgument,
    *,
    against: AgainstOption = None,
    out: OutOption = None,
    confusion: Annotated[
        bool, typer.Option("--confusion", help="Confusion matrix; with -o also as a picture.")
    ] = False,
    curve: Annotated[
        bool,
        typer.Option(
            "--curve", help="Recall and precision by threshold; with -o also as a picture."
        ),
    ] = False,
    meddocan: Annotated[
        bool,
        typer.Option("--meddocan", help="Use source labels, and print MEDDOCAN's official scores."),
    ] = False,
    threshold: Annotated[
        float | None, typer.Option(help="Ignore spans with a score below this; default: none.")
    ] = None,
    errors: ErrorsOption = False,
    show_text: TextOption = False,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of the randomization test.")] = 9999,
    seed: Annotated[int, typer.Option(help="Seed of the randomization test.")] = 0,
) -> None:
    """Score spans against gold: by entity, token, label and category, with leaks and losses."""
    if threshold is not None and isnan(threshold):
        raise RuleError("--threshold", "is not a number")
    texts = list(read_corpus(gold))
    if not texts:
        raise RuleError(str(gold), "has no texts")
    documents = [with_source_labels(text) for text in texts] if meddocan else texts
    first = _pairs(documents, pred, threshold, meddocan=meddocan)
    second = against and _pairs(documents, against, threshold, meddocan=meddocan)
    results = _Results(
        measure(first, source_labels=meddocan),
        official(first) if meddocan else None,
        measure(second, source_labels=meddocan) if second else None,
        compare(first, second, rounds=rounds, seed=seed) if second else None,
    )
    names = _names(pred, against)
    wanted = {"confusion": confusion, "curve": curve}
    report = _report(results, gold, names, wanted, drawn=out is not None)
    contents = {text.id: text.text for text in texts} if show_text else None
    listing = "\n".join(error_lines(results.evaluation, contents)) + "\n"
    for kind in sorted(results.evaluation.unknown):
        say(f'note: the mentions that "{kind}" leaves out are unknown here, so all count', err=True)
    if out:
        _write(out, report, results, listing)
        say(_brief(report, out), end="")
    else:
        say(markdown(report), end="")
    if errors:
        say(listing, end="")


def _pairs(
    documents: Sequence[Document], path: Path, threshold: float | None, *, meddocan: bool
) -> list[Pair]:
    pairs = read_pairs(documents, path, source_labels=meddocan)
    if meddocan and not _share_types(pairs):
        say(f"note: {path} has none of the corpus's own types, so NER has no match", err=True)
    if threshold is None:
        return pairs
    return [
        (document, tuple(m for m in predicted if m.score >= threshold))
        for document, predicted in pairs
    ]


def _share_types(pairs: Sequence[Pair]) -> bool:
    """Whether some predicted type is one of the gold's, or there are no predictions."""
    own = {mention.type for document, _ in pairs for mention in document.mentions}
    found = {mention.type for _, predicted in pairs for mention in predicted}
    return not found or not own.isdisjoint(found)


def _names(pred: Path, against: Path | None) -> tuple[str, str]:
    """Return the systems' names: the file names, preceded by the folder if those are equal."""
    if against is None or pred.stem != against.stem:
        return pred.stem, against.stem if against else ""
    return f"{pred.parent.name}/{pred.stem}", f"{against.parent.name}/{against.stem}"


def _report(
    results: _Results, gold: Path, names: tuple[str, str], wanted: dict[str, bool], *, drawn: bool
) -> Report:
    found = results.evaluation
    matrix = confusion_picture(found.confusion) if wanted["confusion"] and drawn else None
    line = curve_picture(found.curve) if wanted["curve"] and drawn else None
    parts = [sections.levels(found)]
    if results.official:
        parts.insert(0, sections.official_section(results.official))
    if results.other and results.comparison:
        parts.append(comparison_section(found, results.other, results.comparison, names))
    parts += [sections.safety_section(found.safety), sections.labels(found)]
    parts.append(sections.agreement(found, matrix, table=wanted["confusion"]))
    if wanted["curve"]:
        parts.append(sections.curve_section(found, line))
    parts.append(sections.mistakes_section(found))
    if drawn:
        parts.append(sections.every_measure(found))
    subtitle = (
        f"{found.documents:,} texts of {gold.name}, {found.gold:,} gold mentions, "
        f"{found.predicted:,} predicted"
    )
    return Report(f"{names[0]} on {gold.name}", subtitle, sections.tiles(found), tuple(parts))


def _write(out: Path, report: Report, results: _Results, listing: str) -> None:
    out.mkdir(parents=True, exist_ok=True)
    scores = figures(results.evaluation, results.official, results.comparison)
    (out / "report.md").write_text(markdown(report), "utf-8")
    (out / "report.html").write_text(html(report), "utf-8")
    (out / "scores.json").write_text(json.dumps(scores, indent=1) + "\n", "utf-8")
    (out / "errors.tsv").touch(mode=0o600)  # with --show-text it has texts of patients
    (out / "errors.tsv").chmod(0o600)
    (out / "errors.tsv").write_text(listing, "utf-8")
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, Picture):
                (out / block.name).write_bytes(block.png)


def _brief(report: Report, out: Path) -> str:
    """Return the main scores of the report, and the path of the rest."""
    shown = {"MEDDOCAN", "Scores"}
    first = tuple(_plain(section) for section in report.sections if section.heading in shown)
    return markdown(replace(report, sections=first)) + f"\nreport: {out / 'report.html'}\n"


def _plain(section: Section) -> Section:
    return replace(section, text="")
