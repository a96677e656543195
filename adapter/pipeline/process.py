"""The product on one page: decode, fields, phrases, tag, resolve, substitute, check, encode."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.codecs import Frame, detect
from adapter.codecs.envelopes import Unwrapped
from adapter.codecs.nested import folded, unfolded
from adapter.errors import AdapterError, DecodeError, FieldError
from adapter.languages import spoken
from adapter.leakcheck import check
from adapter.normalize.numerals import Numerals
from adapter.phrases.extract import extract
from adapter.phrases.memory import Memory, erasing, patient_facts, recollect
from adapter.phrases.subjects import message_subjects
from adapter.pipeline.beside import ELEMENT, joined, parted, settled
from adapter.pipeline.merges import merges
from adapter.pipeline.substitution import edits_of, reaching, real_values
from adapter.pipeline.tagging import Judged, find
from adapter.surrogates import crosswalk
from adapter.taggers.trusted.index import PhraseIndex
from adapter.types import (
    Edit,
    Handling,
    Hold,
    Label,
    Merge,
    Message,
    PatientFacts,
    Record,
    Release,
    Span,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.codecs.protocol import Codec
    from adapter.fields import FieldPolicy
    from adapter.languages import Spoken
    from adapter.phrases.patients import MessageSubjects
    from adapter.pipeline.ruleset import Ruleset
    from adapter.pipeline.tagging import Findings
    from adapter.types import Action, Extraction, Outcome, SecurityLabel, TextSegment, TrustedPhrase
    from adapter.values.proof import Proved


@dataclass(frozen=True, slots=True)
class Examined:
    """A message and all decisions about it, before the leak check and encoding.

    ``actions`` are parallel to ``message.segments``; ``spans`` are by path; ``edits`` are in order.
    """

    message: Message = field(repr=False)
    actions: tuple[Action, ...] = field(repr=False)
    extraction: Extraction = field(repr=False)
    spans: Mapping[str, tuple[Span, ...]] = field(repr=False)
    edits: tuple[Edit, ...] = field(repr=False)
    vetoes: Mapping[str, int]
    stays: frozenset[Label] = frozenset()
    """Labels of mentions that the profile leaves unchanged."""
    merges: tuple[Merge, ...] = ()
    security: SecurityLabel | None = None
    """Label that the released message states, or None."""
    discovered: tuple[TrustedPhrase, ...] = field(default=(), repr=False)
    """Phrases found in texts but in no field; none of them may remain."""
    kept: Mapping[str, int] = field(default_factory=dict)
    """Number of values in kept places that nothing proved harmless, by "scanned" or "dropped"."""
    numerals: Numerals = field(default_factory=Numerals, repr=False)
    passed_over: tuple[Edit, ...] = field(default=(), repr=False)
    """Extents that the leak check treats as replaced: eponyms that contain somebody's name."""
    unconfigured: bool = False
    """Whether the message's texts are in none of the configured languages."""


def process(record: Record, ruleset: Ruleset, known: Sequence[bytes] | None = None) -> Outcome:
    """De-identify one record, or return a Hold where that cannot be done safely. Never raises.

    ``known`` are the packed entries that an `adapter.phrases.memory.Memory` holds for the record's
    patients; None switches patient memory off. Pure: the same record, ruleset and entries give the
    same outcome, byte for byte.
    """
    return finish(prepare(record, ruleset, facts=known is not None), ruleset, known)


@dataclass(frozen=True, slots=True)
class Opened:
    """A decoded message of a record, with the verdicts on its places, and its subjects.

    ``patient_facts`` are what the message says about its patients; empty without patient memory.
    """

    codec: Codec = field(repr=False)
    frame: Frame = field(repr=False)
    message: Message = field(repr=False)
    proved: Proved = field(repr=False)
    subjects: MessageSubjects = field(repr=False)
    patient_facts: tuple[PatientFacts, ...] = ()
    payload: int = 0
    """Index of the message's payload in the record's envelope."""


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


def all_opened(unwrapped: Unwrapped, ruleset: Ruleset) -> Iterator[Opened]:
    """Open the messages of a record's envelope.

    Values beside a message are scanned with it only if it is the envelope's only message.

    Raises:
        AdapterError: a message cannot be read.
    """
    framed = [
        (number, codec, frame)
        for number, raw in enumerate(unwrapped.payloads)
        for codec in (codec_for(raw, ruleset),)
        for frame in codec.split(raw)
    ]
    for number, codec, frame in framed:
        opened = replace(_opened(codec, frame, ruleset), payload=number)
        if len(framed) == 1 and opened.message.format in ruleset.values.places:
            message, proved = joined(opened.message, opened.proved, unwrapped.beside)
            opened = replace(opened, message=message, proved=proved)
        yield opened


def _opened(codec: Codec, frame: Frame, ruleset: Ruleset) -> Opened:
    message, actions = _unfolded(codec.decode(frame.value), ruleset.policy)
    proved = ruleset.values.judge(message, actions)
    subjects = message_subjects(message, proved.actions, ruleset.fields, ruleset.authorities)
    return Opened(codec, frame, message, proved, subjects)


