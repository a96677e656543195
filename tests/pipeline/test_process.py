"""The product on one page: what is released, what is held, what goes with a record."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.normalize.folding import squeeze
from adapter.pipeline.examining import examine
from adapter.pipeline.opening import codec_for
from adapter.pipeline.process import process
from adapter.rules.compile import load_ruleset
from adapter.rules.folder import shipped
from adapter.types import Handling, Hold, Label, Position, Record, Release
from tests.bench.messages import ADT, ORU
from tests.corpus import runs
from tests.corpus.runs import KEY, ruleset

HERE = Position("in", 0, 0)


@pytest.fixture(scope="module")
def rules():
    """The shipped rules under a fixed key."""
    return ruleset()


def released(raw, rules, **others):
    """The released bytes of a message."""
    outcome = process(Record(raw, HERE, **others), rules)
    assert isinstance(outcome, Release), outcome
    return outcome.value


def test_field_and_text_agree(rules):
    """The surrogate of PID-5 stands in the note, also where the note misspells the name."""
    lines = released(ORU, rules).decode().split("\r")
    pid = next(line for line in lines if line.startswith("PID")).split("|")
    family, given = pid[5].split("^")[:2]
    note = "\n".join(line.split("|")[5] for line in lines if line.startswith("OBX"))
    assert f"Name: {family}, {given}" in note
    assert f"Mr {family} wants" in note
    assert "Lindgren" not in note
    assert "Lingdren" not in note
    assert squeeze(pid[3].split("^")[0]) in squeeze(note)


def test_dates_of_a_patient_move_together(rules):
    """Admission and discharge of one message keep their distance, and times of day stay."""
    before, after = ORU.decode(), released(ORU, rules).decode()
    days = [re.findall(r"\d{8}(?=\d{4,6})", text) for text in (before, after)]
    assert len(days[0]) == len(days[1]) > 3
    assert [d[-2:] for d in re.findall(r"\d{12}", before)] == [
        d[-2:] for d in re.findall(r"\d{12}", after)
    ]
    assert days[0] != days[1]


def test_same_bytes_same_outcome(rules):
    """Processing is a function of record, rules and key."""
    record = Record(ORU, HERE, b"k1")
    assert process(record, rules) == process(record, load_ruleset(runs.settings()))


def test_tombstone_passes_with_its_key_replaced(rules):
    """A tombstone is released as one, under the surrogate of its key."""
    outcome = process(Record(None, HERE, b"40088213"), rules)
    value = released(ADT, rules).decode()
    assert isinstance(outcome, Release)
    assert outcome.value is None
    assert outcome.key.decode() in value


def test_key_agrees_with_the_number_in_the_message(rules):
    """A record keyed by the MRN is released under the surrogate MRN, so topics stay joinable."""
    outcome = process(Record(ADT, HERE, b"40088213"), rules)
    mrn = outcome.value.decode().split("PID|1||")[1].split("^")[0]
    assert mrn.encode() == outcome.key


def test_only_listed_headers_pass(rules):
    """Headers are left out unless the settings name them."""
    headers = (("patient", b"Lindgren"), ("Content-Type", b"hl7"))
    outcome = process(Record(ADT, HERE, None, headers), rules)
    assert outcome.headers == (("Content-Type", b"hl7"),)


@pytest.mark.parametrize(
    ("raw", "hold"),
    [
        (b"", Hold("decode", "empty")),
        (b" \r\n", Hold("decode", "empty")),
        (b"hello", Hold("decode", "unknown-format")),
        (b'{"resourceType": "Patient"', Hold("decode", "not-json")),
        (b'{"a": 1}', Hold("decode", "not-fhir")),
        (b"MSH|^~\\&|A\rPID|1\xff\xfe\r", None),
    ],
)
def test_what_is_not_understood_is_held(rules, raw, hold):
    """Bytes that are no message are held with a reason, never released as they are."""
    outcome = process(Record(raw, HERE), rules)
    if hold is None:
        assert isinstance(outcome, Hold | Release)
    else:
        assert outcome == hold


class Faulty:
    """A tagger with a defect, whose exception quotes the text."""

    trusting = False

    def tag(self, document, phrases):
        """Fail."""
        del phrases
        raise ValueError(document.text)


def faulty(rules, **changed):
    """The ruleset with every language changed."""
    languages = {code: replace(language, **changed) for code, language in rules.languages.items()}
    return replace(rules, languages=languages)


@pytest.mark.parametrize(
    ("changed", "hold"),
    [
        ({"taggers": (Faulty(),)}, Hold("tag", "failed")),
        ({"options": Ellipsis}, Hold("resolve", "failed")),
    ],
)
def test_a_stage_with_a_defect_holds_the_message_by_its_name(rules, changed, hold):
    """What nobody expected of taggers or of resolution is held as their failure."""
    assert hold == process(Record(ORU, HERE), faulty(rules, **changed))


def test_several_messages_in_one_record(rules):
    """A batch in one record is released whole; one bad message of it holds the whole record."""
    good = released(ADT + ORU, rules)
    assert good.count(b"MSH|") == 2
    outcome = process(Record(ADT + b"MSH|^~\\&|A|||||||||||||||KLINGON\r", HERE), rules)
    assert isinstance(outcome, Hold)


def test_an_unknown_segment_is_emptied(rules):
    """Z segments nobody listed keep their separators and nothing else."""
    raw = ADT + b"ZPI|1|Lindgren Halvar|secret^note\r"
    last = released(raw, rules).decode().strip("\r").split("\r")[-1]
    assert last == "ZPI|||^"


def test_a_kept_place_is_swept(rules):
    """A name in a place whose codes are kept is replaced there too."""
    raw = ADT.replace(b"I50.23^Acute", b"I50.23^Lindgren Halvar, Acute")
    assert b"Lindgren" not in released(raw, rules)


def test_a_mention_that_a_line_break_parts_is_one(rules):
    """Rows broken at one width are read as they were written, and stay rows."""
    rows = (
        "Patient is a pleasant right handed gentleman who is well known to us and",
        "was last seen in the office here by our colleague Dr. Theodora",
        "Vandenberg, who asked him to come back here once more next year, on July",
        "21, 2023 and felt well then. He walks without a cane again. He will",
        "come back to see us in a year or sooner if he has any trouble walking.",
    )
    raw = ADT + b"".join(b"NTE|%d||%s\r" % (n, row.encode()) for n, row in enumerate(rows, 1))
    examined = examine(codec_for(raw, rules), raw, rules)
    note = next(s for s in examined.message.segments if s.path == "NTE[1..5]-3")
    found = {note.text[span.start : span.end] for span in examined.spans[note.path]}
    assert {"Theodora\nVandenberg", "July\n21, 2023"} <= found
    new = [line.split("|")[3] for line in released(raw, rules).decode().split("\r")[-6:-1]]
    assert (rows[0], rows[4]) == (new[0], new[4])
    assert re.fullmatch(r"was last seen in the office here by our colleague Dr. \w+", new[1])
    assert re.fullmatch(r"\w+, who asked him to come back here once more next year, on \w+", new[2])
    assert re.match(r"\d+, 20\d\d and felt well then\. He walks", new[3])


def test_counts_tell_label_and_source(rules):
    """A release counts its mentions by label and source."""
    outcome = process(Record(ORU, HERE), rules)
    counts = dict(outcome.counts)
    assert counts["MEDICALRECORD/phrase"] >= 1
    assert counts["PATIENT/variant"] >= 1
    assert all("/" in name and n > 0 for name, n in counts.items())


def test_held_by_policy(rules):
    """A place whose action is hold holds the message with fields/held-by-policy."""

    class Holding:
        def action(self, form, segment):
            action = rules.policy.action(form, segment)
            return replace(action, handling=Handling.HOLD) if segment.path == "PID-8" else action

    outcome = process(Record(ADT, HERE), replace(rules, policy=Holding()))
    assert outcome == Hold("fields", "held-by-policy")


NAMES = st.text("abcdefghijklmnopqrstuvwxyz", min_size=5, max_size=9).map(str.title)


@settings(max_examples=60, deadline=None)
@given(family=NAMES, given=NAMES, number=st.integers(10**6, 10**9 - 1))
def test_no_real_value_survives_and_no_surrogate_is_one(rules, family, given, number):
    """Whatever the patient is called, no real name or number is left, and no surrogate is real."""
    raw = ORU.replace(b"Lindgren", family.encode()).replace(b"Halvar", given.encode())
    raw = raw.replace(b"40088213", str(number).encode())
    outcome = process(Record(raw, HERE), rules)
    if isinstance(outcome, Hold):
        assert outcome.stage in ("leak", "surrogate")
        return
    words = set(re.findall(r"[^\W\d_]+", outcome.value.decode().casefold()))
    known = rules.languages["en"].words
    ordinary = known.ordinary | known.medical
    assert {family.casefold(), given.casefold()} & words <= ordinary
    assert str(number) not in outcome.value.decode()


PIECES = ("seen", "Mr", "Lindgren", "H.", "LINDGREN,", "with")


@settings(max_examples=40, deadline=None)
@given(
    words=st.lists(
        st.sampled_from(["seen", "Mr", "Lindgren", "H.", "LINDGREN,", "with"]), max_size=8
    )
)
def test_spans_stay_inside_and_apart(rules, words):
    """Spans of every segment are sorted, disjoint and inside the text."""
    note = " ".join(words).encode()
    raw = ORU.replace(b"3. Creatinine 2.1 at its worst", note)
    examined = examine(codec_for(raw, rules), raw, rules)
    texts = {segment.path: segment.text for segment in examined.message.segments}
    for path, spans in examined.spans.items():
        ends = [(span.start, span.end) for span in spans]
        assert ends == sorted(ends)
        assert all(a[1] <= b[0] for a, b in pairwise(ends))
        assert all(0 <= start < end <= len(texts[path]) for start, end in ends)
        assert all(span.label in Label for span in spans)


ZORISH = """\
codes = ["qx"]
words = "zor blim krat flen"
"""
ZOR = """\
family = "codes"
[[pattern]]
name = "zor"
starts = ["zor"]
regex = "zor[ ](?P<phi>[a-z]+)"
label = "CITY"
"""


@pytest.fixture(scope="module")
def two_languages(tmp_path_factory):
    """The shipped rules and a language of data alone, in which a city follows "zor"."""
    folder = shutil.copytree(shipped("rules"), tmp_path_factory.mktemp("two") / "rules")
    (folder / "patterns/qx").mkdir()
    for name, text in {"languages": ZORISH, "sections": "", "patterns/qx": ZOR}.items():
        file = folder / name / ("codes.toml" if name.endswith("/qx") else "qx.toml")
        file.write_text(text)
    rules = {"folder": folder, "languages": ("en", "qx")}
    return load_ruleset(load_settings(None, keys=KEY, rules=rules))


def cities(raw, rules):
    """Texts found to be cities by the made-up language."""
    examined = examine(codec_for(raw, rules), raw, rules)
    return [
        segment.text[span.start : span.end]
        for segment in examined.message.segments
        for span in examined.spans.get(segment.path, ())
        if span.source == "codes.zor"
    ]


HEAD = b"MSH|^~\\&|A|B|C|D|20240105||ORU^R01|2|P|2.5|||||||%b\rPID|1||8841277^^^H1^MR\r"


@pytest.mark.parametrize(
    ("said", "note", "found"),
    [
        (b"", b"seen in zor dalum", []),
        (b"qx", b"seen in zor dalum", ["dalum"]),
        (b"QX-1^Zorish", b"seen in zor dalum", ["dalum"]),
        (b"", b"krat zor dalum flen blim", ["dalum"]),
        (b"en", b"krat zor dalum flen blim", []),
        (b"xx", b"krat zor dalum flen blim", ["dalum"]),
    ],
)
def test_a_message_is_read_in_its_language(two_languages, said, note, found):
    """What MSH-19 says goes before the text's looks, and these before the first language."""
    raw = HEAD % said + b"OBX|1|TX|1^Note||%b||||||F\r" % note
    assert found == cities(raw, two_languages)


