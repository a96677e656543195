"""Settings of the research mart."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pydantic import Field, field_validator

from adapter.config.section import FOLDER, FilePath, Section
from adapter.errors import RuleError
from adapter.mart.store.registry import MARTS

if TYPE_CHECKING:
    from pathlib import Path


class MartRelease(Section):
    """What a release holds, what the gate asks of it, and where it goes."""

    folder: FilePath = cast("Path", "releases")
    """Each release is a folder in it; no other release is touched."""
    views: tuple[FilePath, ...] = ()
    """Folders of a site's own ViewDefinitions, beside the shipped ones."""
    quasi_identifiers: tuple[str, ...] = (
        "patient.birth_year",
        "patient.sex",
        "encounter.year",
        "encounter.class",
    )
    """Columns ("view.column") by which somebody might know a person again."""
    sensitive: tuple[str, ...] = ("condition.code_code",)
    """Columns whose diversity in each cell is reported."""
    minimum_cell: int = Field(default=11, ge=2)
    """The fewest persons that a combination of quasi-identifiers may have."""
    rounding: int = Field(default=5, ge=1)
    """Published counts are multiples of it."""
    omop: bool = False
    """Whether each release has tables of the OMOP CDM 5.4 too."""
    vocabularies: FilePath | None = None
    """A folder with CONCEPT.csv and CONCEPT_RELATIONSHIP.csv for them; else concepts are 0."""
    url: str | None = Field(default=None, repr=False)
    """A PostgreSQL database that gets a schema for each release, in place of Parquet files."""
    role: str | None = None
    """The role that may read that schema."""


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
    release: MartRelease = Field(default_factory=MartRelease)

    @field_validator("url")
    @classmethod
    def _database_is_known(cls, value: str) -> str:
        try:
            return MARTS.located(value, FOLDER.get())
        except RuleError as error:
            raise ValueError(error.problem) from None
