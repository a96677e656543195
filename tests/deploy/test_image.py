"""The image: what its Dockerfile installs, and from which locks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKED = ROOT / "deploy" / "locked"
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")


def pins(lock: str) -> dict[str, set[str]]:
    """Versions by package of a lock file."""
    found: dict[str, set[str]] = {}
    text = (LOCKED / f"{lock}.txt").read_text("utf-8")
    for name, version in re.findall(r"^([a-z0-9._-]+)==([^\s;]+)", text, re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


def test_every_stage_has_the_one_base_image():
    """All stages are of the one image whose digest the source names."""
    assert set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)) == {"${PYTHON_IMAGE}", "build"}
    image = r"^ARG PYTHON_IMAGE=python:3\.\d+\.\d+-slim-\w+@sha256:[0-9a-f]{64}$"
    assert re.search(image, DOCKERFILE, re.MULTILINE)


def test_the_build_stage_has_no_development_packages():
    """What builds the wheel is the build backend and what it needs."""
    assert "dev.txt" not in DOCKERFILE
    assert set(pins("build")) == {
        *("hatchling", "packaging", "pathspec", "pluggy", "tomlkit", "trove-classifiers")
    }


def test_the_image_can_open_a_vault_in_postgresql():
    """The extra postgres is among the locked dependencies of the image, with its own libpq."""
    assert {"psycopg", "psycopg-binary"} <= set(pins("run"))


def test_the_image_can_listen_for_http():
    """The extra http is among the locked dependencies of the image."""
    assert {"starlette", "uvicorn"} <= set(pins("run"))


@pytest.mark.parametrize("lock", ["run", "build", "sbom", "deploy", "train", "docs"])
def test_no_lock_differs_from_that_of_development(lock):
    """What is tested is what is installed."""
    tested = pins("dev")
    assert {} == {
        name: versions
        for name, versions in pins(lock).items()
        if name in tested and versions != tested[name]
    }


def test_the_bill_of_materials_is_made_of_what_the_image_has():
    """It is made of the environment that is copied, by locked tools that are not."""
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"cyclonedx-py environment [^&]+ /opt/adapter/bin/python\n", DOCKERFILE)
    assert re.findall(r"COPY --from=(\S+) (\S+)", last) == [
        ("build", "/opt/adapter"),
        ("sbom", "/sbom.cdx.json"),
    ]
