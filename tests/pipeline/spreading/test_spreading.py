"""What taggers find in one text is found in all other places of its message."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.pipeline.process import process
from adapter.pipeline.spreading import is_public
from adapter.taggers.trusted.discoveries import discoveries
from adapter.taggers.trusted.full_names import Evidence
from adapter.types import Label, Position, Record, Release, Span
from tests.corpus.runs import ruleset
from tests.wording import CUES


@pytest.fixture(scope="module")
def rules():
    """The shipped rules under a fixed key."""
    return ruleset()


def released(rules, *segments):
    """The segments of a released message, by their names."""
    raw = "\r".join(("MSH|^~\\&|LAB|HOSP|EHR|HOSP|20240314101500||ACK|MSG1|P|2.5.1", *segments))
    outcome = process(Record(raw.encode(), Position("in", 0, 0)), rules)
    assert isinstance(outcome, Release), outcome
    return {line[:3]: line for line in outcome.value.decode().split("\r")}


def test_a_number_of_a_text_is_replaced_in_kept_places_alike(rules):
    """An acknowledgement that tells a number in MSA-3 tells the same surrogate in ERR."""
    out = released(
        rules,
        "MSA|AE|MSG1|Unknown patient id 55512347788 in request|||207^wrong id 55512347788^L",
        "ERR|||204^Unknown key^HL70357|E|55512347788^unknown key 55512347788^L",
    )
    new = out["MSA"].split("|")[3].split()[3]
    assert new.isdigit()
    assert "55512347788" not in "".join(out.values())
    assert f"207^wrong id {new}^L" in out["MSA"]
    assert f"{new}^unknown key {new}^L" in out["ERR"]


def test_codes_of_public_systems_stay(rules):
    """What a text has in common with a LOINC code or name is no proof against these."""
    out = released(
        rules,
        "PID|1||4711^^^HOSP^MR||Okonjo^Thaddeus",
        "OBX|1|TX|386661006^Hodgkin panel^SCT||seen by Dr. Hodgkin, chart 386661006",
    )
    assert "386661006^Hodgkin panel^SCT" in out["OBX"]


def test_words_of_a_name_that_stays_hold_no_message(rules):
    """A place that looks like a person in one text stays as the display of a published code."""
    out = released(
        rules,
        "PID|1||4711^^^HOSP^MR||Okonjo^Thaddeus",
        "OBX|1|CWE|1^Harvest State^L||CA-NS^Nova Scotia, CA^ISO3166_2||||||F",
        "NTE|1||Nova Scotia",
    )
    assert "CA-NS^Nova Scotia, CA^ISO3166_2" in out["OBX"]


def test_a_name_of_no_vocabulary_goes_from_the_name_of_a_code(rules):
    """A published code proves itself, not whatever stands beside it as its name."""
    out = released(
        rules,
        "PID|1||4711^^^HOSP^MR||Okonjo^Thaddeus",
        "OBX|1|TX|386661006^Wigglesworth panel^SCT||seen by Dr. Wigglesworth",
    )
    assert "386661006^" in out["OBX"]
    assert "Wigglesworth" not in out["OBX"]


@pytest.mark.parametrize(
    ("path", "system", "public"),
    [
        ("OBX[1]-3.1", {"OBX[1]-3.3": "LN"}, True),
        ("OBX[1]-3.2", {"OBX[1]-3.3": "SCT"}, True),
        ("OBX[1]-3.5", {"OBX[1]-3.3": "LN", "OBX[1]-3.6": "L"}, False),
        ("OBX[1]-3.2", {"OBX[1]-3.3": "L"}, False),
        ("OBX[1]-3.2", {}, False),
        ("OBX[1]-3", {"OBX[1]-3.3": "LN"}, False),
        ("/code/coding/0/display", {"/code/coding/0/system": "http://loinc.org"}, True),
        ("/code/coding/0/code", {"/code/coding/0/system": "http://snomed.info/sct"}, True),
        ("/code/coding/0/code", {"/code/coding/0/system": "http://hosp.example/codes"}, False),
        ("OBX[1]-3.3", {"OBX[1]-3.3": "HL70136"}, True),
        ("/code/text", {"/code/system": "http://loinc.org"}, False),
    ],
)
def test_public_code_systems_are_known(rules, path, system, public):
    """By the system that stands beside a code or its meaning."""
    assert public == is_public(path, system, rules.values.checks)


ORDINARY = frozenset({"may", "stone", "history"})
EVIDENCE = Evidence(ORDINARY, CUES)


def found_in(text, label, *, priority=100, known=(), source="rule"):
    """The texts of the phrases that one span over a text vouches for."""
    span = Span(0, len(text), label, source, 1.0, priority)
    return [phrase.text for phrase in discoveries([(text, [span])], known, EVIDENCE)]


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("55512347788", Label.MEDICALRECORD, ["55512347788"]),
        ("1234", Label.IDNUM, []),
        ("(218) 555-0143", Label.PHONE, ["(218) 555-0143"]),
        ("ruth@example.org", Label.EMAIL, ["ruth@example.org"]),
        ("Kwabena Ndlovu", Label.DOCTOR, ["Kwabena Ndlovu", "Kwabena", "Ndlovu"]),
        ("Ndlovu", Label.DOCTOR, ["Ndlovu"]),
        ("Kwabena Drumm0ndsey", Label.DOCTOR, ["Kwabena"]),
        ("May", Label.PATIENT, []),
        ("May Stone", Label.PATIENT, []),
        ("Kofi", Label.PATIENT, []),
        ("2207 Ravine Ln", Label.STREET, ["2207 Ravine Ln"]),
        ("Ravine", Label.STREET, []),
        ("Quarrystone Hospital", Label.HOSPITAL, []),
        ("Quarrystone", Label.CITY, []),
        ("93", Label.AGE, []),
        ("3/14/2024", Label.DATE, []),
        ("Minnesota", Label.STATE, []),
        ("carpenter", Label.PROFESSION, []),
    ],
)
def test_only_what_is_distinctive_is_looked_for(text, label, expected):
    """Numbers of some length, names that are no words, contacts and streets."""
    assert expected == found_in(text, label)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("NDC 50580-506-02", []), ("NDC 50580-506 here", ["50580-506"]), ("x 1-50580-506", [])],
)
def test_a_part_of_a_longer_number_is_looked_for_nowhere_else(text, expected):
    """The code of a drug holds what looks like a telephone number."""
    at = text.index("50580-506")
    span = Span(at, at + 9, Label.PHONE, "pattern", 1.0, 60)
    assert expected == [
        phrase.text for phrase in discoveries([(text, [span])], frozenset(), EVIDENCE)
    ]


def test_what_a_model_alone_says_needs_more():
    """A name, or five digits, by a model's word are left where they are, but for titles."""
    assert ["Dr. Ndlovu", "Ndlovu"] == found_in("Dr. Ndlovu", Label.DOCTOR, source="crf")
    assert [] == found_in("Kofi Ndlovu", Label.DOCTOR, source="crf")
    assert [] == found_in("Ndlovu", Label.DOCTOR, priority=50)
    assert [] == found_in("55512", Label.IDNUM, source="crf")
    assert ["55512"] == found_in("55512", Label.IDNUM)
    assert ["55512347"] == found_in("55512347", Label.IDNUM, source="crf")


