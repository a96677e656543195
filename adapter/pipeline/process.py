"""De-identification of one record: opened, each message examined and written, and released."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from adapter.codecs.envelopes import Unwrapped
from adapter.errors import AdapterError
from adapter.phrases.memory import (
    Memory,
    erasing,
    erasing_staff,
    hidden,
    patient_facts,
    staff_facts,
)
from adapter.pipeline.beside import settled
from adapter.pipeline.examining import examine_opened, free_text, written
from adapter.pipeline.opening import all_opened
from adapter.surrogates import crosswalk
from adapter.types import Hold, Record, Release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.phrases.memory import Facts
    from adapter.pipeline.examining import Examined
    from adapter.pipeline.opening import Opened
    from adapter.pipeline.ruleset import Ruleset
    from adapter.types import Outcome


def process(record: Record, ruleset: Ruleset, known: Sequence[bytes] | None = None) -> Outcome:
    """De-identify one record, or return a Hold where that cannot be done safely. Never raises.

    ``known`` are the packed entries that an `adapter.phrases.memory.Memory` holds for the record's
    patients and staff; None switches memory off. Pure: the same record, ruleset and entries give
    the same outcome, byte for byte.
    """
    return finish(prepare(record, ruleset, facts=known is not None), ruleset, known)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A record processed as far as possible without patient memory, or the reason for its hold.

    A record without a value (a tombstone) has no messages; its key says what is erased, ``erases``.
    """

    record: Record = field(repr=False)
    opened: tuple[Opened, ...] = field(default=(), repr=False)
    unwrapped: Unwrapped = field(default=Unwrapped(()), repr=False)
    hold: Hold | None = None
    erases: tuple[Facts, ...] = ()

    @property
    def facts(self) -> tuple[Facts, ...]:
        """What the record says about its patients and about staff, in order."""
        return self.erases or tuple(facts for opened in self.opened for facts in opened.facts)


def prepare(record: Record, ruleset: Ruleset, *, facts: bool = False) -> Prepared:
    """Decode a record's messages and find the people they name; pure, like `process`. Never raises.

    With ``facts``, also collect the facts about the record's patients and staff, for memory.
    """
    ruleset = ruleset.of(record.position.topic)
    try:
        if record.value is None:
            if not facts or record.key is None:
                return Prepared(record)
            return Prepared(record, erases=tuple(_erasing(record.key, ruleset)))
        unwrapped = ruleset.envelope.unwrap(record.value)
        opened = all_opened(unwrapped, ruleset)
        if facts:
            opened = (_with_facts(one, ruleset) for one in opened)
        return Prepared(record, tuple(opened), unwrapped)
    except AdapterError as error:
        return Prepared(record, hold=Hold(error.stage, error.code))
    except Exception:  # noqa: BLE001 - fail closed; the text of an exception may quote the message
        return Prepared(record, hold=UNEXPECTED)


def _erasing(key: bytes, ruleset: Ruleset) -> Iterator[Facts]:
    """Yield the facts of a tombstone with this key."""
    mac = ruleset.surrogates.key.mac
    yield erasing(key, mac, ruleset.authorities.values())
    if staff := erasing_staff(key, partial(hidden, mac)):
        yield staff


def _with_facts(opened: Opened, ruleset: Ruleset) -> Opened:
    """Return an opened message with the facts about its patients and about staff."""
    mac, subjects = ruleset.surrogates.key.mac, opened.subjects
    found = replace(opened, patient_facts=patient_facts(subjects, mac))
    if not ruleset.staff:
        return found
    lists = tuple(dict.fromkeys(each.words for each in ruleset.languages.values()))
    texts = (segment.text for segment in free_text(opened))
    known = staff_facts(subjects.groups, texts, lists, partial(hidden, mac))
    return replace(found, staff_facts=known)


