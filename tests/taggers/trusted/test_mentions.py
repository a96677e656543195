"""Exact matching of trusted phrases in text."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.evaluate.headers import from_header
from adapter.phrases.common_words import parse_nicknames
from adapter.taggers.document.document import read
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.trusted.index import NOBODY, PhraseIndex
from adapter.taggers.trusted.mentions import PhraseTagger
from adapter.taggers.trusted.sweep import sweep
from adapter.taggers.trusted.variants.tagger import VariantTagger
from adapter.taggers.wordlists import Lexicon
from adapter.types import Label, TrustedPhrase
from tests.wording import CUES, word_list

RULES = SectionRules({})
RESOURCES = Resources("en", (), {}, RULES)
WORDS = word_list(
    ordinary=frozenset({"rose", "hill", "may", "long", "will", "grant", "history", "and"}),
    medical=frozenset({"graves"}),
    nicknames=parse_nicknames("robert\tbob\n"),
)
HEADER = {
    "patient_family": "Okafor-Nwosu",
    "patient_given": "Robert",
    "patient_middle": "Adaeze",
    "patient_dob": "1953-02-18",
    "mrn": "00712345",
    "ssn": "318-44-0927",
    "phone_home": "(218) 555-0171",
    "street": "2207 Ravine Ln",
    "city": "Duluth",
    "state": "MN",
    "kin_family": "Rose",
    "kin_given": "May",
    "attending_family": "McDonald",
    "attending_given": "Ian",
    "facility": "Brigham and Women's Hospital",
}


def find(text, header=None):
    """(mention, label, form) of every trusted phrase in text."""
    extraction = from_header(header or HEADER, WORDS)
    index = PhraseIndex.build(extraction.phrases, CUES)
    spans = PhraseTagger(RESOURCES).tag(read(text, "en", RULES), index)
    return {(text[s.start : s.end], s.label, s.form) for s in spans}


def mentions(text, header=None):
    """Only the mentions, in alphabetical order."""
    return sorted(mention for mention, _, _ in find(text, header))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seen with Robert Okafor-Nwosu today", ["Robert Okafor-Nwosu"]),
        ("OKAFOR-NWOSU, ROBERT A", ["OKAFOR-NWOSU, ROBERT A"]),
        ("okafor nwosu called", ["okafor nwosu"]),
        ("Mr. Okafor's wife", ["Okafor"]),
        ("R. Nwosu and R.A. Nwosu", ["R. Nwosu", "R.A. Nwosu"]),
        ("Okafor-Nwosu, r a", ["Okafor-Nwosu, r a"]),
        ("Róbert Ókafor", ["Róbert Ókafor"]),
        ("Bob Okafor", ["Bob Okafor"]),
        ("Robert Q. Okafor", ["Robert Q. Okafor"]),
        ('Robert "Bob" Okafor', ['Robert "Bob" Okafor']),
        ("OkaforReports pain", ["Okafor"]),
        ("father S. Okafor, d. 61", ["S. Okafor"]),
        ("Name: Okafor, Robert M   Age: 47", ["Okafor, Robert M"]),
        ("her son Robert K. called", ["Robert K"]),
        ("OKAFOR, ROBERT T 98.6", ["OKAFOR, ROBERT"]),
        ("Robert Okafor A 5.9", ["Robert Okafor"]),
        ("UOP 200 mL. Okafor to PACU", ["Okafor"]),
        ("Tmax 38.5 C. Okafor cultured", ["Okafor"]),
        ("Vit K. Okafor", ["Okafor"]),
        ("M. Okafor est sorti", ["Okafor"]),
        ("M. Okafor called", ["M. Okafor"]),
        ("in 412 C. Okafor", ["C. Okafor"]),
        ("Okafor, Robert (Bob), 45M", ["Bob", "Okafor, Robert"]),
        ("All best, Robert\nRobert Okafor", ["Robert", "Robert Okafor"]),
    ],
)
def test_names_are_found_in_every_order_and_dress(text, expected):
    """Parts of one name that stand together are one mention; the possessive stays outside."""
    assert expected == mentions(text)


@pytest.mark.parametrize(
    "text",
    [
        "Dr. McDonald",
        "Dr. MCDONALD",
        "Dr. Mc Donald",
        "Dr. mcdonald",
        "Dr McDon\nald",
        "McDo-\nnald",
    ],
)
def test_spacing_case_and_line_breaks_inside_a_name_do_not_hide_it(text):
    """A feed may break a line inside a word, and capitals lose the hump."""
    assert ["mcdonald"] == [
        m.lower().replace(" ", "").replace("-", "").replace("\n", "") for m in mentions(text)
    ]


def test_a_name_broken_over_lines_is_one_mention():
    """The last word of a line and the first of the next may be one name."""
    assert ["Robert Oka\nfor-Nwosu"] == mentions("Seen: Robert Oka\nfor-Nwosu at noon")


def test_the_form_tells_how_a_mention_was_written():
    """Placeholders stand for the entity's parts, everything else is the text's own."""
    assert {("Okafor-Nwosu, Robert A", Label.PATIENT, "{family}, {given} {middle[0]}")} == find(
        "Okafor-Nwosu, Robert A"
    )


@pytest.mark.parametrize(
    "text",
    [
        "a long history of roses",
        "Will grant access",
        "rose to 12 in may",
        "May 5 follow up",
        "Rose to 12. May need help. Long term",
        "History: Rose bengal stain",
        "LONG HISTORY OF ROSE",
    ],
)
def test_common_words_alone_are_no_names(text):
    """A trusted name that is a word of the language needs more than its letters."""
    header = {"patient_family": "Rose", "patient_given": "May", "kin_family": "Long"}
    assert [] == mentions(text, header)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. Long was seen", "Long"),
        ("spoke with Rose at length", "Rose"),
        ("Rose's mother", "Rose"),
        ("swelling of ROSE'S arm", "ROSE"),
        ("Name: ROSE", "ROSE"),
        ("asked May Rose about it", "May Rose"),
        ("ROSE, MAY", "ROSE, MAY"),
        ("M. Rose", "M. Rose"),
        ("Rose states that", "Rose"),
        ("Rose fasted.", "Rose"),
        ("Long agreed to it", "Long"),
    ],
)
def test_context_makes_a_common_word_a_name(text, expected):
    """Titles, fields, neighbours, the possessive, and capitals inside a sentence."""
    header = {"patient_family": "Rose", "patient_given": "May", "kin_family": "Long"}
    assert [expected] == mentions(text, header)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MRN 00712345", "00712345"),
        ("MRN:712345.", "712345"),
        ("mrn 00-712-345", "00-712-345"),
        ("SSN 318 44 0927", "318 44 0927"),
        ("last four 0927", "0927"),
        ("phone ending in 0171", "0171"),
        ("cell xxx-xxx-0171 on file", "0171"),
        ("call 218.555.0171", "218.555.0171"),
        ("call 555-0171 now", "555-0171"),
        ("218-555-\n0171", "218-555-\n0171"),
        ("DOB 02/18/1953", "02/18/1953"),
        ("born 18 Feb 1953", "18 Feb 1953"),
        ("born 18Feb1953", "18Feb1953"),
        ("born February 18th, 1953", "February 18th, 1953"),
        ("dob 1953-02-18", "1953-02-18"),
        ("at BWH today", "BWH"),
        ("Brigham & Women's Hospital", "Brigham & Women's Hospital"),
        ("lives at 2207 Ravine Lane", "2207 Ravine Lane"),
    ],
)
def test_numbers_dates_and_places_are_found_with_other_marks(text, expected):
    """Punctuation between digits and words is the writer's choice."""
    assert [expected] == mentions(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Okafor 530218 F", "530218"),
        ("lbl 180253 ok", "180253"),
        ("(021853)", "021853"),
        ("ref 021853/RO", "021853"),
        ("id RO021853", "021853"),
        ("530218-1234", "530218"),
        ("b 02181953", "02181953"),
        ("DOB 0 2 1 8 1 9 5 3", "0 2 1 8 1 9 5 3"),
        ("DOB 0 2 1 8 5 3 F", "0 2 1 8 5 3"),
        ("D O B : 1 8 F E B 1 9 5 3", "1 8 F E B 1 9 5 3"),
        ("DOB 0 2 / 1 8 / 1 9 5 3", "0 2 / 1 8 / 1 9 5 3"),
        ("b 02|18|1953", "02|18|1953"),
        ("b 02|18|53 F", "02|18|53"),
        ("b 2:18:1953", "2:18:1953"),
    ],
)
def test_a_birth_date_is_found_without_separators_and_with_odd_ones(text, expected):
    """As six or eight digits, with its characters apart, and with any mark between its parts."""
    found = {(mention, form) for mention, label, form in find(text) if label is Label.DATE}
    assert {(expected, "{birthdate}")} == found