@pytest.mark.parametrize(("code", "agree"), [(b"de", True), (b"es", True), (b"en", False)])
def test_dates_are_written_as_in_the_messages_language(rules, code, agree):
    """A date in a German note is shifted like those of fields: the day stands first."""
    raw = (HEAD % code).partition(b"\r")[0] + (
        b"\rPID|1||778123^^^LKH^MR||Quast^Knut||19510312|M\r"
        b"OBX|1|TX|1^Note||Herr Knut Quast, am 05/04/2022 gesehen.||||||F\r"
    )
    outcome = process(Record(raw, Position("t", 0, 0)), rules)
    assert isinstance(outcome, Release)
    assert outcome.value is not None
    _, patient, note = outcome.value.decode().rstrip("\r").split("\r")
    born = patient.split("|")[7]
    shift = date.fromisoformat(born) - date(1951, 3, 12)
    assert agree is (f"{date(2022, 4, 5) + shift:%d/%m/%Y}" in note)


def test_resources_of_a_bundle_are_read_in_their_own_languages(two_languages):
    """Each resource that says its language is read in it; equal texts may be read differently."""
    entries = ",".join(
        f'{{"resource":{{"resourceType":"Communication","status":"completed",{language}'
        f'"payload":[{{"contentString":"{text}"}}]}}}}'
        for language, text in (
            ('"language":"qx",', "zor dalum"),
            ('"language":"en",', "zor dalum"),
            ("", "zor dalo"),
        )
    )
    raw = f'{{"resourceType":"Bundle","type":"collection","entry":[{entries}]}}'.encode()
    assert ["dalum"] == cities(raw, two_languages)


