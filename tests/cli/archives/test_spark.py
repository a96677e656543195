"""The command ``spark``: what it refuses, and what it says of Spark's failures."""

from __future__ import annotations

import sys

import pytest
from typer.testing import CliRunner

from adapter.cli import app
from adapter.cli.archives.spark import failure
from adapter.errors import RuleError


def test_without_pyspark_it_names_the_extra(tmp_path, monkeypatch):
    """A machine without PySpark is told which extra is needed."""
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    config = tmp_path / "adapter.toml"
    config.write_text("")
    done = CliRunner().invoke(app, ["spark", "in", "--out", "out", "--config", str(config)])
    assert isinstance(done.exception, RuleError)
    assert "needs the extra 'spark'" in str(done.exception)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("... adapter.errors.SparkError: spark/duplicate\n at org...", "spark/duplicate"),
        ("SparkError: spark/Quellbrunn", "spark: failed (ValueError); see Spark's own logs"),
        ("Quellbrunn", "spark: failed (ValueError); see Spark's own logs"),
    ],
)
def test_of_a_failure_its_code_is_told(text, said):
    """Of what Spark says, a known code is repeated and nothing else."""
    assert said == str(failure(ValueError(text)))
