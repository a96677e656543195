"""Publishers of definitions: a site's own name is replaced, those of standards stay."""

from __future__ import annotations

import pytest

from adapter.fields.definitions import locally_published
from adapter.types import Action, Handling, Message, TextSegment

KNOWN = {
    "organisations": frozenset({"hl7", "loinc", "national committee for quality assurance"}),
    "continuing": frozenset(("international", "deutschland", "e.v", "work", "group", "the")),
}
KEPT = Action(Handling.KEEP)


def handlings(**values):
    """The handlings of a value set's elements with these texts."""
    segments = [
        TextSegment(f"/{name}", f"ValueSet.{name}", "string", text) for name, text in values.items()
    ]
    message = Message("fhir", "ValueSet", tuple(segments), None)
    found = locally_published(message, [KEPT] * len(segments), KNOWN)
    return [action.handling for action in found]


@pytest.mark.parametrize(
    ("values", "handling"),
    [
        ({"publisher": "Wexfordgate"}, Handling.SURROGATE),
        ({"publisher": "Wexfordgate", "url": "https://wexford.org/x"}, Handling.SURROGATE),
        ({"publisher": "Wexfordgate", "url": "https://notloinc.org/x"}, Handling.SURROGATE),
        ({"publisher": "HL7ville Clinic"}, Handling.SURROGATE),
        ({"publisher": "HL7 Deutschland e.V."}, Handling.KEEP),
        ({"publisher": "The National Committee for Quality Assurance"}, Handling.KEEP),
        ({"publisher": "Wexfordgate", "url": "http://fhir.loinc.org/vs/LL1"}, Handling.SURROGATE),
        ({"publisher": "HL7 Wexfordgate"}, Handling.SURROGATE),
        ({"publisher": "HL7 International (Wexfordgate Work Group)"}, Handling.SURROGATE),
        ({"publisher": "HL7 / LOINC Work Group"}, Handling.KEEP),
        ({"copyright": "Wexfordgate NHS Foundation Trust"}, Handling.SURROGATE),
        ({"copyright": "(c) 2024 Wexfordgate, all rights reserved"}, Handling.SCAN),
        ({"copyright": "HL7 International"}, Handling.KEEP),
        ({"copyright": "Copyright (c) 2024 HL7 International"}, Handling.KEEP),
        ({"copyright": "(c) 1995 Wexfordgate", "url": "http://loinc.org/LL1"}, Handling.SCAN),
        ({"title": "Bed types", "publisher": "Wexfordgate"}, Handling.KEEP),
    ],
)
def test_an_unknown_publisher_is_an_organisation(values, handling):
    """Its name decides, whatever the definition's address and the words that it begins with say."""
    assert handlings(**values)[0] is handling
