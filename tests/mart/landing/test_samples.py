"""All sample messages land."""

from __future__ import annotations

from adapter.mart.landing import land
from adapter.mart.maps import read_maps
from adapter.mart.versions import Released


def test_every_sample_lands(shared_data):
    """No sample message of HL7 v2 or FHIR raises, and most say something."""
    files = [f for f in sorted((shared_data / "messages").rglob("*")) if f.is_file()]
    found = [
        land(Released(file.read_bytes(), f"{at:032x}", "samples", 0, at), read_maps())
        for at, file in enumerate(files)
    ]
    assert sum(bool(one.versions) for one in found) > 0.9 * len(files)
