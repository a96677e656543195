"""Resolution keeps coverage, agrees on types and tells vetoes."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter import resolve as resolution
from adapter.types import Label, Span, Veto
from tests.wording import WORDS

Options = partial(resolution.Options, context=WORDS.context)
TEXT = "Anna Smith of 12 Oak St, seen 3/14 by Dr. Jones (Smith clinic, MRN 88-21)."


def _span(part, label, priority=60, text=TEXT, **more):
    start = text.index(part)
    return Span(start, start + len(part), label, "test", 1.0, priority, **more)


def resolve(texts, found, options=None):
    """Resolution by the words of the shipped languages."""
    return resolution.resolve(texts, found, options or Options())


def _found(spans, text=TEXT, options=None):
    (row,), counts = resolve([text], [spans], options)
    return [(text[s.start : s.end], s.label) for s in row], counts


def test_overlaps_of_one_kind_are_united_under_the_stronger():
    """Names that overlap become one span with the label and entity of the stronger one."""
    trusted = _span("Smith", Label.PATIENT, 100, entity="patient", form="{family}")
    (row,), _ = resolve([TEXT], [[_span("Anna Smith", Label.DOCTOR, 50), trusted]])
    assert row[0].start == 0
    assert (row[0].label, row[0].entity, row[0].form) == (Label.PATIENT, "patient", None)


def test_another_label_inside_a_weaker_span_stands_beside_it():
    """A date inside a model's name span keeps its own extent and type."""
    found, _ = _found([_span("Oak St, seen 3/14", Label.STREET, 40), _span("3/14", Label.DATE)])
    assert found == [("Oak St, seen", Label.STREET), ("3/14", Label.DATE)]


@pytest.mark.parametrize(
    ("text", "numbers", "expected"),
    [
        ("555-0192, 555\u20130192", ["555-0192", "555\u20130192"], ["555-0192,", "555\u20130192"]),
        ("0058231 (58231", ["0058231", "58231"], ["0058231 (", "58231"]),
        ("S24 10877 A", ["S24 10877"], ["S24 10877"]),
        ("(S24-10877-B", ["S24-10877"], ["(S24-10877"]),
        ("S24-10877-BC", ["S24-10877"], ["S24-10877-BC"]),
        ("S24-10877B", ["S24-10877"], ["S24-10877B"]),
        ("1/58231, 58231", ["58231"], ["1/58231, 58231"]),
    ],
)
def test_known_numbers_in_a_wider_find_stay_apart(text, numbers, expected):
    """Each becomes what it becomes elsewhere, unless the wider find has more letters or digits."""
    known = [_span(part, Label.IDNUM, 100, text, form="{id}") for part in numbers]
    known = [replace(span, source="phrase") for span in known]
    known[1:] = [
        replace(span, start=text.rindex(part), end=text.rindex(part) + len(part))
        for span, part in zip(known[1:], numbers[1:], strict=True)
    ]
    found, _ = _found([_span(text, Label.IDNUM, 60, text), *known], text)
    assert expected == [part for part, _ in found]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("at Okafor's pharmacy", []),
        ("at Okafor's", []),
        ("at Okafor's Oakhill pharmacy", ["Oakhill pharmacy"]),
        ("at okafor's pharmacy", ["pharmacy"]),
    ],
)
def test_the_ending_of_an_owner_is_no_part_of_an_institution(text, rest):
    """Behind a name, "'s" stays, with one word in small letters; anything else stays covered."""
    guess = Span(3, len(text), Label.ORGANIZATION, "crf", 1.0, 75)
    name = Span(3, 9, Label.DOCTOR, "phrase", 1.0, 100, "doctor:1")
    ((first, *others),), _ = resolve([text], [[guess, name]])
    assert (first.start, first.end) == (3, 9)
    assert [text[span.start : span.end] for span in others] == rest


def test_an_address_is_not_parted_by_a_name_in_it():
    """A web address stays one, whatever vouches for a word of it."""
    text = "see www.oakdale.example/x now"
    address = Span(4, 25, Label.URL, "contacts.url", 1.0, 60)
    name = Span(8, 15, Label.HOSPITAL, "phrase", 1.0, 100, "facility:1")
    ((spans,), _) = resolve([text], [[address, name]])
    assert (address,) == spans


