"""Labels of what was done: which formats get one, and that an untrue one refuses to start."""

from __future__ import annotations

import tomllib

import pytest

from adapter.errors import RuleError
from adapter.fields import Rules
from adapter.fields.labels import compile_labels
from adapter.types import SecurityLabel


def rules(text: str, name: str = "p.toml") -> Rules:
    """A rule file of the given text."""
    return Rules(name, text, tomllib.loads(text))


@pytest.mark.parametrize(
    ("profile", "code"),
    [
        ("research", "PSEUDED"),
        ("gdpr-pseudonymised", "PSEUDED"),
        ("safe-harbor", "PSEUDED"),
        ("limited-dataset", "REDACTED"),
    ],
)
def test_shipped_profiles_label_fhir_alone(build, profile, code):
    """FHIR says what was done, HL7 v2 only where a site wants it."""
    assert build(profile=profile).labels == {"fhir": SecurityLabel(code, "meta.security")}


def test_a_site_opens_a_field_or_shuts_one(build):
    """A site's file goes before the profile: HL7 v2 opened, FHIR shut."""
    site = 'format = "labels"\nhl7v2 = "MSH-8"\nfhir = false\n'
    assert build(site).labels == {"hl7v2": SecurityLabel("PSEUDED", "MSH-8")}


def test_no_labels_where_none_are_asked_for():
    """A profile without the table labels nothing."""
    assert compile_labels(rules('format = "profile"\n'), ()) == {}


@pytest.mark.parametrize(
    ("table", "line", "problem"),
    [
        ('code = "ANONYED"\nfhir = "meta.security"', 2, "would be untrue"),
        ('code = "MASKED"', 2, "would be untrue"),
        ('code = "NOFORN"', 2, "no such code"),
        ("code = 7", 2, "no such code"),
        ('code = ["PSEUDED"]', 2, "no such code"),
        ('code = "PSEUDED"\nfhir = "meta.tag"', 3, "must be "),
        ('code = "PSEUDED"\nhl7v2 = "PID-8"', 3, "must be "),
        ('code = "PSEUDED"\nhl7v2 = ["MSH-8"]', 3, "must be "),
        ('code = "PSEUDED"\ntext = "end"', 3, "no labels for 'text'"),
        ('fhir = "meta.security"', 2, "a label needs a code"),
    ],
)
def test_what_cannot_be_honoured_refuses_to_start(table, line, problem):
    """An untrue code, an unknown place or format, or no code is refused, by its line."""
    with pytest.raises(RuleError, match=problem) as caught:
        compile_labels(rules(f"[labels]\n{table}\n"), ())
    assert caught.value.place == f"p.toml:{line}"


def test_labels_that_are_no_table_are_refused():
    """The profile's entry is named."""
    with pytest.raises(RuleError, match="a table"):
        compile_labels(rules("labels = 7\n"), ())


def test_a_sites_mistake_is_placed_in_its_file():
    """The error says the site's own file and line."""
    site = rules('format = "labels"\nhl7v2 = "ZZZ-1"\n', "our-labels.toml")
    with pytest.raises(RuleError, match="must be ") as caught:
        compile_labels(rules('[labels]\ncode = "PSEUDED"\n'), (site,))
    assert caught.value.place == "our-labels.toml:2"
