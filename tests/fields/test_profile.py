"""Profiles: what each changes, and that a claim which cannot be honoured refuses to start."""

from __future__ import annotations

import tomllib

import pytest

from adapter.errors import RuleError
from adapter.fields import Rules, compile_policy, compile_profile
from adapter.types import Handling


def profile(text: str) -> Rules:
    """A profile of the given text."""
    return Rules("p.toml", text, tomllib.loads(text))


def test_research_shifts_dates_and_names_its_bounds(policy):
    """The default profile moves dates by one to 365 days and replaces places."""
    assert policy.profile.name == "research"
    assert policy.profile.surrogates["dates"] == "shift"
    assert policy.profile.surrogates["shift_days"] == {"min": 1, "max": 365, "multiple": 1}


@pytest.mark.parametrize(
    ("form", "element", "datatype"),
    [
        ("hl7v2", "TQ1-4", "TM"),
        ("hl7v2", "PV1-3.3", "PL.3"),
        ("hl7v2", "PID-11.9.1", "XAD.9.1"),
        ("fhir", "Observation.valueTime", "time"),
        ("fhir", "Patient.meta.lastUpdated", "instant"),
        ("fhir", "Patient.address.district", "Address.district"),
    ],
)
def test_safe_harbor_drops_times_rooms_and_counties(build, policy, form, element, datatype):
    """What 164.514(b)(2)(i) removes and no surrogate can stand for is dropped."""
    strict = build(profile="safe-harbor")
    assert Handling.DROP is strict.verdict(form, element, datatype).handling
    assert Handling.DROP is not policy.verdict(form, element, datatype).handling


def test_a_profile_may_hold_messages_with_unreadable_content(shipped, vocabulary):
    """With unreadable = "hold" a PDF holds its message, unless its field is dropped anyway."""
    strict = compile_policy(
        shipped, profile('format = "profile"\nname = "x"\nunreadable = "hold"'), vocabulary
    )
    assert Handling.HOLD is strict.verdict("hl7v2", "OBX-5.5", "ED.5:application/pdf").handling
    assert Handling.DROP is strict.verdict("hl7v2", "CER-6.5", "ED.5:application/pdf").handling


def test_overrides_match_elements_and_the_last_wins(shipped, vocabulary):
    """An override names an element with all below it; later ones beat earlier ones."""
    text = (
        'format = "profile"\nname = "x"\n'
        '[[handling]]\nelement = "PID-10"\nhandling = "drop"\nwhy = "site"\n'
        '[[handling]]\nelement = "PID-10.1"\nhandling = "hold"\nwhy = "site"\n'
    )
    own = compile_policy(shipped, profile(text), vocabulary)
    assert Handling.HOLD is own.verdict("hl7v2", "PID-10.1", "CE.1").handling
    assert Handling.DROP is own.verdict("hl7v2", "PID-10.2", "CE.2").handling
    assert Handling.KEEP is own.verdict("hl7v2", "PID-22.1", "CE.1").handling


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ('name = "x"\nunreadable = "pass"', 2, "unreadable must be 'drop' or 'hold'"),
        ('name = "x"\n[surrogates]\ndates = "fuzzy"', 3, "dates cannot be 'fuzzy'"),
        ('name = "x"\n[surrogates]\ncolour = "red"', 3, "unknown option 'colour'"),
        ('name = "x"\n[surrogates]\nera = "now"', 3, "era must be a year"),
        ('name = "x"\n[surrogates]\nshift_days = { min = 9, max = 3 }', 3, "no shift satisfies"),
        (
            'name = "x"\n[surrogates]\ndates = "year"\nshift_days = { min = 1 }',
            3,
            "dates = 'year'",
        ),
        (
            'name = "x"\nclaims = "safe-harbor"\n[surrogates]\ndates = "shift"',
            4,
            "safe-harbor needs dates",
        ),
        ('name = "x"\nclaims = "gdpr"', 2, "the only claim"),
        ('name = "x"\nshade = 1', 2, "unknown key 'shade'"),
        (
            'name = "x"\n[[handling]]\npart = "toe"\nhandling = "drop"\nwhy = "y"',
            2,
            "an unknown part",
        ),
        ('name = "x"\n[[handling]]\nhandling = "drop"\nwhy = "y"', 2, "an override needs"),
        (
            'name = "x"\n[[handling]]\nlabel = "NOSE"\nhandling = "drop"\nwhy = "y"',
            2,
            "unknown label",
        ),
        (
            'name = "x"\n[[handling]]\npart = "id"\nhandling = "surrogate"\nwhy = "y"',
            2,
            "handling must be keep",
        ),
        ('about = "nameless"', 1, "a profile needs a name"),
    ],
)
def test_a_profile_that_cannot_be_honoured_refuses_to_start(
    shipped, vocabulary, text, line, problem
):
    """The error names file and line, and what is wrong."""
    with pytest.raises(RuleError) as refused:
        compile_policy(shipped, profile(text), vocabulary)
    assert refused.value.problem.startswith(problem)
    assert f"p.toml:{line}" == refused.value.place


def test_safe_harbor_cannot_keep_identifiers(shipped, profiles, vocabulary):
    """A claim of safe harbor with an override that keeps telephones is refused."""
    text = profiles["safe-harbor"].text
    text += '[[handling]]\nlabel = "PHONE"\nhandling = "keep"\nwhy = "they asked"\n'
    with pytest.raises(RuleError, match="safe-harbor must not keep identifiers"):
        compile_policy(shipped, profile(text), vocabulary)


@pytest.mark.parametrize(("said", "meant"), [("", 0.95), ("recall = 0.99\n", 0.99)])
def test_recall_is_the_profiles(said, meant):
    """What learned models aim at is said by the profile, 0.95 unless it does."""
    assert meant == compile_profile(profile(f'name = "p"\n{said}')).recall


def test_recall_no_model_knows_is_refused():
    """A recall without a threshold is named with its line."""
    with pytest.raises(RuleError, match=r"p\.toml:2.*recall must be one of 0\.95, 0\.98, 0\.99"):
        compile_profile(profile('name = "p"\nrecall = 0.5\n'))
