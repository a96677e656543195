"""Messages with one delimiter or line end removed, replaced or put in, and what must not leak."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from adapter.errors import AdapterError, DecodeError
from adapter.pipeline.examining import examine, written
from adapter.pipeline.process import process
from adapter.types import Handling, Position, Record, Release
from tests.corpus.oracle import telling

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from adapter.pipeline.ruleset import Ruleset

LONGEST = 20_000
IDENTIFYING = ("PID", "NK1", "GT1", "IN1", "IN2", "PV1", "MRG", "PD1")
PARTS = {
    "family", "given", "middle", "full", "street", "address", "city", "zip", "phone", "email",
    "birthdate", "date", "id",
}  # fmt: skip
ROLES = {"authority", "facility", "organization", "application"}
AUTHORITY = re.compile(r"\.(?:4|6|8|9|14)(?:\.|$)")
DELIMITER = re.compile(r"[|^~\\&\r\n]")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Where words are run together, as those of a placeholder are ("VisitNumber")."""
LINE_END = re.compile(r"\r\n|\r|\n")
LIKE_LINE_ENDS = (
    "\\r", "\\n", "\\r\\n", "<CR>", "<cr>", "<br>", "&#xD;", "&#13;", "&#10;", "%0D", "%0A",
    "\x85", "\u2028", "\u2029", "\x0b", "\x0c", "\x1e", "\x1d", "\x1c", "\x00", "\t", " ", "",
    "  ", "\\.br\\", "\\X0D\\", "^", "~", "&", "|", "||", "\\", "\n", "\r\n", '"', ",", ";", "X",
)  # fmt: skip
SIGNS = ("|", "^", "~", "\\", "&", "\r", "\n", "", " ", "\t", "\x0b", "||", "\r\r", "^^")


@dataclass(frozen=True, slots=True)
class Sample:
    """A real message and the identifiers of its people: (element, text)."""

    name: str
    text: str = field(repr=False)
    identifiers: tuple[tuple[str, str], ...] = field(repr=False)


def samples(folder: Path, rules: Ruleset, every: int = 1) -> list[Sample]:
    """Every different sample message that names somebody and is released, of one in so many."""
    found = {}
    for name, raw in islice(_indexed(folder), 0, None, every):
        try:
            text = raw.decode("utf-8")
            if "PID" not in text or len(raw) > LONGEST or text in found:
                continue
            identifiers = _identifiers(raw, rules)
        except (UnicodeDecodeError, AdapterError):
            continue
        if identifiers:
            found[text] = Sample(name, text, identifiers)
    return list(found.values())


def _indexed(folder: Path) -> Iterator[tuple[str, bytes]]:
    for line in (folder / "index.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        start = row["off"]
        raw = (folder / row["file"]).read_bytes()[start : start + row["len"]]
        yield f"{row['file']}@{start}", raw


def _identifiers(raw: bytes, rules: Ruleset) -> tuple[tuple[str, str], ...]:
    """What the unbroken message's release replaces in full, of names, numbers, places and days."""
    codec = rules.codecs["hl7v2"]
    examined = examine(codec, raw, rules)
    released = written(codec, examined).decode("utf-8")
    found = {
        (segment.element, segment.text)
        for segment, action in zip(examined.message.segments, examined.actions, strict=True)
        if segment.element.startswith(IDENTIFYING)
        and action.handling in (Handling.SURROGATE, Handling.SHIFT)
        and action.part in PARTS
        and action.role not in ROLES
        and not AUTHORITY.search(segment.element)
        and telling(segment.text)
        and telling(CAMEL.sub(" ", segment.text))
        and segment.text != "REDACTED"
    }
    return tuple(sorted(item for item in found if not stands_in(item[1], released)))


def stands_in(value: str, text: str) -> bool:
    """Whether a value stands in a text, not as a part of a longer word or number."""
    edge = r"(?<![^\W_])" if value[0].isalnum() else ""
    close = r"(?![^\W_])" if value[-1].isalnum() else ""
    return value in text and re.search(edge + re.escape(value) + close, text) is not None


def line_end_lost(text: str, chance: random.Random) -> str:
    """One line end, or all, as something else or nothing."""
    sign = chance.choice(LIKE_LINE_ENDS)
    ends = list(LINE_END.finditer(text.rstrip("\r\n")))
    if not ends:
        return text
    if chance.random() < 0.3:
        last = len(text.rstrip("\r\n"))
        return LINE_END.sub(lambda _: sign, text[:last]) + text[last:]
    end = chance.choice(ends)
    return text[: end.start()] + sign + text[end.end() :]


def sign_changed(text: str, chance: random.Random) -> str:
    """One delimiter removed or replaced, or one put in anywhere."""
    return _changed(text, chance, ("remove", "replace", "insert", "anywhere"))


def run_changed(text: str, chance: random.Random) -> str:
    """A run of delimiters replaced."""
    return _changed(text, chance, ("run",))


def _changed(text: str, chance: random.Random, kinds: Sequence[str]) -> str:
    places = [match.start() for match in DELIMITER.finditer(text)]
    at = chance.choice(places)
    sign = chance.choice(SIGNS)
    kind = chance.choice(kinds)
    if kind == "anywhere":
        at = chance.randrange(len(text))
    stop = at + (kind in {"remove", "replace"})
    while kind == "run" and stop < len(text) and DELIMITER.match(text, stop):
        stop += 1
    return text[:at] + ("" if kind == "remove" else sign) + text[stop:]


def survivors(
    sample: Sample, broken: str, rules: Ruleset, *, strict: bool
) -> list[tuple[str, str]]:
    """The identifiers' elements that a release of the broken message shows, and where.

    Unless ``strict``, places in a segment that has the value in the unbroken message do not count.
    """
    outcome = process(Record(broken.encode(), Position("broken", 0, 0)), rules)
    if not isinstance(outcome, Release) or outcome.value is None:
        return []
    released = outcome.value.decode("utf-8", "replace")
    left = [item for item in sample.identifiers if stands_in(item[1], released)]
    lines = LINE_END.split(sample.text)
    return [
        (element, place)
        for element, value in left
        for place in _places(value, broken, rules)
        if strict or place[:3] not in {line[:3] for line in lines if value in line}
    ]


def _places(value: str, broken: str, rules: Ruleset) -> Iterator[str]:
    codec = rules.codecs["hl7v2"]
    for frame in codec.split(broken.encode()):
        try:
            message = codec.decode(frame.value)
        except DecodeError:
            continue
        for segment in message.segments:
            handling = rules.policy.action("hl7v2", segment).handling
            if handling in (Handling.KEEP, Handling.SCAN) and stands_in(value, segment.text):
                yield segment.element