@pytest.mark.parametrize(
    "text",
    [
        "platelets 021853 /uL",
        "021853 copies/mL",
        "0.021853",
        "21,853",
        "021853.25",
        "10218530",
        "2024-021853",
        "at 02:18:53",
        "scores 1 0 2 1 8 5 3",
        "total 2+18+53",
    ],
)
def test_numbers_that_only_contain_a_birth_date_stay(text):
    """Counts in a volume, decimals, longer numbers, times of day and rows of single digits."""
    assert [] == mentions(text)


SPACED = [
    ("GarciaMarquez", "Garcia Marquez came"),
    ("GARCIAMARQUEZ", "García-Márquez came"),
    ("Vandenbroeckstraete", "Van den Broeckstraete came"),
    ("Vonderlippenau", "von der Lippenau came"),
    ("O'Brien", "O`Brien came"),
    ("O'Brien", "OBrien came"),
    ("\u738b", "\u4eca\u5929\u738b\u4f1f\u6765"),
    ("\uae40", "\ud658\uc790 \uae40\u4f1f \ub2d8"),
    ("Okafor", "O K A F O R came"),
    ("Okafor", "O.K.A.F.O.R. came"),
    ("Okafor", "O-k-a-f-o-r came"),
    ("Lee", "seen with L E E today"),
]


