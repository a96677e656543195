"""The data types of the adapter: frozen values, standard library only, with reprs without text.

Offsets are characters of a segment's decoded text, half open: ``text[start:end]``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Label(StrEnum):
    """Types of protected text: the i2b2-2014 / CEGS N-GRID 2016 scheme."""

    PATIENT = "PATIENT"
    DOCTOR = "DOCTOR"
    USERNAME = "USERNAME"
    PROFESSION = "PROFESSION"
    HOSPITAL = "HOSPITAL"
    ORGANIZATION = "ORGANIZATION"
    STREET = "STREET"
    CITY = "CITY"
    STATE = "STATE"
    COUNTRY = "COUNTRY"
    ZIP = "ZIP"
    LOCATION_OTHER = "LOCATION-OTHER"
    AGE = "AGE"
    DATE = "DATE"
    PHONE = "PHONE"
    FAX = "FAX"
    EMAIL = "EMAIL"
    URL = "URL"
    IPADDR = "IPADDR"
    SSN = "SSN"
    MEDICALRECORD = "MEDICALRECORD"
    HEALTHPLAN = "HEALTHPLAN"
    ACCOUNT = "ACCOUNT"
    LICENSE = "LICENSE"
    VEHICLE = "VEHICLE"
    DEVICE = "DEVICE"
    BIOID = "BIOID"
    IDNUM = "IDNUM"
    OTHER = "OTHER"

    @property
    def category(self) -> str:
        """The main category (NAME, PROFESSION, LOCATION, AGE, DATE, CONTACT, ID or OTHER)."""
        return CATEGORIES[self]


_MEMBERS: dict[str, tuple[str, ...]] = {
    "NAME": ("PATIENT", "DOCTOR", "USERNAME"),
    "PROFESSION": ("PROFESSION",),
    "LOCATION": (
        "HOSPITAL",
        "ORGANIZATION",
        "STREET",
        "CITY",
        "STATE",
        "COUNTRY",
        "ZIP",
        "LOCATION-OTHER",
    ),
    "AGE": ("AGE",),
    "DATE": ("DATE",),
    "CONTACT": ("PHONE", "FAX", "EMAIL", "URL", "IPADDR"),
    "ID": (
        "SSN",
        "MEDICALRECORD",
        "HEALTHPLAN",
        "ACCOUNT",
        "LICENSE",
        "VEHICLE",
        "DEVICE",
        "BIOID",
        "IDNUM",
    ),
    "OTHER": ("OTHER",),
}
CATEGORIES: dict[Label, str] = {
    Label(name): category for category, names in _MEMBERS.items() for name in names
}
"""Main category of every label."""

RECALLS = (0.95, 0.98, 0.99)
"""Target token recalls for which learned models have thresholds."""

HIPAA: frozenset[Label] = frozenset(Label) - {
    Label.DOCTOR,
    Label.PROFESSION,
    Label.HOSPITAL,
    Label.STATE,
    Label.COUNTRY,
    Label.OTHER,
}
"""Labels inside the HIPAA Safe Harbor identifiers, 45 CFR 164.514(b)(2)(i)."""


class Handling(StrEnum):
    """The treatment of one place of a message by the field policy."""

    KEEP = "keep"  # kept, but still searched for trusted phrases
    SURROGATE = "surrogate"  # the whole text is one mention of a known label
    SHIFT = "shift"  # the whole text is a date or time
    SCAN = "scan"  # free text: taggers look for mentions
    DROP = "drop"  # emptied or removed
    HOLD = "hold"  # its presence holds the message


@dataclass(frozen=True, slots=True)
class Action:
    """The field policy's decision about one place of a message."""

    handling: Handling
    label: Label | None = None
    role: str | None = None
    """Role of the entity: "patient", "kin", "guarantor", "attending", "facility" ..."""
    part: str | None = None
    """Part of the entity: "family", "given", "street", "id", "birthdate" ..."""
    scope: str = "message"
    """Extent of one entity of this role: "message", "segment" (resource), "repetition"..."""


@dataclass(frozen=True, slots=True)
class Position:
    """The source of a record; ``offset`` counts the records of one partition."""

    topic: str
    partition: int
    offset: int


