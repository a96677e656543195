"""Settings: reads one TOML file and ``DEID_ADAPTER__SECTION__KEY`` variables to frozen models.

A variable overrides the file. Relative paths are relative to the file's folder (to the working
folder if there is no file). An unknown or invalid setting raises :class:`RuleError` with the key
and the file; the value of a secret is never shown.
"""

from __future__ import annotations

import base64
import binascii
import os
import tomllib
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from adapter.codecs.hl7v2.repair import is_separator
from adapter.config.complaints import (
    Sources,
    as_rule_error,
    broken_variable,
    refuse_unknown_variables,
)
from adapter.config.envelope import Envelope, Registry
from adapter.config.files import Files
from adapter.config.kafka import Kafka
from adapter.config.listeners.http import Http
from adapter.config.listeners.mllp import Mllp
from adapter.config.mart import Mart
from adapter.config.quarantine import Quarantine
from adapter.config.replay import Replay
from adapter.config.review import Review
from adapter.config.secret_files import read_secret
from adapter.config.section import FOLDER, MIB, FilePath, Section
from adapter.config.send import Send
from adapter.config.shadow import Shadow
from adapter.config.topics import (  # noqa: TC001 - pydantic reads them
    Charset,
    Format,
    Languages,
    Topic,
)
from adapter.errors import RuleError
from adapter.headers import PROVENANCE
from adapter.types import RECALLS
from adapter.vault.registry import VAULTS

PREFIX = "DEID_ADAPTER__"

_SAID: ContextVar[dict[str, Any] | None] = ContextVar("what the command line says", default=None)


class Key(Section):
    """A secret of 32 bytes in base64, from exactly one of a file, a variable or the settings."""

    id: str = Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.-]+$")
    file: FilePath | None = None
    env: str | None = None
    value: SecretStr | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Key:
        if sum(source is not None for source in (self.file, self.env, self.value)) != 1:
            raise ValueError("needs exactly one of file, env, value")
        return self

    def read(self) -> bytes:
        """Return the 32 bytes of the secret.

        Raises:
            RuleError: the source is missing, accessible to others, or is not base64 of 32 bytes.
        """
        place = f"key {self.id}"
        try:
            secret = base64.b64decode(self._text(), validate=True)
        except OSError as error:
            problem = f"file {self.file} cannot be read ({type(error).__name__})"
            raise RuleError(place, problem) from None
        except KeyError:
            raise RuleError(place, f"variable {self.env} is not set") from None
        except (binascii.Error, ValueError):
            raise RuleError(place, "is not base64") from None
        if len(secret) != 32:  # noqa: PLR2004 - AES-256 and HMAC-SHA256
            raise RuleError(place, "is not 32 bytes long")
        return secret

    def _text(self) -> str:
        if self.file is not None:
            return read_secret(self.file).decode("ascii").strip()
        if self.env is not None:
            return os.environ[self.env].strip()
        return self.value.get_secret_value().strip() if self.value else ""


class Keys(Section):
    """The secrets: one key draws surrogates, others seal. A key named here overrides the ring."""

    ring: FilePath | None = None
    """A key ring (see `adapter.sealing.keyring`) with the keys that are not named below."""
    domain: str = Field(default="default", pattern=r"^[A-Za-z0-9_.-]{1,40}$")
    """The key domain in the ring: a project within which surrogates agree."""
    surrogates_id: str | None = None
    """Id of a retired key of the ring to draw surrogates with, as an earlier run did."""

    surrogates: Key | None = None
    quarantine: Key | None = None
    quarantine_old: tuple[Key, ...] = ()
    """Earlier sealing keys, which still open what they sealed."""
    state: Key | None = None
    audit: Key | None = None
    """Signs audit records: the secret part of an Ed25519 key."""
    audit_old: tuple[Key, ...] = ()
    review: Key | None = None
    """Seals the data of the review console."""
    review_old: tuple[Key, ...] = ()


