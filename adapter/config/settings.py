"""Settings: one TOML file and ``DEID_ADAPTER__SECTION__KEY`` variables, to frozen models.

A variable wins over the file. Relative paths are relative to the file's folder (to the working
folder when there is no file). Anything unknown or impossible raises :class:`RuleError` with the
key and the file; a secret's value is never shown.
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
from adapter.config.complaints import as_rule_error, refuse_unknown_variables
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
from adapter.types import PROVENANCE, RECALLS
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
        """The 32 bytes.

        Raises:
            RuleError: the source is missing, open to others, or is not base64 of 32 bytes.
        """
        place = f"key {self.id}"
        try:
            secret = base64.b64decode(self._text(), validate=True)
        except OSError as error:
            raise RuleError(place, f"file cannot be read ({type(error).__name__})") from None
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
    """The secrets: one key makes surrogates, others seal. What is named here wins over the ring."""

    ring: FilePath | None = None
    """A key ring (see `adapter.sealing.keyring`), which has the keys that are not named below."""
    domain: str = Field(default="default", pattern=r"^[A-Za-z0-9_.-]{1,40}$")
    """Whose keys of the ring: a project within which surrogates agree."""
    surrogates_id: str | None = None
    """A retired key of the ring to draw surrogates with, as an earlier run did."""

    surrogates: Key | None = None
    quarantine: Key | None = None
    quarantine_old: tuple[Key, ...] = ()
    """Earlier sealing keys, still able to open what they sealed."""
    state: Key | None = None
    audit: Key | None = None
    """Signs audit records: the secret part of an Ed25519 key."""
    audit_old: tuple[Key, ...] = ()
    review: Key | None = None
    """Seals what the review console keeps."""
    review_old: tuple[Key, ...] = ()


class Rules(Section):
    """What the ruleset is compiled from."""

    folder: FilePath | None = None
    """Another rules folder than the one shipped."""
    profile: str = "research"
    models: FilePath | None = None
    """Another folder of learned models than the one shipped."""
    names: FilePath | None = None
    """A folder of the names that surrogates bear, instead of those of the shipped tables."""
    languages: Languages = ("en", "es", "de")
    """Languages of free text: each message's is what it says, else what its text looks like, else
    the first; with just one, all text is read by it."""
    recall: float | None = None
    """Token recall aimed at by learned models, one of `RECALLS`; None: as the profile says."""
    formats: tuple[Format, ...] = ("hl7v2", "fhir")
    """Formats that may be met; with just one, nothing is detected."""
    site: tuple[FilePath, ...] = ()
    """Site field policies, over the shipped ones."""
    taggers: tuple[str, ...] = Field(
        default=("phrases", "variants", "patterns", "attributes", "lexicons", "crf"), min_length=1
    )
    postprocess: tuple[Literal["correct", "reconcile", "standardise"], ...] = (
        "correct",
        "reconcile",
    )
    """What is done with all that was found in a message (see `adapter.resolve`)."""
    headers: tuple[str, ...] = ("content-type",)
    """Names of record headers that may pass; all others are left out."""
    charset: Charset = "iso-8859-1"
    """Charset of HL7 v2 messages whose MSH-18 is empty and whose bytes are not UTF-8."""
    segment_end: str | None = None
    """What ends segments of HL7 v2 messages that have no line ends (see `hl7v2_repair`); None:
    such messages are held."""

    @field_validator("headers")
    @classmethod
    def _headers_are_not_ours(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(name.lower().startswith(PROVENANCE) for name in value):
            raise ValueError(f"names that begin with {PROVENANCE} are the adapter's own")
        return value

    @field_validator("recall")
    @classmethod
    def _recall_is_known(cls, value: float | None) -> float | None:
        if value is not None and value not in RECALLS:
            raise ValueError(f"is not one of {', '.join(map(str, RECALLS))}")
        return value

    @field_validator("segment_end")
    @classmethod
    def _segment_end_is_one(cls, value: str | None) -> str | None:
        if value is not None and not is_separator(value):
            raise ValueError("is a line end, a delimiter, a word or too long")
        return value


class Vault(Section):
    """Where random codes are kept, if surrogates are not to be drawn with the key alone."""

    url: str = Field(default="", repr=False)
    """An address as a store of `adapter.vault.registry` writes it; empty: no vault."""

    @field_validator("url")
    @classmethod
    def _store_is_known(cls, value: str) -> str:
        try:
            return VAULTS.located(value, FOLDER.get()) if value else value
        except RuleError as error:
            raise ValueError(error.problem) from None


class Escrow(Section):
    """Whether originals are kept, sealed to the escrow key of the ring."""

    enabled: bool = False


class Workers(Section):
    """The process pool and its bounds."""

    processes: int = Field(default=0, ge=0, le=256)
    """0: one for each core."""
    timeout_ms: int = Field(default=10_000, ge=10, le=600_000)
    """Time 256 KiB of a message may take before it is held with tag/timeout; longer ones more."""
    max_records: int = Field(default=4_000, ge=1)
    """Records in work at once, over all lanes."""
    max_bytes: int = Field(default=64 * MIB, ge=1024)
    """Bytes of records in work at once, over all lanes."""
    batch_records: int = Field(default=500, ge=1)
    """Records in one transaction, at most."""
    batch_bytes: int = Field(default=8 * MIB, ge=1024)
    """Bytes in one transaction, unless one record alone is larger."""
    drain_seconds: float = Field(default=30.0, gt=0)
    """Time after SIGTERM in which batches in work may still be committed."""


class Known(Section):
    """What is remembered of patients from their earlier messages."""

    enabled: bool = True
    scope: Literal["partition", "domain"] = "partition"
    """Whose messages share a memory: those of one partition of one topic, or those of the
    partitions of one number of all input topics. Files are one feed in any case."""
    patients: int = Field(default=200_000, ge=1)
    """Patients of one partition, or of all files; those heard of longest ago are forgotten."""
    days: int = Field(default=730, ge=1)
    """Days without a record (by its timestamp) after which a patient is forgotten."""


class Health(Section):
    """The HTTP endpoint of /healthz, /readyz, /lanes and /metrics; port 0 turns it off."""

    host: str = "127.0.0.1"
    port: int = Field(default=0, ge=0, le=65_535)
    control: bool = False
    """Whether POST may pause and resume lanes; whoever reaches the port may then do so."""


class Traces(Section):
    """OpenTelemetry traces of batches, sent by OTLP over HTTP."""

    endpoint: str = Field(default="", pattern=r"^(https?://\S+)?$")
    """The collector's address; empty turns traces off."""
    share: float = Field(default=1.0, ge=0, le=1)
    """Of the batches, how many are traced."""


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
    """A name of `adapter.transports.registry`."""
    rules: Rules = Rules()
    topic: dict[str, Topic] = Field(default={})
    """Settings of single topics or files, by their name or a pattern of names."""
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
        """Return the settings of the topics under a key of ``topic``, which has none then."""
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
        """What the command line says wins over variables, and these over what the file says."""
        return InitSettingsSource(settings_cls, _SAID.get() or {}), env_settings, init_settings


def load_settings(
    file: Path | None = None, *, said: dict[str, Any] | None = None, **values: Any
) -> Settings:
    """Load the settings from a TOML file and environment variables, which override it.

    ``values`` are defaults for settings that neither gives; ``said`` are options of a command
    line, which override everything.

    Raises:
        RuleError: the file cannot be read, or a setting is unknown or impossible.
    """
    refuse_unknown_variables(Settings, PREFIX)
    tables = _merged(values, _read(file) if file else {})
    token = FOLDER.set(file.parent if file else Path())
    over = _SAID.set(said)
    try:
        return Settings(**tables)
    except ValidationError as error:
        raise as_rule_error(error, file, Settings) from None
    except SettingsError as error:
        raise RuleError("environment", "a variable is not valid JSON") from error
    finally:
        _SAID.reset(over)
        FOLDER.reset(token)


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise RuleError(str(file), f"cannot be read ({type(error).__name__})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RuleError(str(file), f"is not TOML: {error}") from None


def _merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Tables of ``base`` with the keys of ``over`` put over them, depth by depth."""
    joined = dict(base)
    for key, value in over.items():
        below = joined.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            joined[key] = _merged(below, value)
        else:
            joined[key] = value
    return joined
