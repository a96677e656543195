"""Turn structured fields into entities and trusted phrases (compare Szarvas 2006 on headings)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.errors import PhraseError
from adapter.normalize.folding import squeeze
from adapter.phrases.groups import ANONYMOUS, PRIVATE, STAFF, Group, merge
from adapter.phrases.identity import identity
from adapter.phrases.memory import NOTHING_RECALLED, names_with
from adapter.phrases.names import is_file, misplaced_name
from adapter.phrases.numbers import DAY
from adapter.phrases.subjects import message_subjects
from adapter.phrases.things import RESOURCE_IDS, thing
from adapter.phrases.written_forms import phrases_of, without_words
from adapter.types import Entity, Extraction, Handling, Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.common_words import WordList
    from adapter.phrases.groups import Value
    from adapter.phrases.memory import Entry, Recollection
    from adapter.phrases.patients import MessageSubjects
    from adapter.types import Action, Message, TextSegment, TrustedPhrase

MOST_PHRASES = 200_000
"""Maximum number of phrases per message (about 7,000 patients); a message with more is held."""

_MENTIONED = "mentioned"
_NUMBERS = frozenset({"id", "phone", "fax"})
"""Parts that are numbers, and may be a name if somebody typed it there."""
_PERSONAL = STAFF | PRIVATE | {"patient", None}
"""Roles whose numbers may be a person's name instead: not those of systems and organisations."""
_ORGANISATIONS = frozenset({Label.HOSPITAL, Label.ORGANIZATION})
_REFERENCE: dict[str, int] = {
    "MSH-7": 0, "MSH-7.1": 0, "Bundle.timestamp": 0,
    "OBR-7": 1, "OBR-7.1": 1, "Observation.effectiveDateTime": 1, "DiagnosticReport.issued": 1,
    "DocumentReference.date": 1, "Composition.date": 1, "MessageHeader.timestamp": 1,
    "PV1-44": 2, "PV1-44.1": 2, "Encounter.period.start": 2,
    "Observation.issued": 3, "DiagnosticReport.effectiveDateTime": 3,
    "QuestionnaireResponse.authored": 3, "MedicationRequest.authoredOn": 3,
    "ServiceRequest.authoredOn": 3, "Communication.sent": 3, "Procedure.performedDateTime": 3,
    "Condition.recordedDate": 3, "EVN-2": 4, "EVN-2.1": 4, "Patient.meta.lastUpdated": 5,
    "Observation.meta.lastUpdated": 5, "DocumentReference.meta.lastUpdated": 5,
    "DiagnosticReport.meta.lastUpdated": 5, "Bundle.meta.lastUpdated": 5,
    **dict.fromkeys((
        "MedicationAdministration.effectiveDateTime",
        "MedicationAdministration.effectivePeriod.start", "Observation.effectivePeriod.start",
        "DiagnosticReport.effectivePeriod.start", "Procedure.performedPeriod.start",
        "Procedure.occurrenceDateTime", "Procedure.occurrencePeriod.start",
        "MedicationDispense.whenHandedOver", "MedicationDispense.whenPrepared",
        "MedicationStatement.dateAsserted", "MedicationStatement.effectiveDateTime",
        "Immunization.occurrenceDateTime", "Appointment.start", "Slot.start",
        "AllergyIntolerance.recordedDate", "ClinicalImpression.date", "ImagingStudy.started",
        "CarePlan.created", "Claim.created", "ExplanationOfBenefit.created", "Task.authoredOn",
        "DeviceRequest.authoredOn", "NutritionOrder.dateTime", "Consent.dateTime", "List.date",
        "RiskAssessment.occurrenceDateTime", "Media.createdDateTime", "Flag.period.start",
        "Specimen.collection.collectedDateTime", "Specimen.receivedTime", "AdverseEvent.date",
        "SupplyDelivery.occurrenceDateTime", "ChargeItem.occurrenceDateTime", "Goal.statusDate",
        "AuditEvent.recorded", "Provenance.recorded", "Schedule.planningHorizon.start",
    ), 6),
}  # fmt: skip
"""Rank of each element that gives a message's date; 0 is the best."""
_COUNTRY = "MSH-17"


