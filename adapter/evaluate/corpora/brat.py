"""Brat stand-off annotation: ``a.txt`` beside ``a.ann`` (https://brat.nlplab.org/standoff.html)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.evaluate.annotations import Annotated, Mention, checked
from adapter.evaluate.corpora.labels import label_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ENTITY = re.compile(r"T\d+\t(?P<label>\S+) (?P<extents>\d+ \d+(?:;\d+ \d+)*)(?:\t.*)?")


def read_brat(path: Path, language: str) -> Iterator[tuple[str, Annotated]]:
    """Yield (file, text) of a pair of files; ``path`` is either. Without ``.ann``, no mentions.

    Raises:
        RuleError: there is no ``.txt``, or an entity cannot be read.
    """
    source = path.with_suffix(".txt")
    if not source.is_file():
        raise RuleError(str(path), "has no .txt beside it")
    text = _text(source)
    notes = path.with_suffix(".ann")
    found = list(read_ann(notes, text)) if notes.is_file() else []
    own = tuple(mention for mention, known in found if known)
    extra = tuple(mention for mention, known in found if not known)
    yield str(path), Annotated(path.stem, text, language, own, extra)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise RuleError(str(path), "is not UTF-8") from None


def read_ann(path: Path, text: str | None) -> Iterator[tuple[Mention, bool]]:
    """Yield (mention, whether the scheme has its label) by offset, one for each part of a mention.

    Without a text the types are the source's labels, unmapped.

    Raises:
        RuleError: the line of an entity cannot be parsed, or points beyond the text.
    """
    found: list[tuple[Mention, bool]] = []
    for number, line in enumerate(_text(path).splitlines(), 1):
        if line.startswith("T"):
            found += _entity(line, text, f"{path}:{number}")
    yield from sorted(found, key=lambda pair: (pair[0].start, pair[0].end))


def _entity(line: str, text: str | None, place: str) -> Iterator[tuple[Mention, bool]]:
    entity = _ENTITY.fullmatch(line)
    if entity is None:
        raise RuleError(place, "is not a brat entity")
    source = entity["label"]
    for extent in entity["extents"].split(";"):
        start, end = map(int, extent.split())
        label = None if text is None else label_of(source, text[start:end])
        mention = Mention(start, end, label or source, source)
        yield checked(mention, None if text is None else len(text), place), label is not None