@pytest.mark.parametrize(
    ("text", "whole", "part", "label", "within"),
    [
        ("at Tampa General now", "Tampa General", "Tampa", Label.CITY, Label.HOSPITAL),
        ("by Macon PD, Ofc", "Macon PD", "Macon", Label.CITY, Label.ORGANIZATION),
        ("of University of Rochester", "University of Rochester", "Rochester", Label.CITY,
         Label.ORGANIZATION),
        ("2/77 Byrnes St, Mareeba", "2/77 Byrnes St", "Byrnes", Label.PATIENT, Label.STREET),
        ("at East Omak Elementary", "East Omak Elementary", "Omak", Label.CITY, Label.ORGANIZATION),
    ],
)  # fmt: skip
def test_an_institution_is_not_parted_by_its_place(text, whole, part, label, within):
    """What a trusted phrase names within it is a part of its name."""
    spans = [_span(whole, within, 75, text), _span(part, label, 100, text, entity="patient")]
    assert [(whole, within)] == _found(spans, text)[0]


@pytest.mark.parametrize(
    ("text", "whole", "part", "label"),
    [
        ("at Good Shepherd Kearney today", "Good Shepherd Kearney", "Kearney", Label.CITY),
        ("at Kearney, Good Shepherd", "Kearney, Good Shepherd", "Kearney", Label.CITY),
        ("Smith Clinic of 12", "Smith Clinic", "Smith", Label.PATIENT),
        ("VA clinic 3/14 Boise", "VA clinic 3/14 Boise", "3/14", Label.DATE),
    ],
)
def test_a_place_beside_an_institution_stays_one(text, whole, part, label):
    """What stands behind its name, or apart from it, or is a person, keeps its own span."""
    spans = [_span(whole, Label.HOSPITAL, 75, text), _span(part, label, 100, text)]
    assert (part, label) in _found(spans, text)[0]


def test_the_point_of_junior_belongs_to_the_name():
    """A name that ends with "Jr." has its point, however the sentence goes on."""
    text = "James Lee Jr. and J. Lee. Then"
    spans = [
        _span("James Lee Jr", Label.PATIENT, text=text),
        _span("J. Lee", Label.DOCTOR, text=text),
    ]
    assert ["James Lee Jr.", "J. Lee"] == [part for part, _ in _found(spans, text)[0]]


def test_veto_removes_only_weaker_spans_inside_it_and_is_counted():
    """A veto takes a weaker span of its labels, never a stronger one."""
    veto = Veto(0, len(TEXT), "rule", frozenset({Label.DATE}), 65)
    found, counts = _found(
        [
            veto,
            _span("3/14", Label.DATE),
            _span("88-21", Label.DATE, 70),
            _span("Jones", Label.DOCTOR),
        ]
    )
    assert found == [("Jones", Label.DOCTOR), ("88-21", Label.DATE)]
    assert counts == {"rule": 1}


def test_a_word_that_begins_a_sentence_is_cut_from_a_name_behind_it():
    """Of "Saw Kowalski" the name stays covered, and a name that only begins so is left alone."""
    text = "Saw Kowalski. Sawyer left"
    found = [
        Span(0, 12, Label.PATIENT, "crf", 0.9, 75),
        Span(14, 20, Label.PATIENT, "crf", 0.9, 75),
        Veto(0, 3, "words.first-word", frozenset({Label.PATIENT}), 80),
    ]
    (spans,), _ = resolve([text], [found], Options())
    assert [text[span.start : span.end] for span in spans] == ["Kowalski", "Sawyer"]


def test_parts_of_one_name_are_joined():
    """Neighbouring spans of one name label become one span."""
    found, _ = _found([_span("Anna", Label.PATIENT), _span("Smith", Label.PATIENT)])
    assert found[0] == ("Anna Smith", Label.PATIENT)


def test_a_certain_name_is_found_where_it_was_missed():
    """A surname found by a rule is also found elsewhere in the message, as a whole word."""
    (first, second), _ = resolve(
        [TEXT, "Smith, Smithson and SMITH"], [[_span("Anna Smith", Label.PATIENT)], []]
    )
    assert ["Smith, Smithson and SMITH"[s.start : s.end] for s in second] == ["Smith", "SMITH"]
    assert len(first) == 2


def test_an_ordinary_word_is_not_spread():
    """A name that is a word of the language is tagged only where a rule found it."""
    text = "Ms. Brown has brown or Brown sputum"
    found, _ = _found(
        [_span("Brown", Label.PATIENT, text=text)], text, Options(ordinary=frozenset({"brown"}))
    )
    assert found == [("Brown", Label.PATIENT)]


