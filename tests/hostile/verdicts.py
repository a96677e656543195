"""Runs hostile cases and names the problems of each, without showing any text."""

from __future__ import annotations

import binascii
import html
import json
import re
from typing import TYPE_CHECKING, Any

from adapter.normalize.folding import squeeze
from adapter.phrases.memory import Memory
from adapter.pipeline.process import finish, prepare
from adapter.types import Hold, Outcome, Position, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.pipeline.ruleset import Ruleset
    from tests.hostile.cases import Case, Pair

LEAST = 4
"""Least letters and digits of a forbidden string to search for without punctuation."""
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
)
"""Encoded strings of at least 16 characters."""
_PLACE = re.compile(r"(\w{3})(?:\[(\d+)\])?-(\d+)(?:\.(\d+))?(?:\.(\d+))?")


def outcomes(case: Case, rules: Ruleset) -> list[Outcome]:
    """Return the outcomes of a case's messages, processed in order with memory."""
    memory = Memory(rules.fields)
    found = []
    for number, raw in enumerate(case.messages):
        prepared = prepare(Record(raw, Position("hostile", 0, number)), rules, facts=True)
        found.append(finish(prepared, rules, memory.about(prepared.facts)))
        for facts in prepared.facts:
            memory.learn(facts)
    return found


def problems(case: Case, found: Sequence[Outcome]) -> list[str]:
    """Return the sorted problems: leak, lost, held, released, unequal, equal."""
    outputs = [None if isinstance(one, Hold) else one.value or b"" for one in found]
    released = [raw.decode("utf-8", "replace") for raw in outputs if raw is not None]
    return sorted(set(_problems(case, outputs, released)))


def _problems(
    case: Case, outputs: Sequence[bytes | None], released: Sequence[str]
) -> Iterator[str]:
    shown = [reading for text in released for reading in _readings(text)]
    if any(_occurs(text, shown) for text in case.forbidden):
        yield "leak"
    if any(text in reading for text in case.exact for reading in shown):
        yield "leak"
    if case.hold == "never" and None in outputs:
        yield "held"
    if case.hold == "required" and None not in outputs:
        yield "released"
    if None not in outputs:
        if not all(any(text in reading for reading in shown) for text in case.kept):
            yield "lost"
        if any(
            _values(case, outputs, pair)[0] != _values(case, outputs, pair)[1]
            for pair in case.equal
        ):
            yield "unequal"
        if any(
            _values(case, outputs, pair)[0] == _values(case, outputs, pair)[1]
            for pair in case.different
        ):
            yield "equal"


def _readings(text: str) -> list[str]:
    """Return an output unchanged, as decoded from JSON and markup, and its attachments."""
    try:
        plain = json.dumps(json.loads(text), ensure_ascii=False)
    except ValueError:
        plain = text
    inside = [html.unescape(one) for one in _attached(plain)]
    return list(dict.fromkeys((text, plain, html.unescape(plain), *inside)))


def _attached(text: str) -> Iterator[str]:
    """Yield what the base64 strings of a text contain, if that is text."""
    for found in _BASE64.finditer(text):
        try:
            raw = binascii.a2b_base64(found[0].encode("ascii"), strict_mode=True)
        except binascii.Error:
            continue
        for charset in ("utf-8", "latin-1"):
            try:
                inside = raw.decode(charset)
            except UnicodeDecodeError:
                continue
            if all(one.isprintable() or one in "\r\n\t\f" for one in inside):
                yield inside
            break


def _occurs(text: str, readings: Sequence[str]) -> bool:
    lower, bare = text.lower(), squeeze(text)
    if any(lower in reading.lower() for reading in readings):
        return True
    return len(bare) >= LEAST and any(bare in squeeze(reading) for reading in readings)


def _values(case: Case, outputs: Sequence[bytes | None], pair: Pair) -> tuple[Any, Any]:
    one, other = (_value(case, outputs[index], place) for index, place in pair)
    return one, other


def _value(case: Case, output: bytes | None, place: str) -> Any:
    text = (output or b"").decode("utf-8", "replace")
    if case.form != "hl7v2":
        value = json.loads(text)
        for step in place.strip("/").split("/"):
            value = value[int(step) if isinstance(value, list) else step]
        return value
    return _field(text, place)


def _field(text: str, place: str) -> str:
    found = _PLACE.fullmatch(place)
    assert found is not None, place
    name, count, number, *parts = found.groups()
    rows = [line for line in re.split(r"[\r\n]+", text) if line.startswith(name)]
    fields = rows[int(count or 1) - 1].split("|")
    value = fields[int(number) - (name == "MSH")].split("~")[0]
    for mark, part in zip("^&", parts, strict=True):
        if part:
            value = (value.split(mark) + [""] * int(part))[int(part) - 1]
    return value
