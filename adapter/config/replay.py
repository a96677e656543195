"""Settings of a replay: its source, its rules, and its target."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from adapter.config.section import FOLDER, MIB, Section

NAME = r"^[A-Za-z0-9._-]{0,80}$"
DIGEST = re.compile(r"(?:sha256:)?([0-9a-f]{16,64})")


def _located(value: str) -> str:
    """Return a plain path relative to the settings file's folder; a URL is unchanged."""
    return value if not value or "://" in value else str(FOLDER.get() / value)


def _with_zone(value: object) -> object:
    """Return a time without zone as UTC."""
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value


Address = Annotated[str, AfterValidator(_located)]
"""A path, or a URL that fsspec supports (``s3://bucket/folder``)."""
Time = Annotated[datetime, BeforeValidator(_with_zone)]


class ReplaySource(Section):
    """The records that are read again: a range of topics, or an archive of them."""

    kind: str = "archive"
    """A name of `adapter.replay.registry`."""
    url: Address = Field(default="", repr=False)
    """Folder of the archive, or a URL for fsspec."""
    options: dict[str, Any] = Field(default={}, repr=False)
    """Options of the file system of the URL, such as ``endpoint_url``."""
    layout: Literal["columns", "confluent", "lenses", "aiven", "plain"] = "columns"
    """The exporter whose names and columns the objects have; ``plain`` are messages alone."""
    format: Literal["jsonl", "avro", "parquet", "bytes", "hl7-batch"] = "jsonl"
    """Format of the objects; gzip and zstd are detected."""
    split: Literal["refuse", "lines", "hl7v2", "length4", "whole"] = "refuse"
    """How messages of format ``bytes`` are delimited: by a line feed, the next header, a length of
    4 bytes before each, or the end of the object."""
    encoding: Literal["auto", "text", "base64"] = "auto"
    """Encoding of values that are JSON strings; ``auto`` detects the start of a message."""
    key_encoding: Literal["text", "base64"] = "text"
    """Encoding of keys and headers that are JSON strings."""
    topics: tuple[str, ...] = ()
    """Topics to replay; empty: all of an archive. The first names ``plain`` objects."""
    since: Time | None = None
    """Earliest time of a record, inclusive."""
    until: Time | None = None
    """Latest time of a record, exclusive."""
    offsets: dict[str, tuple[int, int]] = Field(default={})
    """Lane -> [first, last] offset (``"hl7.in-0" = [100, 199]``); other lanes are omitted."""
    keys: tuple[str, ...] = Field(default=(), repr=False)
    """Keys of records to replay, which can be patients' numbers; empty: all."""

    @model_validator(mode="after")
    def _range_makes_sense(self) -> ReplaySource:
        if self.since and self.until and self.until <= self.since:
            raise ValueError("until must be after since")
        if any(last < first or first < 0 for first, last in self.offsets.values()):
            raise ValueError("offsets must be [first, last], with 0 <= first <= last")
        return self


class ReplayTarget(Section):
    """The destination of outcomes."""

    kind: str = "folder"
    """A name of `adapter.replay.registry`."""
    url: Address = Field(default="", repr=False)
    """Folder of the output, or a URL for fsspec. Kind ``mart`` has none: see [mart]."""
    options: dict[str, Any] = Field(default={}, repr=False)
    """Options of the file system of the URL."""
    order: Literal["subject", "source"] = "subject"
    """Order of a folder's records: by surrogate subject, or as read, which reveals their times."""
    compression: Literal["gzip", "zstd", "none"] = "gzip"
    """Compression of a folder's files."""
    part_bytes: int = Field(default=128 * MIB, ge=1024)
    """Bytes of a folder's file before compression, unless a single record has more."""
    topic: str = "{topic}.{name}"
    """Output topic of kind ``topic``; ``{topic}`` is the source's name, ``{name}`` the replay's."""
    quarantine: str = "{topic}.{name}.quarantine"
    """Topic of held messages."""
    audit: str = "{topic}.{name}.audit"
    """Topic of audit records; an empty name turns audit off."""
    state: str = "{topic}.{name}.state"
    """Compacted topic of patient memory."""
    progress: str = "deid.replay.progress"
    """Compacted topic of the progress of every lane of every replay."""


class Replay(Section):
    """A replay: its source, its target, and the use of patient memory."""

    name: str = Field(default="", pattern=NAME)
    """Name of the progress and the manifest; no consumer group is used."""
    ruleset: str = ""
    """Required digest of the ruleset (``sha256:`` and at least 16 digits); empty: any."""
    key: str = ""
    """Required id or fingerprint of the surrogates key; empty: any."""
    knowledge: Literal["as-of", "hindsight", "none"] = "as-of"
    """Patient memory of a message: from the messages before it, from all, or none."""
    records_per_second: float = Field(default=0, ge=0)
    """Maximum number of records read per second, over all lanes; 0: unlimited."""
    bytes_per_second: float = Field(default=0, ge=0)
    """Maximum number of bytes of values read per second, over all lanes; 0: unlimited."""
    journal: Address = Field(default="", repr=False)
    """Folder of progress, held messages, audit and manifest, which researchers must not see. Empty:
    ``NAME.replay`` beside the settings file."""
    attempts: int = Field(default=5, ge=1)
    """Consecutive failures of a lane's target after which the replay stops; it can be resumed."""
    source: ReplaySource = ReplaySource()
    target: ReplayTarget = ReplayTarget()

    @field_validator("ruleset")
    @classmethod
    def _is_a_digest(cls, value: str) -> str:
        if value and not DIGEST.fullmatch(value):
            raise ValueError("must be sha256: followed by 16 to 64 hexadecimal digits")
        return value

    @model_validator(mode="after")
    def _journal_has_a_place(self) -> Replay:
        if not self.journal and self.name:
            place = Path(FOLDER.get()) / f"{self.name}.replay"
            object.__setattr__(self, "journal", str(place))
        return self