def test_uncertain_types_follow_certain_ones():
    """The same string has the type a rule gave it elsewhere in the message."""
    texts = ["Dr. Jones", "Jones"]
    spans = [
        [Span(4, 9, Label.DOCTOR, "rule", 1.0, 60)],
        [Span(0, 5, Label.PATIENT, "model", 1.0, 40)],
    ]
    (_, (second,)), _ = resolve(texts, spans)
    assert Label.DOCTOR is second.label


def test_line_kind_follows_the_nearest_word():
    """A telephone number after "fax" is a fax number, also after a telephone number."""
    text = "Tel 218-555-0142, fax 218-555-0143"
    found, _ = _found(
        [
            _span("218-555-0142", Label.FAX, text=text),
            _span("218-555-0143", Label.PHONE, text=text),
        ],
        text,
    )
    assert [label for _, label in found] == [Label.PHONE, Label.FAX]


def test_unknown_state_becomes_a_city():
    """A STATE that is in no list of states is taken for a city."""
    text = "lives in Bergen"
    found, _ = _found(
        [_span("Bergen", Label.STATE, text=text)], text, Options(states=frozenset({"ohio"}))
    )
    assert found == [("Bergen", Label.CITY)]


def test_a_town_that_is_a_postal_code_becomes_one():
    """A corpus that does not tell the two apart teaches towns of digits."""
    found, _ = _found([_span("28040", Label.CITY, text="28040 Madrid")], "28040 Madrid")
    assert [("28040", Label.ZIP)] == found


def test_a_tab_parts_names():
    """Names in columns of a table are two people."""
    text = "Ana Okafor\tBo Lindqvist"
    spans = [
        _span("Ana Okafor", Label.DOCTOR, text=text),
        _span("Bo Lindqvist", Label.DOCTOR, text=text),
    ]
    assert 2 == len(_found(spans, text)[0])


@pytest.mark.parametrize(
    ("context", "label", "now"),
    [
        ("fax ", Label.PHONE, Label.FAX),
        ("studied at ", Label.HOSPITAL, Label.ORGANIZATION),
        ("in ", Label.STATE, Label.CITY),
    ],
)
def test_a_corrected_label_is_no_longer_the_corpus_s_own(context, label, now):
    """The source of a learned span says its corpus's label only as long as that is its label."""
    text = context + "Zor 5"
    spans = [Span(len(context), len(text), label, "crf:OWN", 0.9, 75)]
    options = Options(states=frozenset())
    ((span,),), _ = resolve([text], [spans], options)
    assert (now, "crf") == (span.label, span.source)
    ((kept,),), _ = resolve([text], [spans], replace(options, correct=False))
    assert (label, "crf:OWN") == (kept.label, kept.source)


def test_a_reconciled_label_is_no_longer_the_corpus_s_own():
    """So too where the same string has another label elsewhere."""
    spans = [
        [Span(0, 5, Label.DOCTOR, "rule", 1.0, 60)],
        [Span(0, 5, Label.PATIENT, "crf:OWN", 1.0, 40)],
    ]
    (_, (second,)), _ = resolve(["Jones", "Jones"], spans)
    assert (Label.DOCTOR, "crf") == (second.label, second.source)


STANDARD = Options(reconcile=False, standardise=True)


def test_every_occurrence_of_a_phrase_is_standardised():
    """In all texts of a message, in capitals too; a longer phrase takes in what lies within."""
    texts = ["St Mary Hospital in Rome", "to ST MARY HOSPITAL, Smithson"]
    spans = [
        [Span(0, 16, Label.HOSPITAL, "crf", 0.9, 40)],
        [Span(6, 10, Label.PATIENT, "crf", 0.9, 40)],
    ]
    (_, (second,)), _ = resolve(texts, spans, STANDARD)
    assert (3, 19, Label.HOSPITAL) == (second.start, second.end, second.label)


@pytest.mark.parametrize(
    ("first", "score", "ordinary", "count"),
    [
        ("Brown", 0.9, (), 2),
        ("Brown", 0.9, ("brown",), 1),
        ("Brown", 0.2, (), 1),
        ("Bo", 0.9, (), 1),
    ],
)
def test_only_telling_words_are_standardised(first, score, ordinary, count):
    """Not ordinary words, short ones, and what was hardly believed."""
    texts = [first, f"met {first}"]
    spans = [[Span(0, len(first), Label.PATIENT, "crf", score, 40)], []]
    rows, _ = resolve(texts, spans, replace(STANDARD, ordinary=frozenset(ordinary)))
    assert count == sum(map(len, rows))


