"""``deid-adapter evaluate``."""

from __future__ import annotations

import json

import pytest

from adapter.errors import RuleError

TEXT = "Seen by Dr. Wexcombe on 3/4/2021 in Ulverton."
GOLD = [
    {
        "id": 1,
        "text": TEXT,
        "lang": "en",
        "spans": [
            {"start": 12, "end": 20, "type": "DOCTOR", "orig": "MEDICO"},
            {"start": 24, "end": 32, "type": "DATE", "orig": "FECHA"},
            {"start": 36, "end": 44, "type": "CITY", "orig": "LUGAR"},
        ],
        "extra_spans": [{"start": 0, "end": 4, "orig": "ACTO"}],
    },
    {"id": "b", "text": "No mention here.", "lang": "en", "spans": []},
]


def lines(file, *entries):
    """A file of JSON lines."""
    file.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return file


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Gold, a system that finds name and date, and one that finds the date only."""
    folder = tmp_path_factory.mktemp("evaluate")
    lines(folder / "gold.jsonl", *GOLD)
    name = {"start": 12, "end": 20, "type": "PATIENT", "source": "names", "score": 0.6}
    date = {"start": 24, "end": 32, "type": "DATE", "source": "dates", "score": 0.4}
    for file, spans in (("both", [name, date]), ("dates", [date])):
        lines(folder / f"{file}.jsonl", {"id": 1, "spans": spans}, {"id": "b", "spans": []})
    return folder


def test_scores_on_standard_output(invoke, files):
    """A Markdown report of what `tag` wrote, with no text of the corpus in it."""
    result = invoke("evaluate", files / "gold.jsonl", files / "dates.jsonl", "--errors")
    assert 0 == result.exit_code
    assert "# dates on gold.jsonl" in result.stdout
    assert "| entity strict | all | 1.000 | 0.333 | 0.500 | 0.385 | 0.714 | 1 | 0 | 2 |" in (
        result.stdout
    )
    assert "1\tmissing\t12\t20\tDOCTOR" in result.stdout
    assert "Wexcombe" not in result.stdout


def test_what_tag_writes_can_be_scored(invoke, files, tmp_path):
    """Both commands fit together."""
    assert 0 == invoke("tag", files / "gold.jsonl", "-o", tmp_path / "rules.jsonl").exit_code
    result = invoke("evaluate", files / "gold.jsonl", tmp_path / "rules.jsonl")
    assert (0, True) == (result.exit_code, "# rules on gold.jsonl" in result.stdout)


def test_a_folder_of_results(invoke, files, tmp_path):
    """Report, figures, errors and pictures; the page has the pictures inside."""
    out = tmp_path / "deep" / "out"
    result = invoke(
        "evaluate", files / "gold.jsonl", files / "both.jsonl", "--against",
        files / "dates.jsonl", "-o", out, "--confusion", "--curve", "--rounds", 9, "--seed", 1,
    )  # fmt: skip
    assert 0 == result.exit_code
    assert [
        "confusion.png", "curve.png", "errors.tsv", "report.html", "report.md", "scores.json",
    ] == sorted(file.name for file in out.iterdir())  # fmt: skip
    assert 2 == (out / "report.html").read_text().count("data:image/png;base64,")
    figures = json.loads((out / "scores.json").read_text())
    assert (9, None) == (figures["comparison"]["entity_f1"]["rounds"], figures["meddocan"])
    assert "both against dates" in (out / "report.md").read_text()
    assert str(out / "report.html") in result.stdout
    for file in out.glob("*.[hmjt]*"):
        assert "Wexcombe" not in file.read_text(), file.name


def test_text_is_shown_on_demand_only(invoke, files, tmp_path):
    """With --show-text the listing has the words."""
    for flags, shown in (((), False), (("--show-text",), True)):
        result = invoke(
            "evaluate", files / "gold.jsonl", files / "dates.jsonl", "-o", tmp_path, *flags
        )
        assert 0 == result.exit_code
        assert shown == ("Wexcombe" in (tmp_path / "errors.tsv").read_text())


def test_spans_below_the_threshold_are_left_out(invoke, files):
    """As if they had not been found."""
    result = invoke(
        "evaluate", files / "gold.jsonl", files / "dates.jsonl", "--threshold", 0.5, "--errors"
    )
    assert "1\tmissing\t24\t32\tDATE" in result.stdout


def test_official_scores_of_meddocan(invoke, files, tmp_path):
    """Types are the source's, and what the scheme leaves out counts."""
    spans = [
        {"start": 0, "end": 4, "type": "ACTO"},
        {"start": 24, "end": 32, "type": "FECHA"},
        {"start": 36, "end": 44, "type": "FECHA"},
    ]
    pred = lines(tmp_path / "p.jsonl", {"id": 1, "spans": spans}, {"id": "b", "spans": []})
    result = invoke("evaluate", files / "gold.jsonl", pred, "--meddocan")
    assert 0 == result.exit_code
    for row in (
        "| sub-track 1: NER offsets and type | 0.667 | 0.500 |",
        "| sub-track 2: sensitive spans, strict | 1.000 | 0.750 |",
        "| sub-track 2: sensitive spans, merged | 1.000 | 0.750 |",
    ):
        assert row in result.stdout


