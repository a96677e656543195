"""De-identification of one record: opened, each message examined and written, and released."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.codecs.envelopes import Unwrapped
from adapter.errors import AdapterError
from adapter.phrases.memory import Memory, erasing, patient_facts
from adapter.pipeline.beside import settled
from adapter.pipeline.examining import examine_opened, written
from adapter.pipeline.opening import all_opened
from adapter.surrogates import crosswalk
from adapter.types import Hold, PatientFacts, Record, Release

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.pipeline.examining import Examined
    from adapter.pipeline.opening import Opened
    from adapter.pipeline.ruleset import Ruleset
    from adapter.types import Outcome


def process(record: Record, ruleset: Ruleset, known: Sequence[bytes] | None = None) -> Outcome:
    """De-identify one record, or return a Hold where that cannot be done safely. Never raises.

    ``known`` are the packed entries that an `adapter.phrases.memory.Memory` holds for the record's
    patients; None switches patient memory off. Pure: the same record, ruleset and entries give the
    same outcome, byte for byte.
    """
    return finish(prepare(record, ruleset, facts=known is not None), ruleset, known)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A record processed as far as possible without patient memory, or the reason for its hold.

    A record without a value (a tombstone) has no messages; its key erases the patient ``erases``.
    """

    record: Record = field(repr=False)
    opened: tuple[Opened, ...] = field(default=(), repr=False)
    unwrapped: Unwrapped = field(default=Unwrapped(()), repr=False)
    hold: Hold | None = None
    erases: PatientFacts | None = None

    @property
    def patient_facts(self) -> tuple[PatientFacts, ...]:
        """What the record says about its patients, in order."""
        own = tuple(facts for opened in self.opened for facts in opened.patient_facts)
        return own if self.erases is None else (self.erases,)


def prepare(record: Record, ruleset: Ruleset, *, facts: bool = False) -> Prepared:
    """Decode a record's messages and find the people they name; pure, like `process`. Never raises.

    With ``facts``, also collect the facts about the record's patients, for patient memory.
    """
    ruleset = ruleset.of(record.position.topic)
    mac = ruleset.surrogates.key.mac
    try:
        if record.value is None:
            if not facts or record.key is None:
                return Prepared(record)
            return Prepared(record, erases=erasing(record.key, mac, ruleset.authorities.values()))
        unwrapped = ruleset.envelope.unwrap(record.value)
        opened = all_opened(unwrapped, ruleset)
        if facts:
            opened = (
                replace(one, patient_facts=patient_facts(one.subjects, mac)) for one in opened
            )
        return Prepared(record, tuple(opened), unwrapped)
    except AdapterError as error:
        return Prepared(record, hold=Hold(error.stage, error.code))
    except Exception:  # noqa: BLE001 - fail closed; the text of an exception may quote the message
        return Prepared(record, hold=UNEXPECTED)


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
            memory.learn_all(opened.patient_facts)
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