def test_a_phrase_whose_occurrences_disagree_relabels_none():
    """As many of one label as of another prove neither."""
    texts = ["Ann Lee", "Ann Lee"]
    spans = [
        [Span(0, 7, Label.PATIENT, "crf", 0.9, 40)],
        [Span(0, 7, Label.DOCTOR, "crf", 0.9, 40)],
    ]
    (first, second), _ = resolve(texts, spans, STANDARD)
    assert (Label.PATIENT, Label.DOCTOR) == (first[0].label, second[0].label)


def test_most_occurrences_decide_a_label():
    """The rarer label gives way, that of a trusted phrase never."""
    texts = ["Ann Lee"] * 4
    labels = [Label.PATIENT, Label.PATIENT, Label.DOCTOR, Label.DOCTOR]
    spans = [
        [Span(0, 7, label, "x", 0.9, 100 if place == 3 else 40)]
        for place, label in enumerate([*labels[:3], Label.CITY])
    ]
    rows, _ = resolve(texts, spans, STANDARD)
    assert [Label.PATIENT] * 3 + [Label.CITY] == [row[0].label for row in rows]


def test_a_veto_stands_against_standardisation():
    """What a rule says is no mention is not made one by an occurrence elsewhere."""
    spans = [[Span(0, 9, Label.PATIENT, "crf", 0.9, 40)], [Veto(0, 9, "eponym", priority=65)]]
    (_, second), _ = resolve(["Parkinson", "Parkinson"], spans, STANDARD)
    assert () == second


_LABELS = st.sampled_from([Label.PATIENT, Label.DOCTOR, Label.DATE, Label.CITY, Label.IDNUM])


@st.composite
def _spans(draw):
    start = draw(st.integers(0, len(TEXT) - 1))
    end = draw(st.integers(start + 1, min(len(TEXT), start + 20)))
    return Span(
        start, end, draw(_LABELS), "test", 1.0, draw(st.sampled_from([40, 50, 60, 70, 100]))
    )


_OPTIONS = st.builds(
    Options,
    ordinary=st.sampled_from([frozenset(), frozenset({"smith", "oak"})]),
    states=st.sampled_from([None, frozenset({"ohio"})]),
    correct=st.booleans(),
    reconcile=st.booleans(),
    standardise=st.booleans(),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_spans(), max_size=8), _OPTIONS)
def test_coverage_never_shrinks(spans, options):
    """Every covered character but white space stays covered, and the result is disjoint."""
    (row,), _ = resolve([TEXT], [spans], options)
    covered = {i for s in row for i in range(s.start, s.end)}
    wanted = {i for s in spans for i in range(s.start, s.end) if not TEXT[i].isspace()}
    assert wanted <= covered
    assert all(a.end <= b.start for a, b in pairwise(row))


@settings(max_examples=100, deadline=None)
@given(st.lists(_spans(), max_size=6), st.lists(_spans(), max_size=6), _OPTIONS)
def test_messages_of_several_texts_keep_coverage(first, second, options):
    """So in every text of a message, whatever the others teach."""
    rows, _ = resolve([TEXT, TEXT], [first, second], options)
    for row, spans in zip(rows, (first, second), strict=True):
        covered = {i for s in row for i in range(s.start, s.end)}
        assert {i for s in spans for i in range(s.start, s.end) if not TEXT[i].isspace()} <= covered
        assert all(0 <= s.start < s.end <= len(TEXT) for s in row)
        assert all(a.end <= b.start for a, b in pairwise(row))


@settings(max_examples=100, deadline=None)
@given(st.lists(_spans(), max_size=6), _OPTIONS)
def test_resolution_is_a_function_of_its_input(spans, options):
    """The order in which taggers say it changes nothing but ties."""
    distinct = list({(s.start, s.end, s.label, s.priority): s for s in spans}.values())
    assert resolve([TEXT], [distinct], options) == resolve([TEXT], [distinct[::-1]], options)


@pytest.mark.parametrize("options", [Options(), Options(standardise=True)])
def test_a_long_text_of_one_name_takes_no_long_time(options):
    """Work grows with the number of mentions, not with its square."""
    text = "Mary had " * 20_000
    spans = [Span(at, at + 4, Label.PATIENT, "test", 1.0, 60) for at in range(0, len(text), 9)]
    started = time.process_time()
    ((found,), _) = resolve([text], [spans], options)
    assert len(spans) == len(found)
    assert time.process_time() - started < 5
