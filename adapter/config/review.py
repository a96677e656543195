"""Settings of the review console."""

from __future__ import annotations

from pydantic import Field, field_validator, model_validator

from adapter.config.section import FOLDER, FilePath, Section
from adapter.errors import RuleError
from adapter.review.store.registry import STORES

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Review(Section):
    """The console's database, retention and address."""

    url: str = Field(default="sqlite:///review.sqlite", repr=False)
    """A URL of a database in `adapter.review.store.registry`."""
    days: int = Field(default=90, ge=1)
    """Days after which an item is erased with its reviews."""
    host: str = "127.0.0.1"
    """Other addresses than loopback require a certificate."""
    port: int = Field(default=8711, ge=0, le=65_535)
    names: tuple[str, ...] = ()
    """Host names under which browsers reach the console, in addition to ``host``."""
    certificate: FilePath | None = None
    """PEM file of the TLS certificate and its chain."""
    private_key: FilePath | None = None
    """PEM file of the certificate's key."""

    @field_validator("url")
    @classmethod
    def _database_is_known(cls, value: str) -> str:
        try:
            return STORES.located(value, FOLDER.get())
        except RuleError as error:
            raise ValueError(error.problem) from None

    @model_validator(mode="after")
    def _tls_beyond_loopback(self) -> Review:
        if (self.certificate is None) != (self.private_key is None):
            raise ValueError("set both certificate and private_key, or neither")
        if self.host not in LOOPBACK and self.certificate is None:
            raise ValueError("a host beyond loopback needs certificate and private_key")
        return self
