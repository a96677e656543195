"""What the codec tests share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from adapter.codecs.fhir.codec import FhirCodec
from adapter.codecs.hl7v2.codec import Hl7v2Codec

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def hl7v2_tables(repository: Path) -> dict[str, Any]:
    """The shipped HL7 v2 tables."""
    return json.loads((repository / "rules/schema/hl7v2.json").read_bytes())


@pytest.fixture(scope="session")
def hl7v2(hl7v2_tables: dict[str, Any]) -> Hl7v2Codec:
    """An HL7 v2 codec with the shipped tables."""
    return Hl7v2Codec(hl7v2_tables)


@pytest.fixture(scope="session")
def fhir(repository: Path) -> FhirCodec:
    """A FHIR codec with the shipped tables of all versions."""
    folder = repository / "rules" / "schema"
    versions = ("R4", "R4B", "R5", "STU3")
    tables = {v: json.loads((folder / f"fhir-{v}.json").read_bytes()) for v in versions}
    return FhirCodec(tables)