@dataclass(frozen=True, slots=True)
class Record:
    """One input record; ``value`` None is a tombstone, ``timestamp`` is in ms since the epoch."""

    value: bytes | None = field(repr=False)
    position: Position
    key: bytes | None = field(default=None, repr=False)
    headers: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    timestamp: int | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class TextSegment:
    """The decoded text of one place in a message.

    ``path`` addresses the place in its message; ``element`` is the path without positions, which
    the field policy uses; ``datatype`` is the standard's type of the place ("XPN.1", "TX",
    "HumanName.family", "date").
    """

    path: str = field(repr=False)
    element: str = field(repr=False)
    datatype: str
    text: str = field(repr=False)

    def __init__(self, path: str, element: str, datatype: str, text: str) -> None:
        set_path, set_element, set_datatype, set_text = _SEGMENT
        set_path(self, path)
        set_element(self, element)
        set_datatype(self, datatype)
        set_text(self, text)


def _setters(kind: type) -> tuple[Callable[[object, object], None], ...]:
    """Return the slot setters of a frozen class, in order; twice as fast as the generated init."""
    return tuple(vars(kind)[name].__set__ for name in vars(kind)["__slots__"])


_SEGMENT = _setters(TextSegment)


@dataclass(frozen=True, slots=True)
class Message:
    """A decoded message; ``body`` is the codec's private source map."""

    format: str
    kind: str
    segments: tuple[TextSegment, ...] = field(repr=False)
    body: object = field(repr=False)


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, place or thing that structured fields name.

    ``parts`` are (part, text) in order of appearance; a repeated part is an alias. Surrogates are
    drawn for ``identity``, which is the same for one person in every message and format.
    """

    id: str
    role: str
    label: Label
    identity: str = field(repr=False)
    parts: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    sex: str | None = field(default=None, repr=False)
    earlier: tuple[tuple[str, tuple[str, ...]], ...] = field(default=(), repr=False)
    """("family" or "given", squeezed first words) of names that messages gave, oldest first.

    For a patient the names of the message itself are among them.
    """


@dataclass(frozen=True, slots=True)
class TrustedPhrase:
    """A string from a structured field, to be found in text, and its form.

    ``ordinary`` marks a phrase that is also a common word: alone it is not a mention.
    """

    text: str = field(repr=False)
    label: Label
    entity: str
    form: str
    ordinary: bool = False


@dataclass(frozen=True, slots=True)
class Extraction:
    """The people, places and numbers that a message's structured fields name.

    ``owners`` maps a segment's path to the id of the entity whose part it is. ``subject`` is the
    patient's identity or None; ``reference`` the message's own date as YYYYMMDD or None.
    ``subjects`` are the identities by path where a message has several patients. ``days`` are the
    days in date fields as YYYYMMDD; ``country`` is the message's own (MSH-17), or None. ``labels``
    are those of fields that hold a name instead of a number, by path.
    """

    entities: tuple[Entity, ...]
    phrases: tuple[TrustedPhrase, ...] = field(repr=False)
    owners: dict[str, str] = field(repr=False)
    subject: str | None = field(default=None, repr=False)
    reference: str | None = field(default=None, repr=False)
    subjects: dict[str, str] = field(default_factory=dict, repr=False)
    days: frozenset[str] = field(default=frozenset(), repr=False)
    country: str | None = field(default=None, repr=False)
    labels: dict[str, Label] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class PatientFacts:
    """The facts in a message about one of its patients that help with later messages.

    Numbers are MACs under the domain's key, so that they can name state records: ``strong`` numbers
    are this patient's alone, best first (chart numbers, resource ids), ``weak`` numbers identify
    the patient if there is no strong one (visit, account, SSN). ``prior`` are numbers of the same
    patient's other record, which ends with this message. ``subject`` is the MAC of the identity
    that the message gives by itself. ``packed`` is packed by `adapter.phrases.memory`; b"" erases
    what is known.
    """

    subject: str = field(repr=False)
    strong: tuple[str, ...] = field(default=(), repr=False)
    weak: tuple[str, ...] = field(default=(), repr=False)
    prior: tuple[str, ...] = field(default=(), repr=False)
    packed: bytes = field(default=b"", repr=False)


FIELD_SOURCE, PHRASE_SOURCE = "field", "phrase"
"""Sources of spans that are whole structured fields, and of trusted phrases as they are."""
VARIANT_SOURCE = "variant"
"""Source of spans of misspelt trusted names and numbers."""
OTHER_PERSON = "{other}"
"""Form of a given name like the patient's that is a relative's."""
LEARNED_SOURCE = "crf"
"""Source of spans of a learned model; behind a colon may follow its corpus's own label."""


