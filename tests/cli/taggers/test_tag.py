"""``deid-adapter tag``."""

from __future__ import annotations

import json
import shutil

import pytest

from adapter.cli.taggers.tag import _line
from adapter.errors import RuleError
from adapter.rules.folder import shipped
from adapter.types import Label, Span

pytestmark = pytest.mark.every_language

LINES = [
    {"id": 1, "text": "Seen by Dr. Wexcombe on 3/4/2021.", "lang": "en"},
    {"id": "b", "text": "No mention here."},
    {"id": "c", "text": "Zimmer slept.", "meta": {"patient_family": "Zimmer"}},
]


def jsonl(entries):
    """Lines of JSON, with a blank one among them."""
    return "\n\n".join(json.dumps(entry) for entry in entries) + "\n"


@pytest.fixture(scope="module")
def tagged(invoke, tmp_path_factory):
    """What comes of three lines."""
    folder = tmp_path_factory.mktemp("tag")
    (folder / "in.jsonl").write_text(jsonl(LINES))
    result = invoke("tag", folder / "in.jsonl", "-o", folder / "out.jsonl", "--header")
    assert 0 == result.exit_code
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


def test_a_line_for_each_line(tagged):
    """Ids come back in order, as they are; blank lines give none."""
    assert [1, "b", "c"] == [line["id"] for line in tagged]
    assert all(set(line) == {"id", "spans"} for line in tagged)


def test_spans_have_places_types_and_sources(tagged):
    """A span has start, end, type, source and score, and no text."""
    spans = tagged[0]["spans"]
    assert all(set(s) == {"start", "end", "type", "source", "score"} for s in spans)
    text = LINES[0]["text"]
    found = {(s["type"], text[s["start"] : s["end"]]) for s in spans}
    assert {("DOCTOR", "Wexcombe"), ("DATE", "3/4/2021")} == found
    assert all(s["type"] in set(Label) and 0 < s["score"] <= 1 for s in spans)


def test_a_text_without_mentions_has_no_spans(tagged):
    """The line is there, its list empty."""
    assert {"id": "b", "spans": []} == tagged[1]


def test_structured_fields_are_trusted_on_demand(tagged):
    """With --header the names of a line's meta are found where no rule finds them."""
    assert [(0, 6)] == [(s["start"], s["end"]) for s in tagged[2]["spans"]]


def test_standard_input_and_output(run_cli):
    """A hyphen stands for the standard streams."""
    ended = run_cli("tag", "-", "-o", "-", stdin=json.dumps(LINES[1]).encode())
    assert 0 == ended.returncode
    assert {"id": "b", "spans": []} == json.loads(ended.stdout)


@pytest.mark.parametrize("line", ['{"id": 1}', '{"id": 1, "text": 2}', "[1]", "nonsense", "\udcff"])
def test_a_bad_line_is_named_by_number(invoke, tmp_path, line):
    """What is no object with id and text is refused by file and line, its content not shown."""
    file = tmp_path / "in.jsonl"
    file.write_bytes((jsonl(LINES[1:2]) + line + "\n").encode("utf-8", "surrogateescape"))
    result = invoke("tag", file, "-o", tmp_path / "out.jsonl")
    assert isinstance(result.exception, RuleError)
    assert (f"{file}:2", "is not a JSON object with id and text") == (
        result.exception.place,
        result.exception.problem,
    )


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    """The shipped rules and a language that came with data alone; its name stands in settings."""
    folder = tmp_path_factory.mktemp("rules")
    copy = shutil.copytree(shipped("rules"), folder / "rules")
    (copy / "languages/qx.toml").write_text('codes = ["qx"]\nwords = "zor blim krat"\n')
    (copy / "sections/qx.toml").write_text("")
    (copy / "patterns/qx").mkdir()
    (copy / "patterns/qx/codes.toml").write_text(
        'family = "codes"\n[[pattern]]\nname = "zor"\nstarts = ["zor"]\n'
        'regex = "zor[ ](?P<phi>[a-z]+)"\nlabel = "CITY"\n'
    )
    card = folder / "models/qx/card.toml"
    card.parent.mkdir(parents=True)
    card.write_text('[source_labels]\nCITY = "TERRITORIO"\n')
    file = folder / "adapter.toml"
    file.write_text(
        '[rules]\nfolder = "rules"\nmodels = "models"\nlanguages = ["en", "qx"]\n'
        'taggers = ["patterns", "lexicons"]\n'
    )
    return file


@pytest.fixture
def tag_types(invoke, tmp_path):
    """The types found in a line."""

    def run(entry, *options):
        (tmp_path / "in.jsonl").write_text(jsonl([{"id": 1, **entry}]))
        result = invoke("tag", tmp_path / "in.jsonl", "-o", tmp_path / "out.jsonl", *options)
        if result.exception is not None:
            raise result.exception
        (line,) = (tmp_path / "out.jsonl").read_text().splitlines()
        return [span["type"] for span in json.loads(line)["spans"]]

    return run