def _unfolded(message: Message, policy: FieldPolicy) -> tuple[Message, tuple[Action, ...]]:
    """Return the message with the bodies in kept and scanned texts opened, and its verdicts."""
    read = {Handling.KEEP, Handling.SCAN}
    actions = tuple(policy.action(message.format, s) for s in message.segments)
    opened = unfolded(message, [action.handling in read for action in actions])
    if opened is message:
        return message, actions
    return opened, tuple(policy.action(opened.format, s) for s in opened.segments)


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
        examined = _examined(opened, ruleset, memory)
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


def codec_for(raw: bytes, ruleset: Ruleset) -> Codec:
    """Return the codec of the only configured format, else of the detected one.

    Raises:
        DecodeError: the message is empty, or in no configured format.
    """
    if not raw.strip():
        raise DecodeError("empty")
    only = len(ruleset.codecs) == 1
    name = next(iter(ruleset.codecs)) if only else detect(raw)
    if name is None or name not in ruleset.codecs:
        raise DecodeError("unknown-format")
    return ruleset.codecs[name]


def examine(codec: Codec, raw: bytes, ruleset: Ruleset) -> Examined:
    """Decide what to do with each place of one message, without patient memory.

    Raises:
        AdapterError: the message cannot be de-identified safely.
    """
    return _examined(_opened(codec, Frame(b"", raw, b""), ruleset), ruleset, None)


def _language(opened: Opened, ruleset: Ruleset) -> Spoken:
    """Return the languages of a message.

    Raises:
        FieldError: none of them is configured, and the profile holds such messages.
    """
    message, proved = opened.message, opened.proved
    texts = _free_text(message, proved.actions, proved.scanned)
    language = spoken(message.segments, texts, ruleset.recognizer)
    if language.unconfigured and ruleset.policy.profile.unknown_language is Handling.HOLD:
        raise FieldError("held-by-policy")
    return language


def _examined(opened: Opened, ruleset: Ruleset, memory: Memory | None) -> Examined:
    """Decide what to do with each place, using what ``memory`` recalls about the patients."""
    message, actions, subjects = opened.message, opened.proved.actions, opened.subjects
    recalled = recollect(subjects, opened.patient_facts, memory)
    language = _language(opened, ruleset)
    words = ruleset.languages[language.main].words
    extraction = extract(message, actions, words, subjects, recalled)
    findings = _findings(opened, extraction, language, ruleset)
    spans = findings.spans
    proved = ruleset.values.settle(message, opened.proved, spans)
    actions = proved.actions
    real = real_values(message, spans, extraction)
    order = ruleset.recognizer.orders.get(language.main, "")
    renderer = ruleset.surrogates.renderer(extraction, real, order, language.main)
    spans = reaching(message, actions, spans, renderer)
    edits = tuple(edits_of(message, actions, spans, renderer, ruleset.numerals))
    merged = merges(message, subjects, recalled, edits, ruleset.surrogates)
    return Examined(
        message,
        actions,
        extraction,
        spans,
        edits,
        findings.vetoes,
        ruleset.surrogates.options.stays,
        tuple(merged),
        ruleset.labels.get(message.format),
        findings.discovered,
        proved.counts,
        ruleset.numerals,
        findings.passed_over,
        language.unconfigured,
    )


def _findings(
    opened: Opened, extraction: Extraction, language: Spoken, ruleset: Ruleset
) -> Findings:
    """Find the protected text in every place of a message."""
    proved, cues = opened.proved, ruleset.languages[language.main].words.cues
    return find(
        opened.message,
        proved.actions,
        extraction,
        PhraseIndex.build(extraction.phrases, cues),
        languages=ruleset.languages,
        language=language,
        judged=Judged(proved.scanned, proved.structural, ruleset.values.checks),
        numerals=ruleset.numerals,
    )


def _free_text(
    message: Message, actions: Sequence[Action], doubtful: frozenset[str]
) -> Iterable[TextSegment]:
    return (
        segment
        for segment, action in zip(message.segments, actions, strict=True)
        if action.handling is Handling.SCAN
        and segment.path not in doubtful
        and segment.element != ELEMENT
    )


def written(codec: Codec, examined: Examined) -> bytes:
    """Check a message for leaks, and return it as bytes with its edits and security label applied.

    Raises:
        AdapterError: a known value is left in the kept text, or an edit cannot be written.
    """
    phrases = (*examined.extraction.phrases, *examined.discovered)
    if examined.stays:
        phrases = tuple(phrase for phrase in phrases if phrase.label not in examined.stays)
    replaced = (*examined.edits, *examined.passed_over)
    check(examined.message, replaced, phrases, numerals=examined.numerals)
    message, edits = folded(*parted(examined.message, examined.edits))
    return codec.encode(message, edits, examined.security)


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
