"""The shipped tables compiled once, and a patient to cast."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest

from adapter.fields import Rules
from adapter.fields.publishers import compile_publishers
from adapter.surrogates import Key, SurrogateOptions, Surrogates, compile_surrogates
from adapter.types import Entity, Extraction, Label, Span
from tests.wording import WORDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECRET = b"a secret for tests, 32 bytes long"


@pytest.fixture(scope="session")
def tables(repository: Path) -> dict[str, tuple[str, ...]]:
    """Lines of every shipped table by name."""
    folders = (repository / "rules" / "surrogates").iterdir()
    return {f.name: tuple((f / "items.txt").read_text("utf-8").splitlines()) for f in folders}


@pytest.fixture(scope="session")
def key() -> Key:
    """A key of one domain."""
    return Key("test", SECRET)


@pytest.fixture(scope="session")
def publishers(repository: Path) -> dict[str, frozenset[str]]:
    """The shipped lists of publishers."""
    file = repository / "rules" / "fields" / "publishers.toml"
    text = file.read_text("utf-8")
    return compile_publishers([Rules(file.name, text, tomllib.loads(text))])


@pytest.fixture(scope="session")
def surrogates(
    tables: dict[str, tuple[str, ...]], key: Key, publishers: dict[str, frozenset[str]]
) -> Surrogates:
    """The shipped tables under the test key with the options of the research profile."""
    return compile_surrogates(tables, WORDS, key, SurrogateOptions(), publishers)


@pytest.fixture(scope="session")
def patient() -> Entity:
    """A patient of over 89 with a compound alias."""
    return Entity(
        "patient",
        "patient",
        Label.PATIENT,
        "id:4088213",
        (
            ("id", "40-88-213"),
            ("family", "Lindqvist"),
            ("given", "Halvard"),
            ("middle", "N"),
            ("family", "de la Cruz-Bell"),
            ("birthdate", "19300218"),
            ("street", "12 Autumn Hill Rd Apt 4B"),
            ("city", "Two Harbors"),
            ("state", "MN"),
            ("zip", "55616"),
        ),
        "M",
    )


@pytest.fixture(scope="session")
def extraction(patient: Entity) -> Extraction:
    """The patient, a relative, a doctor and a hospital."""
    kin = Entity(
        "kin:1", "kin", Label.PATIENT, "name:lindqvist|maren",
        (("family", "LINDQVIST"), ("given", "MAREN")),
    )  # fmt: skip
    doctor = Entity(
        "attending:1", "attending", Label.DOCTOR, "name:raghunathan|priyanka",
        (("family", "Raghunathan"), ("given", "Priyanka")),
    )  # fmt: skip
    hospital = Entity(
        "facility:1", "facility", Label.HOSPITAL, "org:tamarack",
        (("org", "Tamarack Regional Medical Center"),),
    )  # fmt: skip
    entities = (patient, kin, doctor, hospital)
    return Extraction(entities, (), {}, patient.identity, "20241106")


@pytest.fixture
def render(surrogates: Surrogates, extraction: Extraction) -> Callable[..., str | None]:
    """What renders a whole text as one mention of a label, an entity and a form."""
    renderer = surrogates.renderer(extraction, frozenset())

    def run(
        text: str,
        label: Label,
        entity: str | None = None,
        form: str | None = None,
        source: str = "phrases",
    ) -> str | None:
        return renderer.render(text, Span(0, len(text), label, source, 1.0, 0, entity, form))

    return run
