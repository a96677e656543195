"""XML of i2b2 2014 and related corpora: ``<TEXT>`` and ``<TAGS>`` with start, end and TYPE.

Source: Stubbs and Uzuner 2015, "Annotating longitudinal clinical narratives for
de-identification"; CEGS N-GRID 2016 and MEDDOCAN use the same format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from adapter.errors import RuleError
from adapter.evaluate.annotations import Annotated, Mention, checked
from adapter.evaluate.corpora.labels import label_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read_i2b2(path: Path, language: str) -> Iterator[tuple[str, Annotated]]:
    """Yield (file, text) of one file; its id is the file's name without suffix.

    Raises:
        RuleError: the file is not XML of this format, or a tag points beyond the text.
    """
    text, found = read_tags(path)
    if text is None:
        raise RuleError(str(path), "has no TEXT")
    own = tuple(mention for mention, known in found if known)
    extra = tuple(mention for mention, known in found if not known)
    yield str(path), Annotated(path.stem, text, language, own, extra)


def read_tags(path: Path) -> tuple[str | None, list[tuple[Mention, bool]]]:
    """Return the text and, by offset, (mention, whether the scheme has its label).

    Raises:
        RuleError: the file is not XML of this format, or a tag points beyond the text.
    """
    root = _parsed(path)
    text = root.findtext("TEXT")
    tags = root.find("TAGS")
    found = [_mention(tag, text, str(path)) for tag in (() if tags is None else tags)]
    return text, sorted(found, key=lambda pair: (pair[0].start, pair[0].end))


def _parsed(path: Path) -> ET.Element:
    data = path.read_bytes()
    if b"<!ENTITY" in data:
        raise RuleError(str(path), "declares entities")
    try:
        return ET.fromstring(data)  # noqa: S314 - no entities are left to expand
    except ET.ParseError as error:
        raise RuleError(f"{path}:{error.position[0]}", "is not well-formed XML") from None


def _mention(tag: ET.Element, text: str | None, place: str) -> tuple[Mention, bool]:
    source = tag.get("TYPE") or tag.tag
    try:
        start, end = int(tag.get("start", "")), int(tag.get("end", ""))
    except ValueError:
        raise RuleError(place, "has a tag without start and end") from None
    label = label_of(source, text[start:end] if text else "", tag.tag)
    mention = Mention(start, end, label or source, source)
    return checked(mention, None if text is None else len(text), place), label is not None