def test_phrases_are_those_of_the_messages_language(two_languages):
    """A name that is also a word of English is trusted alone in a message of another language."""
    person = HEAD.replace(b"MR\r", b"MR||PAIN^QUORBIN\r")
    note = b"OBX|1|TX|1^Note||flen pain||||||F\r"
    found = {}
    for said in (b"en", b"qx"):
        raw = person % said + note
        found[said] = examine(codec_for(raw, two_languages), raw, two_languages).spans
    assert [b"qx"] == [said for said, spans in found.items() if "OBX-5" in spans]


def test_recall_and_models_are_in_the_digest(tmp_path):
    """The digest changes with the recall asked for and with a configured language's model."""
    (tmp_path / "en").mkdir()

    def digest(recall):
        rules = {"models": tmp_path, "recall": recall, "languages": ["en"]}
        chosen = load_settings(None, keys=KEY, rules=rules, transport="files")
        return load_ruleset(chosen).digest

    result = [digest(0.98), digest(0.99)]
    (tmp_path / "en" / "names.crf").write_bytes(b"weights")
    result.append(digest(0.98))
    assert 3 == len(set(result))


def test_a_folder_of_models_that_is_none_is_refused(tmp_path):
    """The setting is named."""
    with pytest.raises(RuleError, match=r"rules\.models"):
        load_ruleset(load_settings(None, keys=KEY, rules={"models": tmp_path / "none"}))