@pytest.mark.parametrize(
    ("entry", "options"),
    [
        ({"text": "zor blim", "lang": "qx"}, ()),
        ({"text": "zor blim", "lang": "QX-01"}, ("--lang", "en")),
        ({"text": "zor blim"}, ("--lang", "qx")),
        ({"text": "krat blim krat zor blim"}, ()),
    ],
)
def test_a_line_is_read_in_its_language(tag_types, rules, entry, options):
    """The line's language goes before the option, and this before the text's looks."""
    assert ["CITY"] == tag_types(entry, *options, "-c", rules)


def test_a_language_need_not_be_configured(tag_types, rules):
    """Rules that are there are used where a line or the option names their language."""
    rules.with_name("other.toml").write_text('[rules]\nfolder = "rules"\n')
    found = tag_types({"text": "zor blim"}, "--lang", "qx", "-c", rules.with_name("other.toml"))
    assert ["CITY"] == found


def test_labels_of_the_source(tag_types, rules):
    """With --labels source a span has the type that the model's card says."""
    entry = {"text": "zor blim", "lang": "qx"}
    assert ["TERRITORIO"] == tag_types(entry, "--labels", "source", "-c", rules)
    english = {"text": "Seen by Dr. Wexcombe.", "lang": "en"}
    assert ["DOCTOR"] == tag_types(english, "--labels", "source", "-c", rules)


@pytest.mark.parametrize(
    ("names", "expected"), [(None, "DATE"), ({}, "FECHAS"), ({"DATE": "X"}, "FECHAS")]
)
def test_a_learned_span_says_its_own_type(names, expected):
    """What the model itself says goes before the table."""
    assert expected == _line(Span(0, 4, Label.DATE, "crf:FECHAS"), names)["type"]


@pytest.mark.parametrize(
    ("entry", "options", "place", "problem"),
    [
        ({"lang": "qq"}, (), "in.jsonl:1", "no rules for its language; "),
        ({}, ("--lang", "qq"), "--lang", "no rules for language 'qq'; "),
    ],
)
def test_an_unknown_language_is_refused(tag_types, entry, options, place, problem):
    """A language without rules is never tagged by another's."""
    with pytest.raises(RuleError) as refused:
        tag_types({"text": "x", **entry}, *options)
    assert refused.value.place.endswith(place)
    assert refused.value.problem.startswith(f"{problem}there are rules for ")


@pytest.mark.parametrize(("labels", "result"), [("ours", False), ("source", True)])
def test_what_only_the_source_has_is_told_as_its_own(tag_types, labels, result):
    """The sex of a patient is a mention of the Spanish model's corpus, and none of ours."""
    entry = {"text": "Informe clínico del paciente: Varón de 45 años.", "lang": "es"}
    found = tag_types(entry, "--labels", labels)
    assert result is ("SEXO_SUJETO_ASISTENCIA" in found)
    assert result is ("AGE" not in found)
    assert "OTHER" not in found


def test_a_recall_no_model_knows_is_refused(tag_types):
    """The settings' own bounds hold for the option."""
    with pytest.raises(RuleError, match=r"rules\.recall"):
        tag_types({"text": "x"}, "--recall", "0.5")


def test_the_texts_are_not_overwritten(invoke, tmp_path):
    """What is tagged is no output, and an error leaves what was there before."""
    texts = tmp_path / "in.jsonl"
    texts.write_text(jsonl(LINES))
    refused = invoke("tag", texts, "-o", texts)
    assert isinstance(refused.exception, RuleError)
    assert jsonl(LINES) == texts.read_text()
    texts.write_text(jsonl(LINES) + "{}\n")
    out = tmp_path / "out.jsonl"
    out.write_text("before")
    assert isinstance(invoke("tag", texts, "-o", out).exception, RuleError)
    assert ("before", 2) == (out.read_text(), len(list(tmp_path.iterdir())))


def test_nothing_is_shown_before_all_is_read(invoke, tmp_path):
    """A program that reads the standard output gets all lines or none."""
    texts = tmp_path / "in.jsonl"
    texts.write_text(jsonl(LINES) + "{}\n")
    refused = invoke("tag", texts, "-o", "-")
    assert isinstance(refused.exception, RuleError)
    assert not refused.stdout


@pytest.mark.parametrize("meta", [{"patient_given": 5}, ["Zimmer"], "Zimmer"])
def test_fields_that_are_no_texts_are_refused(invoke, tmp_path, meta):
    """The message names the line."""
    texts = tmp_path / "in.jsonl"
    texts.write_text(json.dumps({"id": "c", "text": "Zimmer slept.", "lang": "en", "meta": meta}))
    refused = invoke("tag", texts, "-o", tmp_path / "out.jsonl", "--header")
    assert isinstance(refused.exception, RuleError)
    assert "in.jsonl:1" in str(refused.exception)


def test_a_language_without_rules_is_refused_before_anything_is_read(invoke, tmp_path):
    """``--lang`` is checked although every line names its own language."""
    texts = tmp_path / "in.jsonl"
    texts.write_text(json.dumps({"id": "c", "text": "Slept.", "lang": "en"}))
    refused = invoke("tag", texts, "-o", tmp_path / "out.jsonl", "--lang", "xx")
    assert "--lang: no rules for language 'xx'" in str(refused.exception)