def test_a_value_that_is_nothing_but_a_name_confirms_it():
    """Both words are looked for, whichever is the family name, unless one is short or common."""
    names = ["Brzenczyk Ndlovu", "Brzenczyk", "Ndlovu"]
    assert names == found_in("Brzenczyk Ndlovu", Label.DOCTOR, source="crf")
    assert [] == found_in("Brzenczyk Stone", Label.DOCTOR, source="crf")
    span = Span(5, 21, Label.DOCTOR, "crf", 1.0, 50)
    assert () == discoveries([("seen Brzenczyk Ndlovu", [span])], (), EVIDENCE)


@pytest.mark.parametrize(
    "text",
    ["nurse Kofi Ndlovu", "Kofi Ndlovu, RN", "Aunt: Kofi Ndlovu", "enfermera Kofi Ndlovu",
     "tía Kofi Ndlovu", "Schwester Kofi Ndlovu"],
)  # fmt: skip
def test_a_word_for_a_person_confirms_the_name_of_a_model(text):
    """A calling before it, or a degree behind it, as a title does."""
    at = text.index("Kofi")
    span = Span(at, at + len("Kofi Ndlovu"), Label.DOCTOR, "crf", 1.0, 50)
    found = discoveries([(text, [span])], (), EVIDENCE)
    assert ["Kofi Ndlovu", "Ndlovu"] == [phrase.text for phrase in found]