@pytest.mark.parametrize(("family", "text"), SPACED)
def test_a_name_is_found_however_it_is_spaced(family, text):
    """As one word or two, with any apostrophe, letters apart, without blanks as in Chinese."""
    given = "\u4f1f" if not family.isascii() else "Robert"
    assert mentions(text, {"patient_family": family, "patient_given": given})


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("Lee", "L E E D S"),
        ("Lee", "vitamins B 12 D and A B O"),
        ("Robertson", "robert son of"),
        ("Ng", "NG tube placed"),
        ("O", "blood type O negative"),
        ("Long", "a long way to go"),
    ],
)
def test_spaced_letters_and_short_words_that_are_no_name_stay(family, text):
    """A part of a longer run, a gauge, a blood group and a phrase of the language."""
    assert [] == mentions(text, {"patient_family": family, "street": "12 Long Way"})


def test_a_family_name_of_one_letter_needs_a_title_or_a_given_name():
    """Ms. O and Robert O are somebody, a letter alone is nobody."""
    header = {"patient_family": "O", "patient_given": "Robert"}
    assert ["O"] == mentions("Ms. O called", header)
    assert ["Robert O"] == mentions("Robert O called", header)


def test_a_number_has_any_leading_zeros():
    """Systems pad numbers to their own width."""
    assert ["0000712345"] == mentions("MRN 0000712345")


def test_a_street_is_found_without_its_number():
    """Written as a name: a long way is none."""
    assert ["Ravine Lane"] == mentions("a house in Ravine Lane")


@pytest.mark.parametrize(
    "text",
    ["lives on CHERRY HILL", "found on cherry hill", "Cherry Hill", "off cherry hill dr"],
)
def test_a_street_of_words_is_found_without_its_suffix(text):
    """In any case: that no text has these words in lower case makes them a name."""
    words = word_list({"cherry", "hill"})
    words = replace(words, dictionary=frozenset({"cherry", "hill"}))
    phrases = from_header({"street": "14 Cherry Hill Drive"}, words).phrases
    document = read(text, "en", RULES)
    spans = list(PhraseTagger(RESOURCES).tag(document, PhraseIndex.build(phrases, CUES)))
    assert ["cherry hill"] == [text[s.start : s.end].lower().removesuffix(" dr") for s in spans]


