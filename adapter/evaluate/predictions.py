"""Predictions of a system, joined to the annotated texts."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.evaluate.annotations import Annotated, Mention, Pair, checked
from adapter.evaluate.corpora.brat import read_ann
from adapter.evaluate.corpora.i2b2 import read_tags
from adapter.evaluate.corpora.readers import check_labels, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


def read_pairs(gold: Sequence[Annotated], path: Path, *, source_labels: bool = False) -> list[Pair]:
    """Return every annotated text with its predictions, in the order of ``gold``.

    ``path`` is a JSONL file as `tag` writes it, or a folder of brat ``.ann`` or i2b2 XML files
    named by id. With ``source_labels`` types are the corpus's own labels.

    Raises:
        RuleError: an id is not in ``gold``, occurs twice or is missing; an extent lies outside its
            text; a type is unknown.
    """
    texts = {document.id: document for document in gold}
    found: dict[str, tuple[Mention, ...]] = {}
    for name, place, mentions in _predictions(path, texts, source_labels=source_labels):
        if name in found:
            raise RuleError(place, "has the id of an earlier text")
        found[name] = tuple(sorted(mentions, key=lambda mention: (mention.start, mention.end)))
    lacking = [number for number, one in enumerate(gold, 1) if one.id not in found]
    if lacking:
        problem = f"lacks {len(lacking)} texts of the gold, the first is number {lacking[0]} there"
        raise RuleError(str(path), problem)
    return [(document, found[document.id]) for document in gold]


def _predictions(
    path: Path, texts: dict[str, Annotated], *, source_labels: bool
) -> Iterator[tuple[str, str, list[Mention]]]:
    if path.is_file() and path.suffix.lower() not in {".ann", ".xml"}:
        for place, entry in lines_of(path):
            document = _known(str(entry["id"]), texts, place)
            yield document.id, place, _spans(entry, document, place, source_labels=source_labels)
        return
    if not path.exists():
        raise RuleError(str(path), "does not exist")
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    chosen = [file for file in files if file.suffix.lower() in {".ann", ".xml"}]
    if not chosen:
        raise RuleError(str(path), "has no .ann or .xml files")
    for file in chosen:
        document = _known(file.stem, texts, str(file))
        yield document.id, str(file), _marked(file, document, source_labels=source_labels)


def _known(name: str, texts: dict[str, Annotated], place: str) -> Annotated:
    document = texts.get(name)
    if document is None:
        raise RuleError(place, "has an id that is not in the gold")
    return document


def _spans(
    entry: dict[str, Any], document: Annotated, place: str, *, source_labels: bool
) -> list[Mention]:
    spans = entry.get("spans")
    if not isinstance(spans, list):
        raise RuleError(place, "has no list of spans")
    found = [checked(_mention(span, place), len(document.text), place) for span in spans]
    if not source_labels:
        check_labels(found, place)
    return found


def _mention(span: Any, place: str) -> Mention:
    try:
        start, end, kind, score = span["start"], span["end"], span["type"], span.get("score", 1.0)
        source = span.get("source") or ""
    except (TypeError, KeyError, AttributeError):
        raise RuleError(place, "has a span without start, end and type") from None
    whole = type(start) is int and type(end) is int
    if (
        not whole
        or not isinstance(score, int | float)
        or isnan(score)
        or not isinstance(kind, str)
        or not isinstance(source, str)
    ):
        raise RuleError(place, "has a span with an invalid start, end, type or score")
    return Mention(start, end, kind, source, float(score))


def _marked(file: Path, document: Annotated, *, source_labels: bool) -> list[Mention]:
    """Return the mentions of a file; labels outside the scheme only with ``source_labels``."""
    if file.suffix.lower() == ".ann":
        found = list(read_ann(file, document.text))
    else:
        text, found = read_tags(file)
        if text is not None and text != document.text:
            raise RuleError(str(file), "has a text that differs from the gold")
        found = [(checked(m, len(document.text), str(file)), known) for m, known in found]
    if source_labels:
        return [Mention(m.start, m.end, m.source_label, m.source_label) for m, _ in found]
    return [mention for mention, known in found if known]
