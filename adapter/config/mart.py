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
    """The content of a release, the conditions of its gate, and its destination."""

    folder: FilePath = cast("Path", "releases")
    """Folder of the releases, one folder each; a new release changes no other."""
    views: tuple[FilePath, ...] = ()
    """Folders of a site's own ViewDefinitions, in addition to the shipped ones."""
    quasi_identifiers: tuple[str, ...] = (
        "patient.birth_year",
        "patient.sex",
        "encounter.year",
        "encounter.class",
    )
    """Columns ("view.column") by which a person could be recognised."""
    sensitive: tuple[str, ...] = ("condition.code_code",)
    """Columns whose diversity in each cell is reported."""
    minimum_cell: int = Field(default=11, ge=2)
    """Minimum number of persons with each combination of quasi-identifiers."""
    rounding: int = Field(default=5, ge=1)
    """Published counts are rounded to multiples of this number."""
    omop: bool = False
    """Whether each release also has tables of the OMOP CDM 5.4."""
    vocabularies: FilePath | None = None
    """A folder with their CONCEPT.csv and CONCEPT_RELATIONSHIP.csv; None: concepts are 0."""
    url: str | None = Field(default=None, repr=False)
    """A PostgreSQL database that gets a schema for each release, instead of Parquet files."""
    role: str | None = None
    """The role that is granted read access to the schema."""


class Mart(Section):
    """The database of a project's mart, and what is loaded into it."""

    project: str = Field(default="default", pattern=r"^[a-z0-9_]{1,40}$")
    """A key domain: surrogates agree within a project, and differ between projects."""
    url: str = Field(default="duckdb:///mart.duckdb", repr=False)
    """A URL of a database in `adapter.mart.store.registry`."""
    topics: tuple[str, ...] = ()
    """Output topics of the adapter; empty: those that ``kafka.topics`` are released to."""
    audit: str | None = None
    """Topic of the adapter's audit records, from which held messages are counted."""
    batch_records: int = Field(default=5_000, ge=1)
    """Maximum number of records in one transaction."""
    release: MartRelease = Field(default_factory=MartRelease)

    @field_validator("url")
    @classmethod
    def _database_is_known(cls, value: str) -> str:
        try:
            return MARTS.located(value, FOLDER.get())
        except RuleError as error:
            raise ValueError(error.problem) from None