@pytest.mark.parametrize(
    "text", ["JOHN", "john called", "Smith/John", "pt smith is well", "1. John"]
)
def test_a_name_that_no_text_uses_as_a_word_needs_no_context(text):
    """A dictionary has john and smith; clinical texts have them as names only."""
    words = word_list({"john", "smith", "young"})
    words = replace(words, dictionary=frozenset({"john", "smith"}))
    header = {"patient_given": "John", "patient_family": "Smith"}
    index = PhraseIndex.build(from_header(header, words).phrases, CUES)
    spans = list(PhraseTagger(RESOURCES).tag(read(text, "en", RULES), index))
    assert len(spans) == 1


def test_a_long_name_is_found_with_an_s():
    """The leak check takes a plural for the name, so that a message with one would be held."""
    index = PhraseIndex.build(from_header({"patient_family": "Collector"}, WORDS).phrases, CUES)
    assert [(0, 0, 10)] == [(at, s.start, s.end) for at, s in sweep(["Collectors comment"], index)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        *(("Young", True), ("YOUNG.", True), ("YOUNG WAS ADMITTED", True), ("young called", True)),
        *(("mrs young is here", True), ("pt young denies pain", True), ("Fine. young left", False)),
        *(("a young man", False), ("pt young and well", False), ("Young man", False)),
    ],
)
def test_a_name_that_texts_use_as_a_word_needs_a_context(text, named):
    """It is the whole answer, a title stands before it, or what somebody does behind it."""
    words = word_list({"young"})
    index = PhraseIndex.build(from_header({"patient_family": "Young"}, words).phrases, CUES)
    spans = list(PhraseTagger(RESOURCES).tag(read(text, "en", RULES), index))
    assert bool(spans) == named


@pytest.mark.parametrize(
    "text",
    [
        "code 0927",
        "value 3184409275",
        "ratio 1.712345",
        "712345-400000",
        "2024-712345",
        "2/181/953",
        "at bwh",
        "MN",
    ],
)
def test_other_numbers_and_letters_are_not(text):
    """A part of a longer number, four digits alone, an acronym in small letters."""
    assert [] == mentions(text)


@pytest.mark.parametrize(
    "text",
    [
        *("24-{}", "{}-24", "{}/2024", "24/{}", "{}:2", "v{} b", "x {}, 3"),
        *("{}.0", "1.{}", "2.25.{}", "{}.1.2", "image v{}.2"),
    ],
)
def test_a_number_is_found_beside_other_digits(text):
    """A check digit, a year or a visit behind a mark does not make it another number.

    A number of six digits is left alone in decimals, where one may have these digits by chance,
    except in those of a whole number.
    """
    for number in ("712345", "4315733", "A-7712345"):
        phrase = TrustedPhrase(number, Label.MEDICALRECORD, "patient", "{id}")
        written = text.format(number)
        document = read(written, "en", RULES)
        spans = list(PhraseTagger(RESOURCES).tag(document, PhraseIndex.build([phrase], CUES)))
        found = [written[span.start : span.end] for span in spans]
        decimal = number == "712345" and "." in text and text != "{}.0"
        assert found == ([] if decimal else [number])


@pytest.mark.parametrize(
    "written",
    [
        *("4,315,733", "4'315'733", "4’315’733", "4:315:733", "4;315;733", "4·315·733"),
        *("4, 315, 733", "43=15=733", "4~~315~~733", "4 | 315 | 733", "4*315*733", "4#315#733"),
        *("4\\315\\733", "4/315\\733"),
    ],
)
def test_a_number_is_found_with_any_separators(written):
    """Thousands, lists and whatever else stands between its digits."""
    phrase = TrustedPhrase("4315733", Label.MEDICALRECORD, "patient", "{id}")
    text = f"record {written} noted"
    document = read(text, "en", RULES)
    spans = list(PhraseTagger(RESOURCES).tag(document, PhraseIndex.build([phrase], CUES)))
    assert [written] == [text[span.start : span.end] for span in spans]


def test_a_title_decides_between_two_of_one_name():
    """Where patient and doctor share a name, Dr. and Mrs. tell."""
    header = {"patient_family": "Okafor", "attending_family": "Okafor"}
    assert {Label.DOCTOR} == {label for _, label, _ in find("Dr. Okafor", header)}
    assert {Label.PATIENT} == {label for _, label, _ in find("Mrs. Okafor", header)}