def test_what_fields_vouch_for_is_not_told_again():
    """Trusted phrases are looked for as they are."""
    assert [] == found_in("Ndlovu", Label.DOCTOR, known={"ndlovu"})


NAME = st.sampled_from(["Ndlovu", "Wisniewska", "Quarrystone", "Okonjo", "Zsigmondy"])
NUMBER = st.from_regex(r"[1-9][0-9]{7,9}", fullmatch=True)
TELLING = st.one_of(
    NAME.map(lambda name: (f"seen by Dr. {name} today", name)),
    NUMBER.map(lambda number: (f"MRN {number} on file", number)),
    NUMBER.map(lambda number: (f"Unknown patient id {number}", number)),
    NAME.map(lambda name: (f"mail {name.lower()}@example.net now", f"{name.lower()}@example.net")),
)
PLACES = ("ERR|||204^Unknown key^HL70357|E|1^{}^L", "ERR|||204^Unknown key^HL70357|E|{}^other^L",
          "ERR|||204^Unknown key^HL70357|E|1^see {} again^L|||{}")  # fmt: skip


def _is_found_everywhere(rules, telling, place):
    text, value = telling
    raw = "\r".join((
        "MSH|^~\\&|LAB|HOSP|EHR|HOSP|20240314101500||ACK|MSG1|P|2.5.1",
        f"MSA|AE|MSG1|{text}",
        place.format(value, value),
    ))  # fmt: skip
    outcome = process(Record(raw.encode(), Position("in", 0, 0)), rules)
    if isinstance(outcome, Release) and value not in outcome.value.decode().split("\r")[1]:
        assert value not in outcome.value.decode()


@given(TELLING, st.sampled_from(PLACES))
def test_what_is_replaced_in_a_text_stays_nowhere(rules, telling, place):
    """Whatever has a surrogate in a scanned text has none of itself in a kept place."""
    _is_found_everywhere(rules, telling, place)


@pytest.mark.slow
@settings(max_examples=2500, deadline=None)
@given(TELLING, st.sampled_from(PLACES))
def test_what_is_replaced_in_a_text_stays_nowhere_at_length(rules, telling, place):
    """The same, many times."""
    _is_found_everywhere(rules, telling, place)


def test_the_owner_of_an_address_is_looked_for():
    """The words before the "@" of an e-mail address are a name where they are no others."""
    text = "Write to hildegunde.sauerbrey@posteo.example or results@posteo.example"
    spans = [
        Span(9, 44, Label.EMAIL, "contacts.email", 1.0, 70),
        Span(48, len(text), Label.EMAIL, "contacts.email", 1.0, 70),
    ]
    found = discoveries([(text, spans)], frozenset(), Evidence(frozenset({"results"}), CUES))
    names = [phrase.text for phrase in found if phrase.label == Label.PATIENT]
    assert ["hildegunde", "sauerbrey"] == names


def test_a_certain_name_takes_in_its_part_in_another_place(rules):
    """Where only the family name was found, a full name found for certain elsewhere is replaced."""
    out = released(
        rules,
        "PID|1||4711^^^HOSP^MR||Wigglesworth^Thaddeus",
        "OBX|1|TX|1^Note^L||seen by Dr. Quillon Wigglesworth",
        "OBX|2|ST|2^Kit^L||Quillon Wigglesworth",
    )
    assert "Quillon" not in "".join(out.values())
    assert "Wigglesworth" not in "".join(out.values())


@pytest.mark.parametrize("markup", ["html", "cdata", "plain"])
def test_a_full_name_takes_in_its_part_in_an_attribute(rules, markup):
    """The title of an element holds the name of its text."""
    shown = '<p title="Leopold Schickedanz">Patient Leopold Schickedanz</p>'
    if markup == "cdata":
        shown = f"<r>&lt;![CDATA[{shown}]]></r>"
    elif markup == "plain":
        shown = 'title="Leopold Schickedanz"; Patient Leopold Schickedanz'
    out = released(
        rules, "PID|1||4711^^^HOSP^MR||Okonjo^Thaddeus", f"OBX|1|TX|1^Note^L||{shown}||||||F"
    )
    assert "Leopold" not in out["OBX"]
    assert "Schickedanz" not in out["OBX"]