def test_systems_with_one_name_are_told_apart(invoke, files, tmp_path):
    """By their folders."""
    same = lines(tmp_path / "dates.jsonl", {"id": 1, "spans": []}, {"id": "b", "spans": []})
    result = invoke(
        "evaluate", files / "gold.jsonl", files / "dates.jsonl", "--against", same, "--rounds", 5
    )
    assert f"{files.name}/dates against {tmp_path.name}/dates" in result.stdout


def test_words_without_meaning_are_told(invoke, tmp_path):
    """What a source says it leaves out, in words not known here, counts, and a note says so."""
    gold = lines(tmp_path / "g.jsonl", GOLD[1] | {"meta": {"unlabelled": ["seasons"]}})
    pred = lines(tmp_path / "p.jsonl", {"id": "b", "spans": []})
    assert 'note: the mentions that "seasons" leaves out are unknown here' in (
        invoke("evaluate", gold, pred).stderr
    )


def test_bad_input_ends_with_status_2(run_cli, files, tmp_path):
    """One line says file, line and problem."""
    pred = lines(tmp_path / "p.jsonl", {"id": 1, "spans": []}, {"id": "zz", "spans": []})
    ended = run_cli("evaluate", files / "gold.jsonl", pred)
    assert (2, f"error: {pred}:2: has an id that is not in the gold\n") == (
        ended.returncode,
        ended.stderr.decode(),
    )
    ended = run_cli("evaluate", files / "gold.jsonl", tmp_path / "absent.jsonl")
    assert (2, f"error: {tmp_path / 'absent.jsonl'}: ") == (
        ended.returncode,
        ended.stderr.decode()[: len(str(tmp_path)) + len("error: /absent.jsonl: ")],
    )


def test_no_texts_no_scores(invoke, tmp_path):
    """An empty file is refused."""
    (tmp_path / "g.jsonl").write_text("")
    result = invoke("evaluate", tmp_path / "g.jsonl", tmp_path / "g.jsonl")
    assert isinstance(result.exception, RuleError)


def test_spans_of_any_score_count_without_a_threshold(invoke, files, tmp_path):
    """Scores may be logarithms; a threshold that is no number is refused."""
    date = {"start": 24, "end": 32, "type": "DATE", "score": -3.5}
    found = lines(tmp_path / "found.jsonl", {"id": 1, "spans": [date]}, {"id": "b", "spans": []})
    gold = files / "gold.jsonl"
    assert "1 predicted" in invoke("evaluate", gold, found).stdout
    assert "0 predicted" in invoke("evaluate", gold, found, "--threshold", 0).stdout
    assert isinstance(invoke("evaluate", gold, found, "--threshold", "nan").exception, RuleError)


def test_official_scores_of_our_labels_are_explained(invoke, files):
    """Predictions without any of the corpus's own types match no entity."""
    result = invoke("evaluate", files / "gold.jsonl", files / "dates.jsonl", "--meddocan")
    assert "none of the corpus's own types" in result.stderr


def test_predictions_that_do_not_exist_are_named(invoke, files, tmp_path):
    """The message is about the file."""
    result = invoke("evaluate", files / "gold.jsonl", tmp_path / "none.jsonl")
    assert "none.jsonl: does not exist" in str(result.exception)
