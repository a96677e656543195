"""FHIRPath Patch: the values of operations are replaced as those of the elements they change."""

from __future__ import annotations

import pytest

from adapter.fields.patches import patched
from adapter.types import Action, Handling, Message, TextSegment

PARTS = "Parameters.parameter.part"
SCANNED = Action(Handling.SCAN)


def action_of(policy, path, value, *, name="", inner=()):
    """The role and part of the value of an operation; ``inner`` are names of nested parts."""
    texts = [("path", path), *([("name", name)] if name else ())]
    segments = [
        TextSegment(f"/parameter/0/part/{n}/{leaf}", f"{PARTS}.{leaf}", "string", text)
        for n, (called, said) in enumerate(texts)
        for leaf, text in (("name", called), ("valueString", said))
    ]
    place, element = "/parameter/0/part/9", PARTS
    segments.append(TextSegment(f"{place}/name", f"{element}.name", "string", "value"))
    for called in inner:
        place, element = f"{place}/part/0", f"{element}.part"
        segments.append(TextSegment(f"{place}/name", f"{element}.name", "string", called))
    leaf, datatype = value
    below = leaf.replace("/", ".")
    segments.append(TextSegment(f"{place}/{leaf}", f"{element}.{below}", datatype, "x"))
    message = Message("fhir", "Parameters", tuple(segments), None)
    found = patched(message, (SCANNED,) * len(segments), policy)
    assert {SCANNED} >= set(found[:-1])
    return found[-1].role, found[-1].part


@pytest.mark.parametrize(
    ("path", "name", "value", "expected"),
    [
        ("Patient.name[0].family", "", ("valueString", "string"), ("patient", "family")),
        (
            "Patient.name.where(use = 'official').given.first()",
            "",
            ("valueString", "string"),
            ("patient", "given"),
        ),
        ("name[0].family", "", ("valueString", "string"), ("patient", "family")),
        ("Patient.address[0]", "city", ("valueString", "string"), ("patient", "city")),
        ("Patient", "birthDate", ("valueDate", "date"), ("patient", "birthdate")),
        ("Patient.deceased", "", ("valueDateTime", "dateTime"), ("patient", "deathdate")),
        ("Patient", "name", ("valueHumanName/family", "HumanName.family"), ("patient", "family")),
        ("Patient.contact[1].name.family", "", ("valueString", "string"), ("kin", "family")),
        ("Patient.gender", "", ("valueCode", "code"), (None, None)),
        ("Patient.shoeSize", "", ("valueString", "string"), (None, None)),
        ("Observation.note[0].text", "", ("valueMarkdown", "markdown"), (None, None)),
    ],
)
def test_a_value_belongs_to_the_element_that_the_path_names(policy, path, name, value, expected):
    """The path says which element, whatever selects its item; others stay as they were."""
    assert expected == action_of(policy, path, value, name=name)


def test_a_value_made_of_parts_belongs_to_the_elements_of_their_names(policy):
    """A contact is added as parts called "name" and "telecom"."""
    found = action_of(
        policy,
        "Patient",
        ("valueHumanName/family", "HumanName.family"),
        name="contact",
        inner=("name",),
    )
    assert ("kin", "family") == found
