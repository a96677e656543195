"""``deid-adapter tag``: spans only, for scoring the taggers against gold."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adapter.cli.setup import ConfigOption, settings
from adapter.errors import RuleError
from adapter.evaluate.headers import from_header
from adapter.process import Language, Ruleset, find_in
from adapter.ruleset import load_ruleset
from adapter.taggers.phrases import PhraseIndex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from adapter.types import Span


def tag(
    source: Annotated[
        Path, typer.Argument(metavar="IN.jsonl", help="Lines of {id, text, lang}; - reads stdin.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="OUT.jsonl", help="File; - writes to stdout.")
    ],
    lang: Annotated[str | None, typer.Option(help="Language of lines that name none.")] = None,
    header: Annotated[
        bool,
        typer.Option(
            help="Trust the structured fields in each line's meta (patient_family, mrn ...)."
        ),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Tag texts: a line {id, spans: [{start, end, type, source, score}]} for each line read."""
    ruleset = load_ruleset(settings(config))
    with _reading(source) as lines, _writing(out) as sink:
        for number, line in enumerate(lines, 1):
            if line.strip():
                entry = _parsed(line, f"{source}:{number}")
                spans = _spans(entry, ruleset, entry.get("lang") or lang, header=header)
                sink.write(json.dumps({"id": entry["id"], "spans": spans}) + "\n")


@contextmanager
def _reading(source: Path) -> Iterator[TextIO]:
    if str(source) == "-":
        yield sys.stdin
    else:
        with source.open(encoding="utf-8") as stream:
            yield stream


@contextmanager
def _writing(out: Path) -> Iterator[TextIO]:
    if str(out) == "-":
        yield sys.stdout
    else:
        with out.open("w", encoding="utf-8") as stream:
            yield stream


def _parsed(line: str, place: str) -> dict[str, Any]:
    try:
        entry = json.loads(line)
        if isinstance(entry["text"], str) and "id" in entry:
            return dict(entry)
    except (ValueError, KeyError, TypeError):
        raise RuleError(place, "is not a JSON object with id and text") from None
    raise RuleError(place, "is not a JSON object with id and text")


def _spans(
    entry: dict[str, Any], ruleset: Ruleset, language: str | None, *, header: bool
) -> list[dict[str, Any]]:
    phrases = from_header(entry.get("meta") or {}, ruleset.words).phrases if header else ()
    found = find_in(entry["text"], PhraseIndex.build(phrases), _language(ruleset, language))
    return [_line(span) for span in found]


def _language(ruleset: Ruleset, code: str | None) -> Language:
    """The configured language of that code; the first where none is asked for."""
    for language in ruleset.languages:
        if code in (None, language.code):
            return language
    raise RuleError("--lang", "no rules are loaded for that language; see rules.languages")


def _line(span: Span) -> dict[str, Any]:
    return {
        "start": span.start,
        "end": span.end,
        "type": str(span.label),
        "source": span.source,
        "score": span.score,
    }