class Rules(Section):
    """The sources and options of the ruleset."""

    folder: FilePath | None = None
    """A rules folder instead of the shipped one."""
    profile: str = "research"
    models: FilePath | None = None
    """A folder of learned models instead of the shipped one."""
    names: FilePath | None = None
    """A folder of names for surrogates, instead of those in the shipped tables."""
    languages: Languages = ("en", "es", "de", "fr")
    """Languages of free text. A message's language is the one it declares, else the detected one,
    else the first; with only one, it is always that."""
    recall: float | None = None
    """Target token recall of learned models, one of `RECALLS`; None: the profile's."""
    formats: tuple[Format, ...] = ("hl7v2", "fhir")
    """Accepted formats; with only one, the format is not detected."""
    site: tuple[FilePath, ...] = ()
    """Site field policies, which override the shipped ones."""
    taggers: tuple[str, ...] = Field(
        default=("phrases", "variants", "patterns", "attributes", "lexicons", "crf", "neural"),
        min_length=1,
    )
    postprocess: tuple[Literal["correct", "reconcile", "standardise"], ...] = (
        "correct",
        "reconcile",
    )
    """Steps applied to all mentions found in a message (see `adapter.resolve`)."""
    headers: tuple[str, ...] = ("content-type",)
    """Names of record headers that are released; all others are removed."""
    charset: Charset = "iso-8859-1"
    """Charset of HL7 v2 messages whose MSH-18 is empty and whose bytes are not UTF-8."""
    segment_end: str | None = None
    """Segment separator of HL7 v2 messages without line ends (see `hl7v2.repair`); None: such
    messages are held."""

    @field_validator("headers")
    @classmethod
    def _headers_are_not_ours(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(name.lower().startswith(PROVENANCE) for name in value):
            raise ValueError(f"names that begin with {PROVENANCE} are reserved for the adapter")
        return value

    @field_validator("recall")
    @classmethod
    def _recall_is_known(cls, value: float | None) -> float | None:
        if value is not None and value not in RECALLS:
            raise ValueError(f"must be one of {', '.join(map(str, RECALLS))}")
        return value

    @field_validator("segment_end")
    @classmethod
    def _segment_end_is_one(cls, value: str | None) -> str | None:
        if value is not None and not is_separator(value):
            raise ValueError("must be short, and not a line end, a delimiter or a word")
        return value


class Vault(Section):
    """The store of random codes, if surrogates are not drawn with the key alone."""

    url: str = Field(default="", repr=False)
    """A URL of a store in `adapter.vault.registry`; empty: no vault."""

    @field_validator("url")
    @classmethod
    def _store_is_known(cls, value: str) -> str:
        try:
            return VAULTS.located(value, FOLDER.get()) if value else value
        except RuleError as error:
            raise ValueError(error.problem) from None


class Escrow(Section):
    """Escrow of originals, sealed to the escrow key of the ring."""

    enabled: bool = False


class Workers(Section):
    """The process pool and its limits."""

    processes: int = Field(default=0, ge=0, le=256)
    """Worker processes; 0: one per core."""
    timeout_ms: int = Field(default=10_000, ge=10, le=600_000)
    """Time limit of a message of up to 256 KiB, held with tag/timeout; longer ones get more."""
    max_records: int = Field(default=4_000, ge=1)
    """Maximum number of records in progress at once, over all lanes."""
    max_bytes: int = Field(default=64 * MIB, ge=1024)
    """Maximum number of bytes of records in progress at once, over all lanes."""
    batch_records: int = Field(default=500, ge=1)
    """Maximum number of records in one transaction."""
    batch_bytes: int = Field(default=8 * MIB, ge=1024)
    """Maximum number of bytes in one transaction, unless a single record is larger."""
    drain_seconds: float = Field(default=30.0, gt=0)
    """Time after SIGTERM within which batches in progress can still be committed."""


class Known(Section):
    """The memory of patients from their earlier messages."""

    enabled: bool = True
    scope: Literal["partition", "domain"] = "partition"
    """Messages that share a memory: those of one partition of one topic, or those of equally
    numbered partitions of all input topics. Files always share one memory."""
    patients: int = Field(default=200_000, ge=1)
    """Maximum number of patients per partition, or of all files; the least recent are forgotten."""
    days: int = Field(default=730, ge=1)
    """Days without a record (by its timestamp) after which a patient is forgotten."""
    staff: int = Field(default=20_000, ge=0)
    """Maximum number of members of staff per partition, or of all files; 0 remembers none."""


class Health(Section):
    """The HTTP endpoint of /healthz, /readyz, /lanes and /metrics; port 0 turns it off."""

    host: str = "127.0.0.1"
    port: int = Field(default=0, ge=0, le=65_535)
    control: bool = False
    """Whether anybody who can reach the port can pause and resume lanes by POST."""


class Traces(Section):
    """OpenTelemetry traces of batches, sent by OTLP over HTTP."""

    endpoint: str = Field(default="", pattern=r"^(https?://\S+)?$")
    """URL of the collector; empty turns traces off."""
    share: float = Field(default=1.0, ge=0, le=1)
    """Share of the batches that are traced."""


class Log(Section):
    """Structured logs on standard error."""

    level: Literal["debug", "info", "warning", "error"] = "info"


class Settings(BaseSettings):
    """All settings of one adapter."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        validate_default=True,
    )

    transport: str = "kafka"
    """A name in `adapter.transports.registry`."""
    rules: Rules = Rules()
    topic: dict[str, Topic] = Field(default={})
    """Settings of single topics or files, by their name or a name pattern."""
    envelope: Envelope = Envelope()
    registry: Registry = Registry()
    keys: Keys = Keys()
    vault: Vault = Vault()
    escrow: Escrow = Escrow()
    workers: Workers = Workers()
    kafka: Kafka = Kafka()
    files: Files = Files()
    mllp: Mllp = Mllp()
    http: Http = Http()
    send: Send = Send()
    known: Known = Known()
    shadow: Shadow = Shadow()
    health: Health = Health()
    traces: Traces = Traces()
    log: Log = Log()
    quarantine: Quarantine = Quarantine()
    mart: Mart = Field(default_factory=Mart)
    replay: Replay = Replay()
    review: Review = Field(default_factory=Review)

    def of_topic(self, key: str) -> Settings:
        """Return the settings of the topics under a key of ``topic``, without further topics."""
        own = self.topic[key]
        update: dict[str, Any] = {"topic": {}, "envelope": own.envelope or self.envelope}
        return self.model_copy(update=update | {"rules": self.rules.model_copy(update=own.rules())})

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources by precedence: command line, environment variables, file."""
        return InitSettingsSource(settings_cls, _SAID.get() or {}), env_settings, init_settings


def load_settings(
    file: Path | None = None, *, said: dict[str, Any] | None = None, **values: Any
) -> Settings:
    """Load the settings from a TOML file and environment variables, which override it.

    ``values`` are defaults that both override; ``said`` are options of a command line, which
    override everything.

    Raises:
        RuleError: the file cannot be read, or a setting is unknown or invalid.
    """
    refuse_unknown_variables(Settings, PREFIX)
    tables = _merged(values, _read(file) if file else {})
    token = FOLDER.set(file.parent if file else Path())
    over = _SAID.set(said)
    try:
        return Settings(**tables)
    except ValidationError as error:
        raise as_rule_error(error, Sources(said or {}, PREFIX, file), Settings) from None
    except SettingsError:
        place = f"variable {broken_variable(Settings, PREFIX)}"
        raise RuleError(place, "is a table or list, and not valid JSON") from None
    finally:
        _SAID.reset(over)
        FOLDER.reset(token)


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise RuleError(str(file), f"cannot be read ({type(error).__name__})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RuleError(str(file), f"is not TOML: {error}") from None


def _merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of ``base`` overridden by those of ``over``, recursively."""
    joined = dict(base)
    for key, value in over.items():
        below = joined.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            joined[key] = _merged(below, value)
        else:
            joined[key] = value
    return joined
