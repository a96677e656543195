"""Settings of a replay: what is read again, by what, and where it goes."""

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
    """Make a plain path relative to the settings file's folder; an address stays as it is."""
    return value if not value or "://" in value else str(FOLDER.get() / value)


def _with_zone(value: object) -> object:
    """Take a time without zone as UTC."""
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value


Address = Annotated[str, AfterValidator(_located)]
"""A path, or an address that fsspec knows (``s3://bucket/folder``)."""
Time = Annotated[datetime, BeforeValidator(_with_zone)]


class ReplaySource(Section):
    """What is read again: a range of topics, or an archive of them."""

    kind: str = "archive"
    """A name of `adapter.replay.registry`."""
    url: Address = Field(default="", repr=False)
    """Folder of the archive, or an address of fsspec."""
    options: dict[str, Any] = Field(default={}, repr=False)
    """Options of the file system behind the address, such as ``endpoint_url``."""
    layout: Literal["columns", "confluent", "lenses", "aiven", "plain"] = "columns"
    """Whose names and columns the objects have; ``plain`` are messages and nothing else."""
    format: Literal["jsonl", "avro", "parquet", "bytes", "hl7-batch"] = "jsonl"
    """Format of the objects; gzip and zstd are told by their content."""
    split: Literal["refuse", "lines", "hl7v2", "length4", "whole"] = "refuse"
    """Where a message of format ``bytes`` ends: a line feed, the next header, 4 bytes of length
    before it, or the object's end."""
    encoding: Literal["auto", "text", "base64"] = "auto"
    """Of values that are JSON strings; ``auto`` looks at each for the beginning of a message."""
    key_encoding: Literal["text", "base64"] = "text"
    """Of keys and headers that are JSON strings."""
    topics: tuple[str, ...] = ()
    """Topics to replay; none: all of an archive. Of ``plain`` objects the first is their name."""
    since: Time | None = None
    """Time of the first record."""
    until: Time | None = None
    """Time before which the last record lies."""
    offsets: dict[str, tuple[int, int]] = Field(default={})
    """First and last offset by lane (``"hl7.in-0" = [100, 199]``); other lanes are left out."""
    keys: tuple[str, ...] = Field(default=(), repr=False)
    """Keys of records to replay, which may be patients' numbers; none: all."""

    @model_validator(mode="after")
    def _range_makes_sense(self) -> ReplaySource:
        if self.since and self.until and self.until <= self.since:
            raise ValueError("until is not after since")
        if any(last < first or first < 0 for first, last in self.offsets.values()):
            raise ValueError("offsets are [first, last]")
        return self


class ReplayTarget(Section):
    """Where outcomes go."""

    kind: str = "folder"
    """A name of `adapter.replay.registry`."""
    url: Address = Field(default="", repr=False)
    """Folder of the output, or an address of fsspec. Kind ``mart`` has none: [mart] says where."""
    options: dict[str, Any] = Field(default={}, repr=False)
    """Options of the file system behind the address."""
    order: Literal["subject", "source"] = "subject"
    """Of a folder's records: by surrogate subject, or as they were read, which tells their time."""
    compression: Literal["gzip", "zstd", "none"] = "gzip"
    """Of a folder's files."""
    part_bytes: int = Field(default=128 * MIB, ge=1024)
    """Bytes of a folder's file before compression, unless one record alone has more."""
    topic: str = "{topic}.{name}"
    """Output topic of kind ``topic``; ``{topic}`` is the source's, ``{name}`` the replay's."""
    quarantine: str = "{topic}.{name}.quarantine"
    """Topic of held messages."""
    audit: str = "{topic}.{name}.audit"
    """Topic of audit records; an empty name turns them off."""
    state: str = "{topic}.{name}.state"
    """Compacted topic of what is known of patients."""
    progress: str = "deid.replay.progress"
    """Compacted topic of how far every lane of every replay is."""


class Replay(Section):
    """A replay: source, target and what may be known of patients."""

    name: str = Field(default="", pattern=NAME)
    """Names progress and manifest; no consumer group is touched."""
    ruleset: str = ""
    """Digest that the ruleset must have (``sha256:`` and at least 16 digits); empty: any."""
    key: str = ""
    """Id, or fingerprint, that the key of surrogates must have; empty: any."""
    knowledge: Literal["as-of", "hindsight", "none"] = "as-of"
    """What a message's patients are known by: messages before it, all messages, or itself."""
    records_per_second: float = Field(default=0, ge=0)
    """Most records read in a second, over all lanes; 0: no bound."""
    bytes_per_second: float = Field(default=0, ge=0)
    """Most bytes of values read in a second, over all lanes; 0: no bound."""
    journal: Address = Field(default="", repr=False)
    """Folder of progress, held messages, audit and manifest: not for researchers. Empty:
    ``NAME.replay`` beside the settings file."""
    attempts: int = Field(default=5, ge=1)
    """Failures of a lane's target in a row after which the replay ends, to be resumed."""
    source: ReplaySource = ReplaySource()
    target: ReplayTarget = ReplayTarget()

    @field_validator("ruleset")
    @classmethod
    def _is_a_digest(cls, value: str) -> str:
        if value and not DIGEST.fullmatch(value):
            raise ValueError("is no digest: sha256: and 16 to 64 hexadecimal digits")
        return value

    @model_validator(mode="after")
    def _journal_has_a_place(self) -> Replay:
        if not self.journal and self.name:
            place = Path(FOLDER.get()) / f"{self.name}.replay"
            object.__setattr__(self, "journal", str(place))
        return self