def test_a_name_with_its_ending_goes_beside_a_date(rules):
    """A longer mention that another text tells is put in order among those after it."""
    out = released(
        rules,
        "PID|1||4711^^^HOSP^MR||Roel^Thaddeus",
        "OBX|1|TX|11506-3^Note^LN||addresses: Roel's tumor; "
        "outcome: Roel's Chemotherapy on 2011-06-27",
        "NTE|1||Roel's Chemotherapy",
    )
    assert "roel" not in "".join(out.values()).casefold()


NAMED = Evidence(
    frozenset({"nurse"}),
    CUES,
    is_given=lambda word: word in {"Grace", "Compact"},
    is_strange=lambda word: word in {"Zaylin", "Spessard", "Sunquest"},
    is_free=lambda word: word == "Hernandez",
)


@pytest.mark.parametrize(
    ("text", "name", "source", "expected"),
    [
        ("told by Zaylin Spessard", "Zaylin Spessard", "rule", ["Zaylin", "Spessard"]),
        ("told by Grace Spessard", "Grace Spessard", "rule", ["Spessard"]),
        ("mother Grace van Spessard", "Grace van Spessard", "rule", ["Spessard"]),
        ("mother Spessard, Grace", "Spessard, Grace", "rule", ["Spessard"]),
        ("mother Grace Hernandez", "Grace Hernandez", "rule", ["Hernandez"]),
        ("told by Sunquest Cobas", "Sunquest Cobas", "rule", None),
        ("told by Grace Compact", "Grace Compact", "rule", None),
        ("told by Spessard", "Spessard", "rule", None),
        ("told by Grace Spessard", "Grace Spessard", "crf", ["Spessard"]),
        ("Grace Spessard says", "Grace Spessard", "crf", ["Spessard"]),
        ("the Grace Spessard today", "Grace Spessard", "crf", None),
    ],
)
def test_a_full_name_counts_elsewhere_if_a_word_is_nothing_but_a_name(text, name, source, expected):
    """A rule's mention does with or without certainty, a model's beside a word such as "by"."""
    start = text.index(name)
    span = Span(start, start + len(name), Label.PATIENT, source, 1.0, 50)
    found = [phrase.text for phrase in discoveries([(text, [span])], (), NAMED)]
    assert ([] if expected is None else [name, *expected]) == found


def test_a_family_name_of_a_text_is_found_alone_and_in_small_letters_elsewhere(rules):
    """The name of a text that read something back stands alone in another text."""
    out = released(
        rules,
        "PID|1||4711^^^HOSP^MR||Okonjo^Thaddeus",
        "OBR|1|||718-7^Hb^LN|||||||||read back by Zaylin Spessard",
        "OBX|1|TX|N^Note^L||spessard says rash better||||||F",
    )
    assert "spessard" not in out["OBX"]
    assert "says rash better" in out["OBX"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [("adm 6-9-24 CAP", False), ("gtt 9-6-24 told", False), ("dose 6-9-24 mg", True)],
)
def test_a_day_of_a_field_is_found_in_digits(rules, text, kept):
    """The admission of PV1-44 is told in a note; steps of a dose are not."""
    visit = f"PV1|1|I{'|' * 42}20240609142200"
    out = released(
        rules,
        "PID|1||4711^^^HOSP^MR||Okonjo^Thaddeus",
        visit,
        f"OBX|1|TX|N^Note^L||{text}||||||F",
    )
    digits = text.split()[1]
    assert kept == (digits in out["OBX"])


def test_a_name_behind_a_title_is_found_in_small_letters_elsewhere(rules):
    """Also where a model's mention has taken the place of the rule's."""
    out = released(
        rules,
        "PID|1||4711^^^HOSP^MR||Okonjo^Thaddeus",
        "OBX|1|TX|8251-1^Note^LN||Betreuer: Hr. Ottfried Ackermannshofer||||||F",
        "NTE|1||ackermannshofer rief an, Hb 9,1",
    )
    assert "ackermannshofer" not in "".join(out.values()).lower()
