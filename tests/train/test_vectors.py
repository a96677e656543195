"""The file of vectors is built from GloVe's lines or from JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from adapter.errors import RuleError
from adapter.taggers.neural.vectors import Vectors
from adapter.train.command import command_of
from adapter.train.vectors import build, chosen

ROWS = {"the": [1.0, 2.0], "12": [9.0, 9.0], "León": [3.0, 4.0], "leon": [5.0, 5.0], "x-y": [9, 9]}


def built(path, *said):
    """The vectors that the command writes from a file."""
    out = path.with_name("vectors.bin")
    given = [str(path), "-o", str(out), *said]
    CliRunner().invoke(command_of(build), given, catch_exceptions=False)
    return Vectors.read(out.read_bytes())


def test_lines_and_json_give_the_same(tmp_path):
    """Words of letters, folded; the first of two that fold alike counts."""
    lines, table = tmp_path / "glove.txt", tmp_path / "vectors.json"
    lines.write_text("".join(f"{word} {a} {b}\n" for word, (a, b) in ROWS.items()))
    vectors = {word: [*row, 77, 1] for word, row in ROWS.items()}
    table.write_text(json.dumps({"dimensions": 2, "words": list(ROWS), "vectors": vectors}))
    for source in (lines, table):
        found = built(source)
        assert [b"leon", b"the"] == found.words.tolist()
        np.testing.assert_allclose(found.shown(found.rows(["the", "leon"])), [[1, 2], [3, 4]])
    assert [b"the"] == built(lines, "--words", "1").words.tolist()


@pytest.mark.parametrize("rows", [{}, {"12": [1, 2]}, {"a": [1, 2], "b": [1, 2, 3, 4]}, {"a": [1]}])
def test_other_files_are_refused(rows):
    """Without words, or with vectors of several widths or an odd one."""
    with pytest.raises(RuleError):
        chosen(iter(rows.items()), 10)
