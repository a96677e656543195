"""Opening of records: each message of an envelope decoded, its places judged, its people found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.codecs import Frame, detect
from adapter.codecs.nested import unfolded
from adapter.errors import DecodeError
from adapter.fields.definitions import locally_published
from adapter.fields.functions import functions_scanned
from adapter.fields.patches import patched
from adapter.phrases.links import attributed
from adapter.phrases.subjects import message_subjects
from adapter.pipeline.beside import joined
from adapter.types import Handling, Message, PatientFacts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.codecs.envelopes import Unwrapped
    from adapter.codecs.protocol import Codec
    from adapter.fields import FieldPolicy
    from adapter.phrases.memory import Facts, StaffFacts
    from adapter.phrases.patients import MessageSubjects
    from adapter.pipeline.ruleset import Ruleset
    from adapter.types import Action
    from adapter.values.proof.proved import Proved


@dataclass(frozen=True, slots=True)
class Opened:
    """A decoded message of a record, with the verdicts on its places, and its subjects.

    ``patient_facts`` are what the message says about its patients, ``staff_facts`` what it says
    about staff, and whom it may mean; empty without memory.
    """

    codec: Codec = field(repr=False)
    frame: Frame = field(repr=False)
    message: Message = field(repr=False)
    proved: Proved = field(repr=False)
    subjects: MessageSubjects = field(repr=False)
    patient_facts: tuple[PatientFacts, ...] = ()
    staff_facts: StaffFacts | None = None
    payload: int = 0
    """Index of the message's payload in the record's envelope."""

    @property
    def facts(self) -> tuple[Facts, ...]:
        """The facts about patients, then those about staff, if there are any."""
        return (*self.patient_facts, *([self.staff_facts] if self.staff_facts else []))


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
        opened = replace(opened_frame(codec, frame, ruleset), payload=number)
        if len(framed) == 1 and opened.message.format in ruleset.values.places:
            message, proved = joined(opened.message, opened.proved, unwrapped.beside)
            opened = replace(opened, message=message, proved=proved)
        yield opened


def opened_frame(codec: Codec, frame: Frame, ruleset: Ruleset) -> Opened:
    """Decode one message, judge its places, and find the people it names.

    Raises:
        AdapterError: the message cannot be read.
    """
    message, actions = _unfolded(codec.decode(frame.value), ruleset.policy)
    actions = functions_scanned(message, actions, ruleset.fields)
    proved = ruleset.values.judge(message, actions)
    subjects = message_subjects(message, proved.actions, ruleset.fields, ruleset.authorities)
    return Opened(codec, frame, message, proved, subjects)


def _unfolded(message: Message, policy: FieldPolicy) -> tuple[Message, tuple[Action, ...]]:
    """Return the message with the bodies in kept and scanned texts opened, and its verdicts."""
    read = {Handling.KEEP, Handling.SCAN}
    actions = _actions(message, policy)
    opened = unfolded(message, [action.handling in read for action in actions])
    if opened is message:
        return message, actions
    return opened, _actions(opened, policy)


def _actions(message: Message, policy: FieldPolicy) -> tuple[Action, ...]:
    actions = tuple(policy.action(message.format, s) for s in message.segments)
    if message.format != "fhir":
        return actions
    actions = locally_published(message, actions, policy.publishers)
    return attributed(message, patched(message, actions, policy))


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