def finish(prepared: Prepared, ruleset: Ruleset, known: Sequence[bytes] | None = None) -> Outcome:
    """Return the outcome of a prepared record; ``known`` is as in `process`. Never raises."""
    if prepared.hold is not None:
        return prepared.hold
    ruleset = ruleset.of(prepared.record.position.topic)
    try:
        return _released(prepared, ruleset, _memory(known, ruleset))
    except AdapterError as error:
        return Hold(error.stage, error.code)
    except Exception:  # noqa: BLE001 - fail closed; the text of an exception may quote the message
        return UNEXPECTED


def _memory(known: Sequence[bytes] | None, ruleset: Ruleset) -> Memory | None:
    return None if known is None else Memory(ruleset.fields, known)


UNEXPECTED = Hold("bug", "unexpected")


def _released(prepared: Prepared, ruleset: Ruleset, memory: Memory | None) -> Release:
    key, headers = _key_and_headers(prepared.record, ruleset)
    if prepared.record.value is None:
        ruleset.surrogates.settle()
        return Release(None, key, headers, ruleset_digest=ruleset.digest)
    parts: list[list[bytes]] = [[] for _ in prepared.unwrapped.payloads]
    done: list[Examined] = []
    for opened in prepared.opened:
        examined = examine_opened(opened, ruleset, memory)
        if memory is not None:
            memory.learn_all(opened.facts)
        new = opened.frame.prefix, written(opened.codec, examined), opened.frame.suffix
        parts[opened.payload] += new
        done.append(examined)
    value = _wrapped(prepared.unwrapped, parts, done, ruleset)
    ruleset.surrogates.settle()
    return Release(
        value,
        key,
        headers,
        tuple(edit for result in done for edit in result.edits),
        counts(done),
        done[0].message.format,
        done[0].message.kind,
        ruleset.digest,
        tuple(merge for result in done for merge in result.merges),
        pairs=_pairs(done) if ruleset.pairs else (),
    )


def _wrapped(
    unwrapped: Unwrapped,
    parts: Sequence[Sequence[bytes]],
    done: Sequence[Examined],
    ruleset: Ruleset,
) -> bytes:
    """Return the envelope with the written messages, and the values that may stay beside them."""
    alone = len(done) == 1 and done[0].message.format in ruleset.values.places
    edits, replaced = done[0].edits if alone else None, ruleset.surrogates.identifier
    beside = [settled(each, edits, replaced) for each in unwrapped.beside]
    return ruleset.envelope.wrap(unwrapped, [b"".join(some) for some in parts], beside)


def counts(results: Iterable[Examined]) -> tuple[tuple[str, int], ...]:
    """Return sorted counts: ("LABEL/source", n), ("veto/rule", n), ("kept/scanned", n) etc."""
    counter: Counter[tuple[str, str]] = Counter()
    for result in results:
        counter.update((s.label, s.source) for spans in result.spans.values() for s in spans)
        counter.update({("veto", rule): n for rule, n in result.vetoes.items()})
        counter.update({("kept", done): n for done, n in result.kept.items()})
        if result.unconfigured:
            counter["language", "unconfigured"] += 1
    return tuple(sorted((f"{kind}/{source}", n) for (kind, source), n in counter.items()))


def _pairs(results: Iterable[Examined]) -> tuple[tuple[str, str], ...]:
    """Return the (surrogate, original) pairs of all of the patients' numbers, sorted."""
    found = (crosswalk(r.message, r.extraction, r.spans, r.edits) for r in results)
    return tuple(sorted({pair for some in found for pair in some}))


def _key_and_headers(
    record: Record, ruleset: Ruleset
) -> tuple[bytes | None, tuple[tuple[str, bytes], ...]]:
    """Return a surrogate of the record's key, or None, and the headers that may pass."""
    headers = tuple(item for item in record.headers if item[0].lower() in ruleset.headers)
    if record.key is None:
        return None, headers
    try:
        text = record.key.decode("utf-8")
    except UnicodeDecodeError:
        text = record.key.hex()
    return ruleset.surrogates.identifier(text).encode("utf-8"), headers
