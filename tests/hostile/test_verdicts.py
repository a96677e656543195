"""What the verdicts on hostile cases see."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest

from adapter.types import Release
from tests.hostile.cases import case_of
from tests.hostile.verdicts import problems


@pytest.mark.parametrize("charset", ["utf-8", "latin-1"])
def test_a_leak_in_an_attachment_counts(charset):
    """Also in markup, whatever the charset."""
    assert ["leak"] == _problems("<p>Hausarzt Dr. Süßenguth</p>".encode(charset))


def test_what_an_attachment_keeps_is_found():
    """A string is kept if the decoded attachment has it."""
    assert not _problems(b"Hausarzt informiert, Befund folgt")


def test_a_file_that_is_no_text_says_nothing():
    """As an image."""
    assert not _problems(bytes(range(256)))


def _problems(raw):
    kept = ["Befund"] if b"Befund" in raw else []
    case = case_of({
        "id": "x", "format": "fhir", "class": "attachment", "messages": ["{}"],
        "profiles": ["research"], "forbidden": ["Süßenguth"], "kept": kept, "note": "",
    })  # fmt: skip
    data = b64encode(raw).decode("ascii")
    return problems(case, [Release(json.dumps({"data": data}).encode())])
