"""``deid-adapter tag``: writes the spans of texts, for scoring the taggers against gold.

With ``--labels source`` a span has the type of the model's corpus: a learned span has it in its
source ("crf:TYPE"), other spans get it from the table ``[source_labels]`` of the model's card.
"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from adapter.cli.setup import ConfigOption, RecallOption, rules
from adapter.cli.taggers.methods import finder, no_effect
from adapter.config.settings import Settings, load_settings
from adapter.errors import RuleError
from adapter.evaluate.headers import check_meta, from_header
from adapter.pipeline.language import Language, find_in
from adapter.rules.compile import compile_language
from adapter.rules.folder import models_folder, rules_folder, source_labels
from adapter.taggers.trusted.index import PhraseIndex
from adapter.types import LEARNED_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TextIO

    from adapter.cli.taggers.methods import Finder
    from adapter.types import Span


LANG = "--lang"


def tag(
    source: Annotated[
        Path, typer.Argument(metavar="IN.jsonl", help="Lines of {id, text, lang}; - reads stdin.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="OUT.jsonl", help="File; - writes to stdout.")
    ],
    *,
    lang: Annotated[
        str | None,
        typer.Option(help="Language of lines without one; default: detected."),
    ] = None,
    header: Annotated[
        bool,
        typer.Option(
            help="Trust the structured fields in each line's meta (patient_family, mrn ...)."
        ),
    ] = False,
    labels: Annotated[
        Literal["ours", "source"],
        typer.Option(help="Types of spans: ours, or those of the model's corpus."),
    ] = "ours",
    recall: RecallOption = None,
    method: Annotated[
        str | None,
        typer.Option(help="A published system, with its folder in --model; no other options."),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="Folder written by `train --method`.", file_okay=False)
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Tag texts: write a line {id, spans: [{start, end, type, source, score}]} for each line."""
    if (method is None) != (model is None):
        raise RuleError("tag", "needs both --method and --model, or neither")
    if str(out) != "-" and out.exists() and str(source) != "-" and out.samefile(source):
        raise RuleError("--out", "is the file to be tagged")
    if method is not None and model is not None:
        without = {
            "--lang": lang, "--header": header, "--labels": labels == "source", "--recall": recall,
            "--config": config,
        }  # fmt: skip
        no_effect(without, "with --method: the model has its own language, fields and types")
        _tag_by(finder(method, model), source, out)
        return
    settings = load_settings(config, said={"rules": rules(recall=recall)})
    languages = _Languages(settings, whole=labels == "source")
    if lang is not None:
        languages.of(lang, "", LANG)
    with _reading(source) as lines, _writing(out) as sink:
        for number, line in enumerate(lines, 1):
            if line.strip():
                place = f"{source}:{number}"
                entry = _parsed(line, place)
                named = entry.get("lang")
                language = languages.of(named or lang, entry["text"], place if named else LANG)
                names = languages.types(language.code) if labels == "source" else None
                spans = [_line(span, names) for span in _spans(entry, language, header=header)]
                sink.write(json.dumps({"id": entry["id"], "spans": spans}) + "\n")


def _tag_by(finder: Finder, source: Path, out: Path) -> None:
    """Tag texts with a trained method.

    Raises:
        RuleError: a text says that it is in another language than those that were learned from.
    """
    with _reading(source) as lines, _writing(out) as sink:
        for number, line in enumerate(lines, 1):
            if line.strip():
                place = f"{source}:{number}"
                entry = _parsed(line, place)
                if entry.get("lang") not in (None, "", finder.language):
                    raise RuleError(place, f"is not in the model's language '{finder.language}'")
                found = finder.find(entry["text"], entry.get("meta") or {})
                spans = [_line(span, None) for span in found]
                sink.write(json.dumps({"id": entry["id"], "spans": spans}) + "\n")


class _Languages:
    """The languages that have rules, each compiled on first use.

    ``whole``: models also return mentions whose labels only their corpora have.
    """

    def __init__(self, settings: Settings, *, whole: bool = False) -> None:
        self._settings = settings
        self._whole = whole
        self._folder = rules_folder(settings)
        self._models = models_folder(settings)
        self._recognizer = self._folder.recognizer(settings.rules.languages)
        self._compiled: dict[str, Language] = {}
        self._types: dict[str, Mapping[str, str]] = {}

    def of(self, name: str | None, text: str, place: str) -> Language:
        """Return the language with a name given at ``place``, or without one, the text's own."""
        code = str(name or self._recognizer.heard(text))
        code = code if code in self._folder.languages else code.lower().partition("-")[0]
        said = f"language '{name}'" if place == LANG else "its language"
        self._folder.check_language(code, place, said)
        if code not in self._compiled:
            language = compile_language(self._folder, code, self._settings)
            if self._whole:
                language = language.whole()
            self._compiled[code] = language
        return self._compiled[code]

    def types(self, code: str) -> Mapping[str, str]:
        """Return our labels -> the types of the corpus that the language's model was trained on."""
        if code not in self._types:
            self._types[code] = source_labels(self._models / code)
        return self._types[code]


@contextmanager
def _reading(source: Path) -> Iterator[TextIO]:
    if str(source) == "-":
        yield sys.stdin
    else:
        with source.open(encoding="utf-8", errors="surrogateescape") as stream:
            yield stream


@contextmanager
def _writing(out: Path) -> Iterator[TextIO]:
    """Open what is written; it is shown, or gets its name, when all is written."""
    if str(out) == "-":
        written = StringIO()
        yield written
        sys.stdout.write(written.getvalue())
    elif out.exists() and not out.is_file():
        with out.open("w", encoding="utf-8") as stream:
            yield stream
    else:
        part = out.with_name(f".{out.name}.part")
        try:
            with part.open("w", encoding="utf-8") as stream:
                yield stream
            part.replace(out)
        finally:
            part.unlink(missing_ok=True)


def _parsed(line: str, place: str) -> dict[str, Any]:
    try:
        entry = dict(json.loads(line.encode("utf-8", "surrogateescape").decode("utf-8-sig")))
        entry["text"].encode("utf-8")
        entry["id"]
    except (ValueError, KeyError, RecursionError, TypeError, AttributeError):
        raise RuleError(place, "is not a JSON object with id and text") from None
    check_meta(entry.get("meta") or {}, place)
    return entry


def _spans(entry: dict[str, Any], language: Language, *, header: bool) -> tuple[Span, ...]:
    phrases = from_header(entry.get("meta") or {}, language.words).phrases if header else ()
    return find_in(entry["text"], PhraseIndex.build(phrases, language.words.cues), language)


def _line(span: Span, names: Mapping[str, str] | None) -> dict[str, Any]:
    """Return a span as written; with ``names``, its type is that of the corpus if known."""
    label = str(span.label)
    return {
        "start": span.start,
        "end": span.end,
        "type": label if names is None else _learned(span) or names.get(label, label),
        "source": span.source,
        "score": span.score,
    }


def _learned(span: Span) -> str | None:
    tagger, _, label = span.source.partition(":")
    return label if label and tagger == LEARNED_SOURCE else None