def extract(
    message: Message,
    actions: Sequence[Action],
    words: WordList,
    subjects: MessageSubjects | None = None,
    recalled: Recollection = NOTHING_RECALLED,
) -> Extraction:
    """Return the entities that structured fields name; ``actions`` are parallel to the segments.

    ``subjects`` are the message's subjects if already computed; ``recalled`` is what memory holds
    about its patients and about staff.

    Raises:
        PhraseError: "too-many", the fields give more than `MOST_PHRASES` phrases.
    """
    subjects = subjects or message_subjects(message, actions, words.fields)
    patients = recalled.identities([patient.identity for patient in subjects.patients])
    groups, known = (
        _completed(subjects, recalled, words.fields)
        if any(recalled.patients) or recalled.staff
        else _plain(subjects, words.fields)
    )
    own = {patient: names for patient, names in known.values() if patient in patients}
    known |= _ended(
        subjects, groups, recalled.ended, [(p, own.get(p, ())) for p in patients], words.fields
    )
    subject = patients[0] if patients else None
    misplaced = _misplaced(message.segments, actions, words)
    groups = [*groups, *(group for group, _ in misplaced)]
    entities = _entities(groups, known, subject or "", words.fields)
    phrases = _phrases(groups, entities, words)
    if things := thing(message.segments, actions, words):
        phrases += things.phrases
    return Extraction(
        (*entities, things.entity) if things else entities,
        tuple(_without_namesakes(phrases)),
        _owners(groups, entities),
        subject,
        reference_date(message.segments),
        {path: patients[number] for path, number in subjects.subjects.items()},
        frozenset(_days(message.segments, actions)),
        next((s.text for s in message.segments if s.element == _COUNTRY), None),
        {group.paths[0]: label for group, label in misplaced},
    )


def _entities(
    groups: Sequence[Group],
    known: Mapping[int, tuple[str, _Earlier]],
    subject: str,
    words: FieldWords,
) -> tuple[Entity, ...]:
    """Return the entity of each group; ``known`` are identities and former names by group."""
    entities = []
    ordinals: dict[str, int] = {}
    for place, group in enumerate(groups):
        ordinal = ordinals[group.role] = ordinals.get(group.role, 0) + 1
        values = tuple(group.values)
        own, earlier = known.get(place, ("", ()))
        known_as = own or identity(group.role, values, words)
        known_as = known_as or f"{subject}/{group.role}:{ordinal}"
        entity = _entity(group.role, ordinal, known_as, values, group.sex)
        entities.append(replace(entity, earlier=earlier) if earlier else entity)
    return tuple(entities)


def _owners(groups: Sequence[Group], entities: Sequence[Entity]) -> dict[str, str]:
    pairs = zip(groups, entities, strict=True)
    return {path: entity.id for group, entity in pairs for path in group.paths}


def _phrases(
    groups: Sequence[Group], entities: Sequence[Entity], words: WordList
) -> list[TrustedPhrase]:
    phrases: list[TrustedPhrase] = []
    for group, entity in zip(groups, entities, strict=True):
        if group.role not in ANONYMOUS:
            found = phrases_of(entity.id, group.role, tuple(group.values), words)
            phrases += without_words(found, group, words) if group.role in STAFF else found
        if len(phrases) > MOST_PHRASES:
            raise PhraseError("too-many")
    return phrases


def _misplaced(
    segments: Sequence[TextSegment], actions: Sequence[Action], words: WordList
) -> list[tuple[Group, Label]]:
    """Return a group and label for each name in a field of a number or in a dropped text."""
    found = []
    keep, scan = Handling.KEEP, Handling.SCAN  # reading a member of an enum is slow
    for segment, action in zip(segments, actions, strict=True):
        if action.handling is keep or action.handling is scan:
            continue
        if _may_misplace(segment, action) and (named := misplaced_name(segment.text, words)):
            values: list[Value] = [(part, text, Label.PATIENT) for part, text in named]
            label = Label.USERNAME if is_file(segment.text) else Label.PATIENT
            found.append((Group(_MENTIONED, values, [segment.path]), label))
    return found


def _may_misplace(segment: TextSegment, action: Action) -> bool:
    """Whether a name in a place would be that of a person whom no other field names."""
    if action.handling is Handling.DROP:
        return action.part == "full" and action.role is None
    return (
        action.handling is Handling.SURROGATE
        and action.part in _NUMBERS
        and action.role in _PERSONAL
        and not (action.part == "id" and action.role in STAFF)
        and segment.datatype not in RESOURCE_IDS
    )


def _without_namesakes(phrases: Sequence[TrustedPhrase]) -> Iterable[TrustedPhrase]:
    """Return the phrases without user names that name an organisation (a clinic as a doctor)."""
    if not any(phrase.label is Label.USERNAME for phrase in phrases):
        return phrases
    names = {squeeze(phrase.text) for phrase in phrases if phrase.label in _ORGANISATIONS}
    return (p for p in phrases if p.label is not Label.USERNAME or squeeze(p.text) not in names)


_Earlier = tuple[tuple[str, tuple[str, ...]], ...]


