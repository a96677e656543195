"""Readers of annotated corpora: JSON lines, brat stand-off, i2b2 2014 XML.

Every error in a corpus is a `RuleError` with file and line.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.evaluate.annotations import CATEGORY_OF, Annotated, Mention, Pair, checked
from adapter.evaluate.corpora.brat import read_brat
from adapter.evaluate.corpora.i2b2 import read_i2b2
from adapter.evaluate.headers import check_meta

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["Annotated", "Mention", "Pair", "check_labels", "lines_of", "read_corpus"]


def read_corpus(path: Path, language: str = "") -> Iterator[Annotated]:
    """Yield the texts of a JSONL file, of a folder of brat ``.txt``/``.ann`` or of i2b2 XML.

    A folder's files are read in order of name. ``language`` is used for texts that give none.

    Raises:
        RuleError: a file is not in the format of its suffix, or an id occurs twice.
    """
    seen: set[str] = set()
    for place, document in _documents(path, language):
        if document.id in seen:
            raise RuleError(place, "has the id of an earlier text")
        seen.add(document.id)
        yield document


def _documents(path: Path, language: str) -> Iterator[tuple[str, Annotated]]:
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    readers = {".jsonl": _read_jsonl, ".txt": read_brat, ".ann": read_brat, ".xml": read_i2b2}
    found = [file for file in files if file.suffix.lower() in readers]
    beside = {file.with_suffix(".txt") for file in found if file.suffix == ".ann"}
    chosen = [file for file in found if file not in beside]
    if not chosen:
        raise RuleError(str(path), "has no .jsonl, .txt with .ann, or .xml files")
    for file in chosen:
        yield from readers[file.suffix.lower()](file, language)


def lines_of(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield ("file:line", object) for each non-blank line of JSON.

    Raises:
        RuleError: a line is not a JSON object with an id.
    """
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield f"{path}:{number}", _object(line, f"{path}:{number}")


def _object(line: bytes, place: str) -> dict[str, Any]:
    try:
        entry = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise RuleError(place, "is not UTF-8") from None
    except (ValueError, RecursionError):
        raise RuleError(place, "is not JSON, or nested too deeply") from None
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str | int):
        raise RuleError(place, "is not a JSON object with an id")
    return entry


def _read_jsonl(path: Path, language: str) -> Iterator[tuple[str, Annotated]]:
    for place, entry in lines_of(path):
        text, meta = entry.get("text"), entry.get("meta") or {}
        if not isinstance(text, str) or not is_unicode(text):
            raise RuleError(place, "has no text, or half of a surrogate pair in it")
        check_meta(meta, place)
        spoken = entry.get("lang") or language
        if not isinstance(spoken, str):
            raise RuleError(place, "has a lang that is not a text")
        yield (
            place,
            Annotated(
                id=str(entry["id"]),
                text=text,
                language=spoken,
                mentions=_mentions(entry, "spans", len(text), place),
                extra=_mentions(entry, "extra_spans", len(text), place),
                meta=meta,
                unlabelled=_unlabelled(meta, place),
            ),
        )


def is_unicode(text: str) -> bool:
    """Whether a text can be encoded: JSON may have half of a surrogate pair."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _unlabelled(meta: dict[str, Any], place: str) -> frozenset[str]:
    kinds = meta.get("unlabelled") or []
    if not isinstance(kinds, list) or not all(isinstance(kind, str) for kind in kinds):
        raise RuleError(place, "has a meta.unlabelled that is not a list of texts")
    return frozenset(kinds)


def _mentions(entry: dict[str, Any], key: str, length: int, place: str) -> tuple[Mention, ...]:
    spans = entry.get(key, [] if key == "extra_spans" else None)
    if not isinstance(spans, list):
        raise RuleError(place, f"has no list of {key}")
    found = [checked(_mention(span, place), length, place) for span in spans]
    if key == "spans":
        check_labels(found, place)
    return tuple(sorted(found, key=lambda mention: (mention.start, mention.end)))


def check_labels(mentions: Sequence[Mention], place: str) -> None:
    """Check that mentions have labels or categories of ours; an unknown one may be anything.

    Raises:
        RuleError: one has not; it is named by its number only.
    """
    for number, mention in enumerate(mentions, 1):
        if mention.type not in CATEGORY_OF:
            raise RuleError(place, f"has an unknown label or category in span {number}")


def _mention(span: Any, place: str) -> Mention:
    try:
        start, end, source = span["start"], span["end"], span.get("orig") or ""
        kind = span.get("type") or source
    except (TypeError, KeyError, AttributeError):
        raise RuleError(place, "has a span without start and end") from None
    whole = type(start) is int and type(end) is int
    if not whole or not isinstance(kind, str) or not isinstance(source, str) or not kind:
        raise RuleError(place, "has a span with an invalid start, end or type")
    return Mention(start, end, kind, source)