def test_neighbours_decide_between_relatives():
    """The given name tells which of two Okafors is meant."""
    header = {"patient_family": "Okafor", "patient_given": "Ngozi", "kin_family": "Okafor",
              "kin_given": "Chidi"}  # fmt: skip
    index = PhraseIndex.build(from_header(header, WORDS).phrases, CUES)
    document = read("with Chidi Okafor", "en", RULES)
    assert ["kin:1"] == [span.entity for span in PhraseTagger(RESOURCES).tag(document, index)]


def test_initials_count_as_a_signature_only():
    """Typist lines and ends of notes show a doctor's initials; a word of two letters does not."""
    header = {"attending_family": "Quansah", "attending_given": "Kofi"}
    assert ["KQ"] == mentions("Follow up in May.\n\nKQ/lmt", header)
    assert [] == mentions("take KQ twice", header)


def test_an_empty_index_finds_nothing():
    """No phrases, no mentions, and no sweep."""
    index = NOBODY
    assert [] == PhraseTagger(RESOURCES).tag(read("Okafor", "en", RULES), index)
    assert [] == sweep(["Okafor"], index)


def test_a_sweep_finds_certain_phrases_only():
    """Kept values lose names and numbers; common words, short numbers and codes stay."""
    index = PhraseIndex.build(from_header(HEADER, WORDS).phrases, CUES)
    kept = ["Okafor^Result", "12345", "MN", "712345", "712345-6", "rose", "BWH"]
    found = {(place, kept[place][span.start : span.end]) for place, span in sweep(kept, index)}
    assert {(0, "Okafor"), (3, "712345"), (4, "712345")} == found


NAME = st.text("abcdefghijklmnopqrstuvwxyzéü", min_size=4, max_size=12)


@given(NAME, st.sampled_from([str.upper, str.lower, str.title]), st.text(" .,;\n", min_size=1))
def test_a_planted_name_is_always_found(name, dress, around):
    """Whatever the case and the marks around it."""
    phrase = TrustedPhrase(name, Label.PATIENT, "patient", "{family}")
    text = f"seen{around}{dress(name)}{around}today"
    document = read(text, "en", RULES)
    spans = PhraseTagger(RESOURCES).tag(document, PhraseIndex.build([phrase], CUES))
    assert [dress(name)] == [text[span.start : span.end] for span in spans]


@pytest.mark.corpus
def test_phrases_are_precise_on_annotated_notes(shared_data, repository):
    """Of the tokens that phrases and variants mark, 97 % and more are annotated."""
    folder = repository / "rules" / "lexicons"

    def lexicon(name):
        return Lexicon.parse((folder / name / "items.txt").read_text("utf-8"))

    ordinary, medical = lexicon("en-ordinary"), lexicon("en-medical")
    nicknames = (folder / "en-nicknames" / "items.txt").read_text("utf-8")
    words = word_list(frozenset(ordinary), frozenset(medical), parse_nicknames(nicknames))
    resources = Resources("en", (), {"en-medical": medical}, RULES, words.ordinary)
    taggers = PhraseTagger(resources), VariantTagger(resources)
    right = wrong = 0
    for line in (shared_data / "corpora" / "notes_en" / "c.jsonl").open(encoding="utf-8"):
        note = json.loads(line)
        index = PhraseIndex.build(from_header(note["meta"], words).phrases, CUES)
        document = read(note["text"], "en", RULES)
        gold = {i for span in note["spans"] for i in range(span["start"], span["end"])}
        for tagger in taggers:
            for span in tagger.tag(document, index):
                starts = [s for s in document.tokens.starts if span.start <= s < span.end]
                right += sum(s in gold for s in starts if note["text"][s].isalnum())
                wrong += sum(s not in gold for s in starts if note["text"][s].isalnum())
    assert right > 500
    assert right / (right + wrong) >= 0.97


PIECES = (
    "okafor NWOSU Róbert rob\u0301ert Bob A. 00712345 007-12345 318-44- 0927 May Rose Dr McDonald"
    " mc Brigham & Women's hospital 2207 Ravine - , x MN Duluth"
).split()
TEXTS = st.lists(st.sampled_from((*PIECES, " ", "\n", ", ")), max_size=12).map("".join)


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_phrases_left_out_for_some_texts_are_in_none_of_them(texts):
    """An index made for some texts finds in each of them what the whole index finds."""
    index = PhraseIndex.build(from_header(HEADER, WORDS).phrases, CUES)
    tagger = PhraseTagger(RESOURCES)
    for text in texts:
        document = read(text, "en", RULES)
        expected = list(tagger.tag(document, index))
        assert expected == list(tagger.tag(document, index.within(texts)))


