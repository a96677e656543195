"""What the field policy's tests share: the shipped rules, the vocabulary, a compiled policy."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from adapter.fields import Rules, Vocabulary, compile_policy

RULES = Path(__file__).resolve().parents[2] / "rules"


def read(path: Path) -> Rules:
    """One rule file of the product."""
    text = path.read_text("utf-8")
    return Rules(path.relative_to(RULES).as_posix(), text, tomllib.loads(text))


def overlay(text: str, name: str = "site.toml") -> Rules:
    """A site's own rule file."""
    return Rules(name, text, tomllib.loads(text), overlay=True)


@pytest.fixture(scope="session")
def shipped() -> list[Rules]:
    """The product's rule files for fields."""
    return [read(path) for path in sorted((RULES / "fields").rglob("*.toml"))]


@pytest.fixture(scope="session")
def profiles() -> dict[str, Rules]:
    """The product's profiles by name."""
    return {path.stem: read(path) for path in sorted((RULES / "profiles").glob("*.toml"))}


@pytest.fixture(scope="session")
def hl7_tables() -> dict:
    """The generated HL7 v2 tables."""
    return json.loads((RULES / "schema" / "hl7v2.json").read_text("utf-8"))


@pytest.fixture(scope="session")
def vocabulary(hl7_tables) -> Vocabulary:
    """What the generated tables know."""
    paths = sorted((RULES / "schema").glob("fhir-*.json"))
    return Vocabulary.of(hl7_tables, [json.loads(path.read_text("utf-8")) for path in paths])


@pytest.fixture(scope="session")
def build(shipped, profiles, vocabulary):
    """Compiles the product's rules with a site's files, under a profile."""

    def compiled(*sites: str, profile: str = "research"):
        files = [*shipped, *(overlay(text, f"site-{n}.toml") for n, text in enumerate(sites, 1))]
        return compile_policy(files, profiles[profile], vocabulary)

    return compiled


@pytest.fixture(scope="session")
def policy(build):
    """The product's policy with the research profile."""
    return build()
