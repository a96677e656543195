"""What the codec tests share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from adapter.codecs.hl7v2 import Hl7v2Codec

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