@pytest.mark.parametrize("mark", "?*#!:;+=%$@~¶±¤§°«»×•€\u00b7\ufffd")
def test_a_mark_inside_a_name_is_no_gap(mark):
    """Whatever stands in a field for a letter stands for it in a text too."""
    name = f"Ahl{mark}strom"
    header = {"patient_family": name, "patient_given": "Anselm"}
    assert [name] == mentions(f"Frau {name} war da", header)


@pytest.mark.parametrize("lost", ["?", "??", "\ufffd", "\u00bf", "_", "*", "#"])
def test_a_name_is_found_without_its_accented_letters(lost):
    """Where a system wrote marks for them; words that have none of these letters are no match."""
    header = {"patient_family": "Müller", "patient_given": "Núria"}
    assert [f"M{lost}ller", f"N{lost}ria"] == mentions(f"M{lost}ller came, N{lost}ria", header)
    assert [] == mentions("Mller, M ller, nria, M.Ller", header)


def test_the_end_of_another_word_is_no_initial():
    """Letters of "n/a", of a possessive or of "q4h" do not belong to the name behind them."""
    header = {"patient_family": "Hadlock", "patient_given": "Anselm Stig"}
    assert ["Hadlock"] == mentions("Hegar n/a. Hadlock told", header)
    assert ["Hadlock"] == mentions("the sister's. Hadlock told", header)
    assert ["A. Hadlock"] == mentions("seen by A. Hadlock", header)
    assert ["Hadlock"] == mentions("oxycodone 5 mg q4h. Hadlock needs a day", header)


def test_the_begin_of_a_code_is_no_initial():
    """A letter before a digit belongs to what follows, whoever's initial it may be."""
    header = {"patient_family": "Githens", "patient_given": "Leilani"}
    assert ["Leilani"] == mentions("mom Leilani G2P2 well", header)
    assert ["Leilani Githens"] == mentions("mom Leilani Githens 2 days", header)


@pytest.mark.parametrize(("given", "degree"), [("Minh", "M.D."), ("Dao", "D.O."), ("Phuc", "P.A.")])
def test_a_degree_is_no_initial(given, degree):
    """The first letter of a degree behind a family name is not the given name."""
    header = {"attending_family": "Vu", "attending_given": given}
    assert ["Vu"] == mentions(f"cc: Vu, {degree}", header)
    assert [f"Vu, {given[0]}"] == mentions(f"cc: Vu, {given[0]}.", header)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Cefepime MIC 2 S, MIC by Etest", 0),
        ("an MIC at MIC of 4, mic low", 0),
        ("Transferred from MIC.", 1),
        ("TRANSFERRED FROM MIC. CEFEPIME MIC 2", 1),
        ("Seen at MIC in May", 1),
        ("MIC hospital sent records", 1),
    ],
)
def test_a_facility_code_that_is_a_clinical_word_needs_a_word_beside_it(text, found):
    """The code of a facility may be an abbreviation that every text has."""
    phrase = TrustedPhrase("MIC", Label.HOSPITAL, "facility:1", "{org}", ordinary=True)
    tagged = PhraseTagger(RESOURCES).tag(
        read(text, "en", RULES), PhraseIndex.build((phrase,), CUES)
    )
    assert len(list(tagged)) == found


@pytest.mark.parametrize(
    ("given", "family", "text"),
    [
        ("राजेश", "शर्मा", "Rounds. राजेश आया; शर्मा जी"),
        ("குமார்", "தமிழரசி", "Rounds: குமார் ok, தமிழரசி"),
        ("রহিমা", "চৌধুরী", "রহিমা seen with চৌধুরী"),
    ],
)
def test_names_are_found_whole_in_scripts_that_write_vowels_as_marks(given, family, text):
    """A letter and the marks on it are one token, so that a name has no gaps."""
    header = {"patient_given": given, "patient_family": family}
    assert {given, family} == set(mentions(text, header))