@dataclass(frozen=True, slots=True)
class Span:
    """A mention: half-open offsets in characters of its segment's text, its label and source.

    ``form`` says how the text is made of the parts of ``entity`` ("{given} {family}"), if known.
    """

    start: int
    end: int
    label: Label
    source: str
    score: float = 1.0
    priority: int = 0
    entity: str | None = None
    form: str | None = None
    sure: bool = False
    """Whether a cue (a title, kin, the name of a number) makes it certain for any model."""
    exact: bool = False
    """Whether text joined to its end is known not to belong to it (a file name extension)."""

    @property
    def learned(self) -> bool:
        """Whether a learned model found it."""
        return self.source.partition(":")[0] == LEARNED_SOURCE


@dataclass(frozen=True, slots=True)
class Veto:
    """An extent that a named rule excludes from being a mention (eponym, unit), for some labels.

    Empty ``labels`` means all. It removes only spans wholly inside it with lower priority; with
    ``cuts``, a guessed span that reaches into it also ends before it or begins behind it.
    """

    start: int
    end: int
    rule: str
    labels: frozenset[Label] = frozenset()
    priority: int = 0
    cuts: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of ``[start, end)`` of a segment's text; text None removes the element."""

    path: str = field(repr=False)
    start: int
    end: int
    text: str | None = field(repr=False)

    def __init__(self, path: str, start: int, end: int, text: str | None) -> None:
        set_path, set_start, set_end, set_text = _EDIT
        set_path(self, path)
        set_start(self, start)
        set_end(self, end)
        set_text(self, text)


_EDIT = _setters(Edit)


@dataclass(frozen=True, slots=True)
class SecurityLabel:
    """The security label of a released message, and its place.

    ``code`` is from HL7's v3-ObservationValue ("PSEUDED"); ``place`` depends on the format:
    "meta.security" in FHIR, "MSH-8" in HL7 v2.
    """

    code: str
    place: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Release:
    """A de-identified record: its bytes, key and headers, and counts of what was done."""

    value: bytes | None = field(repr=False)
    key: bytes | None = field(default=None, repr=False)
    headers: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    edits: tuple[Edit, ...] = field(default=(), repr=False)
    counts: tuple[tuple[str, int], ...] = ()
    """("LABEL/source", n), ("veto/rule", n) and ("kept/scanned" or "kept/dropped", n), sorted."""
    format: str = ""
    kind: str = ""
    ruleset_digest: str = ""
    merges: tuple[Merge, ...] = ()
    pairs: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """(surrogate, original) of the patient's numbers, if an escrow is kept; else empty."""


@dataclass(frozen=True, slots=True)
class Merge:
    """Two surrogate numbers of one patient: earlier output with ``prior`` belongs to ``number``.

    Adding ``days`` to the dates of that earlier output aligns them with later output; None if dates
    are not shifted.
    """

    prior: str = field(repr=False)
    number: str = field(repr=False)
    days: int | None = None

    def as_dict(self) -> dict[str, str | int | None]:
        """Return the merge in the form of audit records and headers."""
        return {"prior": self.prior, "number": self.number, "days": self.days}


@dataclass(frozen=True, slots=True)
class Hold:
    """A record that is not released, and the reason: a stage and code of `adapter.errors`."""

    stage: str
    code: str


Outcome = Release | Hold
"""The result of `process`."""


@dataclass(frozen=True, slots=True)
class Processed:
    """A record's outcome, and its processing time in milliseconds."""

    outcome: Outcome = field(repr=False)
    milliseconds: float