def _ended(
    subjects: MessageSubjects,
    groups: Sequence[Group],
    ended: Mapping[str, Entry],
    own: Sequence[tuple[str, _Earlier]],
    words: FieldWords,
) -> dict[int, tuple[str, _Earlier]]:
    """Return the identity and names of each record that ends, by the index of its group.

    ``own`` are those of the message's patients.

    A record that no earlier message was about has the patient's own, if it has the same names: both
    are one person, so that one name must not become two.
    """
    places = {id(group): place for place, group in enumerate(groups)}
    found: dict[int, tuple[str, _Earlier]] = {}
    for place, (whose, number) in subjects.ended.items():
        group, entry = subjects.groups[place], ended.get(number)
        if entry is None or id(group) not in places:
            continue
        if not entry.subject and _same_names(
            group, subjects.groups[subjects.patients[whose].group]
        ):
            found[places[id(group)]] = own[whose]
        else:
            names = _first_words(entry.names, group, words)
            found[places[id(group)]] = entry.identity, names
    return found


def _same_names(one: Group, other: Group) -> bool:
    """Whether two groups have the same family and given name, and any."""
    named = [[squeeze(group.first(part)) for part in ("family", "given")] for group in (one, other)]
    return named[0] == named[1] and any(named[0])


def _plain(
    subjects: MessageSubjects, words: FieldWords
) -> tuple[Sequence[Group], dict[int, tuple[str, _Earlier]]]:
    groups = subjects.groups
    return groups, {
        p.group: (p.identity, _first_words({}, groups[p.group], words)) for p in subjects.patients
    }


def _first_words(known: Mapping[str, tuple[str, ...]], group: Group, words: FieldWords) -> _Earlier:
    """Return a patient's first words of names, remembered ones first, as memory will have them.

    The first message must know them as later ones do, so that a name has one surrogate in all.
    """
    return tuple(names_with(known, group.values, words).items())


def _completed(
    subjects: MessageSubjects, recalled: Recollection, words: FieldWords
) -> tuple[Sequence[Group], dict[int, tuple[str, _Earlier]]]:
    """Return the groups completed from memory, and patients' identity and former names by group."""
    groups = [g if place in subjects.ended else g.copy() for place, g in enumerate(subjects.groups)]
    identified: list[tuple[Group, str, _Earlier]] = []
    entries = recalled.patients or (None,) * len(subjects.patients)
    for patient, entry in zip(subjects.patients, entries, strict=True):
        own = groups[patient.group]
        if entry is None:
            identified.append((own, patient.identity, _first_words({}, own, words)))
            continue
        identified.append((own, entry.identity, _first_words(entry.names, own, words)))
        for group in entry.people():
            if group.role == "patient":
                own.absorb(group)
            else:
                groups.append(group)
    groups += recalled.staff
    last = [subjects.groups[place] for place in subjects.ended]
    ended = frozenset(map(id, last))
    merged = merge([group for group in groups if id(group) not in ended], words)
    places = {id(group): place for place, group in enumerate(merged)}
    known = {places[id(g)]: (own, names) for g, own, names in identified if id(g) in places}
    return [*merged, *last], known


@lru_cache(maxsize=16384)
def _entity(
    role: str, ordinal: int, known_as: str, values: tuple[Value, ...], sex: str | None
) -> Entity:
    """Return the entity of a group; memoised, as staff and facilities recur in every message."""
    numbered = role != "patient" or ordinal > 1
    return Entity(
        id=f"{role}:{ordinal}" if numbered else role,
        role=role,
        label=_label(values),
        identity=known_as,
        parts=tuple((part, text) for part, text, _ in values),
        sex=sex,
    )


def _label(values: Iterable[Value]) -> Label:
    """Return the label of the name, else of the organisation, else of the first value."""
    labels = {part: label for part, _, label in values if label is not None}
    for part in ("family", "given", "org"):
        if part in labels:
            return labels[part]
    return next(iter(labels.values()), Label.OTHER)


def _days(segments: Iterable[TextSegment], actions: Iterable[Action]) -> Iterable[str]:
    """Yield the days in fields whose dates are shifted, as YYYYMMDD."""
    for segment, action in zip(segments, actions, strict=True):
        if action.handling is Handling.SHIFT and (day := DAY.match(segment.text)):
            yield "".join(day.groups())


def reference_date(segments: Iterable[TextSegment]) -> str | None:
    """Return the message's date as YYYYMMDD, or None: of sending, else observation, else visit."""
    found = None
    best = len(_REFERENCE)
    for segment in segments:
        rank = _REFERENCE.get(segment.element, best)
        if rank < best:
            day = DAY.match(segment.text)
            if day is not None:
                found, best = "".join(day.groups()), rank
    return found
