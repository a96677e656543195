"""The codec against hl7apy's parser: the same values at the same components."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

import pytest

from adapter.errors import DecodeError

pytest.importorskip("hl7apy")

from hl7apy.exceptions import HL7apyException
from hl7apy.parser import parse_segment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hl7apy.core import Segment

KEPT = {"PID", "NK1", "PV1", "IN1", "GT1", "AL1", "DG1", "EVN", "ORC", "OBR", "MRG", "TXA"}
SOURCES = ("google+simhospital", "LinuxForHealth+hl7v2-fhir-converter", "kdar+health")
POSITION = re.compile(r"\d+$")


def oracle_values(segment: Segment) -> dict[str, list[str]]:
    """Path -> non-empty values, by hl7apy's tree of fields, components and subcomponents."""
    found: dict[str, list[str]] = {}
    for field in segment.children:
        if field.name is None:
            continue
        for component in field.children:
            for part in component.children or [component]:
                path = field.name.replace("_", "-") + _below(component) + _below(part, component)
                found.setdefault(path, []).append(part.to_er7())
    return found


def _below(element: object, parent: object = None) -> str:
    """The path ".3" of a component named XPN_3; none for a primitive, named by its type."""
    name = getattr(element, "name", None) or ""
    match = POSITION.search(name) if "_" in name and element is not parent else None
    return f".{match[0]}" if match else ""


def own_values(codec, line: str, version: str) -> dict[str, list[str]]:
    """Element -> texts, by the codec."""
    raw = f"MSH|^~\\&|A||||||ADT^A01|1|P|{version}\r{line}\r".encode("latin-1")
    found: dict[str, list[str]] = {}
    for leaf in codec.decode(raw).segments:
        if not leaf.element.startswith("MSH"):
            found.setdefault(leaf.element, []).append(leaf.text)
    return found


def lines(codec, shared_data: Path) -> Iterator[tuple[str, str, str]]:
    """(file, version, segment) of segments without escapes and nulls of a few sources."""
    folder = shared_data / "messages" / "hl7v2"
    for path in sorted(path for source in SOURCES for path in (folder / source).glob("*")):
        for frame in codec.split(path.read_bytes()):
            try:
                message = codec.decode(frame.value)
            except DecodeError:
                continue
            version = next((s.text for s in message.segments if s.path == "MSH-12.1"), "")
            for line in frame.value.decode("latin-1").replace("\n", "\r").split("\r"):
                if line[:3] in KEPT and "\\" not in line and '""' not in line:
                    yield path.name, version, line


def comparable(text: str) -> bool:
    """Whether hl7apy keeps it: it renders numbers and dates anew, and strips blanks."""
    return bool(text.strip()) and not re.fullmatch(r"[\d.+\- ]+", text)


@pytest.mark.corpus
def test_values_agree_with_hl7apy(hl7v2, shared_data):
    """A text is the value hl7apy has at the same place, or hl7apy's tables lack the place."""
    logging.disable(logging.CRITICAL)
    agreed = absent = 0
    for name, version, line in dict.fromkeys(lines(hl7v2, shared_data)):
        if agreed > 2000:
            break
        try:
            theirs = oracle_values(parse_segment(line, version=version))
        except HL7apyException:
            continue
        for element, texts in own_values(hl7v2, line, version).items():
            mine = [text.strip() for text in texts if comparable(text)]
            known = {value.strip() for value in theirs.get(element, ())}
            if known:
                assert (name, element, 0) == (name, element, len(set(mine) - known))
            agreed += len(mine) if known else 0
            absent += 0 if known else len(mine)
    logging.disable(logging.NOTSET)
    assert agreed > 1000
    assert absent / agreed < 0.02
