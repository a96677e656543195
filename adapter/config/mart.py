"""Settings of the research mart."""

from __future__ import annotations

from pydantic import Field, field_validator

from adapter.config.section import FOLDER, Section
from adapter.errors import RuleError
from adapter.mart.store.registry import located


class Mart(Section):
    """Where the mart of a project lies, and what is loaded into it."""

    project: str = Field(default="default", pattern=r"^[a-z0-9_]{1,40}$")
    """A key domain: what is within one project agrees, and two know nothing of one another."""
    url: str = Field(default="duckdb:///mart.duckdb", repr=False)
    """An address as a database of `adapter.mart.store.registry` writes it."""
    topics: tuple[str, ...] = ()
    """Output topics of the adapter; none: those that ``kafka.topics`` are released to."""
    audit: str | None = None
    """Topic of the adapter's audit records, from which held messages are counted."""
    batch_records: int = Field(default=5_000, ge=1)
    """Records of one transaction, at most."""

    @field_validator("url")
    @classmethod
    def _database_is_known(cls, value: str) -> str:
        try:
            return located(value, FOLDER.get())
        except RuleError as error:
            raise ValueError(error.problem) from None
