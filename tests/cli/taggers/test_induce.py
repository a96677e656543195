"""``deid-adapter induce``: seeds and texts in, terms for review out."""

from __future__ import annotations

import json
import stat
import tomllib

import pytest

from adapter.errors import RuleError
from adapter.methods.induction.seeds import key_of
from tests.methods.induction.letters import ACRONYM, NAMES, SEEDS, TOWNS, letters

pytestmark = pytest.mark.every_language

SEED_LINES = "".join(f"{name}\t{term}\n" for name in SEEDS.terms for term in SEEDS.terms[name])


@pytest.fixture
def induce(invoke, tmp_path):
    """Runs the command over letters as JSON lines; gives its folder and result."""

    def run(*options, texts=None, seeds=SEED_LINES):
        (tmp_path / "seeds.tsv").write_text(seeds, "utf-8")
        corpus = tmp_path / "notes.jsonl"
        lines = [json.dumps({"id": "1", "text": text}) for text in letters()]
        corpus.write_text("\n".join(lines if texts is None else texts), "utf-8")
        out = tmp_path / "out"
        result = invoke(
            "induce", corpus, "--seeds", tmp_path / "seeds.tsv", "-o", out, "--lang", "es", *options
        )
        if result.exception is not None:
            raise result.exception
        return out, result

    return run


def contents(folder):
    """Every file below a folder."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def test_tables_lexicons_and_provenance_come_out(induce):
    """Terms with their contexts, a lexicon a class, patterns, and what it all follows from."""
    out, _ = induce()
    rows = [line.split("\t") for line in (out / "terms.tsv").read_text("utf-8").splitlines()]
    assert rows[0][:2] == ["class", "term"]
    assert {"city", "facility", "person"} == {row[0] for row in rows[1:]}
    assert key_of(TOWNS[9]) in {row[1] for row in rows}
    items = (out / "lexicons/es-induced-facility-acronyms/items.txt").read_text("utf-8")
    assert items == f"{ACRONYM.lower()}\n"
    source = tomllib.loads((out / "lexicons/es-induced-city/source.toml").read_text("utf-8"))
    provenance = tomllib.loads((out / "provenance.toml").read_text("utf-8"))
    assert source["corpus"] == provenance["corpus"]
    assert provenance["texts"] == "120"
    assert {"seeds", "words", "rounds", "least_context"} <= provenance.keys()
    assert tomllib.loads((out / "patterns/es/induced.toml").read_text("utf-8"))["pattern"]


def test_files_are_their_owners_alone(induce):
    """Terms are protected text: files have mode 0600, folders 0700, before and after."""
    for _ in range(2):
        out, _ = induce()
        for path in [out, *out.rglob("*")]:
            mode = stat.S_IMODE(path.stat().st_mode)
            assert mode == (0o700 if path.is_dir() else 0o600), path


def test_nothing_of_the_texts_is_shown(induce):
    """The terminal has counts by class."""
    _, result = induce()
    shown = result.stdout + result.stderr
    assert "120 texts" in shown
    assert not any(word in shown for name in (*NAMES, *TOWNS) for word in name.split())


def test_the_same_input_gives_the_same_bytes(induce):
    """Running twice writes the same files."""
    first = contents(induce()[0])
    assert first == contents(induce()[0])


def test_lexicons_of_a_former_run_go_and_exceptions_stay(induce):
    """A class that has no terms any more has no lexicon; what a person wrote beside it stays."""
    out, _ = induce()
    exceptions = out / "lexicons/es-induced-city/exceptions.txt"
    exceptions.write_text("brozas\n", "utf-8")
    induce(
        seeds="".join(
            line for line in SEED_LINES.splitlines(keepends=True) if not line.startswith("city")
        )
    )
    assert not (out / "lexicons/es-induced-city/items.txt").exists()
    assert exceptions.exists()
    assert (out / "lexicons/es-induced-person/items.txt").exists()


def test_folders_and_plain_texts_are_read(induce, invoke, tmp_path):
    """Texts as files of a folder give what JSON lines give."""
    out, _ = induce()
    expected = (out / "terms.tsv").read_bytes()
    folder = tmp_path / "texts"
    folder.mkdir()
    for number, text in enumerate(letters()):
        (folder / f"{number:03}.txt").write_text(text, "utf-8")
    result = invoke(
        "induce", folder, "--seeds", tmp_path / "seeds.tsv", "-o", tmp_path / "more", "--lang", "es"
    )
    assert result.exit_code == 0
    assert expected == (tmp_path / "more" / "terms.tsv").read_bytes()


@pytest.mark.parametrize(
    ("options", "texts", "seeds", "what"),
    [
        ((), ['{"text": "Ana"}', "Ana Soler"], SEED_LINES, "notes.jsonl:2"),
        ((), ['{"text": 7}'], SEED_LINES, "notes.jsonl:1"),
        ((), None, "city Brozas\n", "seeds.tsv:1"),
        (("--lang", "xx"), None, SEED_LINES, "no rules for language"),
    ],
)
def test_what_is_wrong_is_said_without_text(induce, options, texts, seeds, what):
    """File and line are named; nothing they hold is."""
    with pytest.raises(RuleError, match=what) as error:
        induce(*options, texts=texts, seeds=seeds)
    assert "Soler" not in str(error.value)
    assert "Brozas" not in str(error.value)
