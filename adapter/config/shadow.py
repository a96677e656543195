"""Settings of the shadow ruleset: how it differs from the active one, and its resources."""

from __future__ import annotations

from pydantic import Field, field_validator, model_validator

from adapter.config.section import FilePath, Section
from adapter.types import RECALLS

OF_RULES = ("folder", "profile", "models", "names", "languages", "recall", "site")
"""Keys that replace those of ``rules`` if they are set."""


class Shadow(Section):
    """A second ruleset that processes a share of the live messages and publishes only counts."""

    share: float = Field(default=0.0, ge=0, le=1)
    """Share of the settled records that are compared; 0 turns the shadow off."""
    folder: FilePath | None = None
    profile: str | None = None
    models: FilePath | None = None
    names: FilePath | None = None
    languages: tuple[str, ...] | None = Field(default=None, min_length=1)
    recall: float | None = None
    site: tuple[FilePath, ...] | None = None
    processes: int = Field(default=1, ge=1, le=256)
    """Separate worker processes, at low priority."""
    queue_records: int = Field(default=200, ge=1)
    """Maximum number of records waiting for comparison; further ones are counted and dropped."""
    interval_seconds: float = Field(default=300.0, gt=0)
    """Time between two log lines with totals."""

    @field_validator("recall")
    @classmethod
    def _recall_is_known(cls, value: float | None) -> float | None:
        if value is not None and value not in RECALLS:
            raise ValueError(f"must be one of {', '.join(map(str, RECALLS))}")
        return value

    @model_validator(mode="after")
    def _differs(self) -> Shadow:
        if self.share and all(getattr(self, name) is None for name in OF_RULES):
            raise ValueError(f"share needs one of {', '.join(OF_RULES)}; otherwise nothing differs")
        return self
