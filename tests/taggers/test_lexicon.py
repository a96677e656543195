"""Lexicons compile from their files, and the lexicon tagger finds names by lists and context."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.taggers.document.document import read
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.english import eponyms
from adapter.taggers.english.vocabulary import CLASSES
from adapter.taggers.lexicon import LexiconTagger
from adapter.taggers.trusted.index import NOBODY
from adapter.taggers.wordlists import Lexicon
from adapter.types import Span, Veto
from tests.wording import FIELDS

LEXICONS = Path(__file__).resolve().parents[2] / "rules" / "lexicons"
FOLDERS = sorted(
    path.parent for path in LEXICONS.glob("en-*/items.txt") if path.parent.name != "en-nicknames"
)
SECTIONS = SectionRules({})


def _lexicon(folder):
    exceptions = folder / "exceptions.txt"
    taken_out = exceptions.read_text("utf-8") if exceptions.is_file() else ""
    return Lexicon.parse((folder / "items.txt").read_text("utf-8"), taken_out)


@pytest.fixture(scope="module")
def tagger():
    """The English lexicon tagger over the shipped lexicons."""
    lexicons = {f.name: _lexicon(f) for f in FOLDERS}
    joined = FIELDS.glued, FIELDS.apostrophes
    return LexiconTagger(Resources("en", (), lexicons, SECTIONS, frozenset(), "", *joined))


@pytest.fixture
def covered(tagger):
    """A function: the words of a text that the tagger marks, in order."""

    def find(text):
        found = tagger.tag(read(text, "en", SECTIONS), NOBODY)
        marked = {k for s in found if isinstance(s, Span) for k in range(s.start, s.end)}
        shown = "".join(c if k in marked or c == "\n" else "\0" for k, c in enumerate(text))
        return [part.strip(" ,.'()\n") for part in shown.split("\0") if part.strip(" ,.'()\n")]

    return find


@pytest.fixture
def labels(tagger):
    """A function: the label of the strongest span that covers a part of a text."""

    def find(text, part):
        start = text.index(part)
        spans = [
            s
            for s in tagger.tag(read(text, "en", SECTIONS), NOBODY)
            if isinstance(s, Span) and s.start <= start < s.end
        ]
        return max(spans, key=lambda s: s.priority).label.value if spans else None

    return find


def test_parse_reads_strengths_classes_and_exceptions():
    """parse() reads a number as strength, words as classes, and leaves exceptions out."""
    lexicon = Lexicon.parse("ann\t7\nnew york\nnurse\tstaff kin\nmay\t3\n", "may\n")
    assert lexicon.strengths == {"ann": 7, "new york": 0, "nurse": 0}
    assert lexicon.classes["nurse"] == ("staff", "kin")
    assert "may" not in lexicon
    assert list(lexicon) == ["ann", "new york", "nurse"]


def test_longest_prefers_the_longer_item_and_stays_inside_the_words():
    """longest() gives the tokens of the longest item at a place, 0 for none, never past the end."""
    lexicon = Lexicon.parse("new\nnew york\nnew york city\n")
    assert lexicon.longest(["new", "york", "city"], 0) == 3
    assert lexicon.longest(["new", "york"], 0) == 2
    assert lexicon.longest(["new", "delhi"], 0) == 1
    assert lexicon.longest(["old"], 0) == 0


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f.name)
def test_shipped_lexicon_says_where_it_comes_from(folder):
    """Every lexicon names origin, licence, columns, and the digest of its items."""
    card = tomllib.loads((folder / "source.toml").read_text("utf-8"))
    digest = hashlib.sha256((folder / "items.txt").read_bytes()).hexdigest()
    assert f"sha256:{digest}" == card["digest"]
    assert all(card[key] for key in ("what", "origin", "licence", "columns", "date"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f.name)
def test_shipped_items_are_folded_and_single(folder):
    """Items are lower case, without doubles or blank ends."""
    items = [line.split("\t")[0] for line in (folder / "items.txt").read_text().splitlines()]
    assert len(items) == len(set(items))
    assert all(item == item.strip().lower() for item in items)


def test_cue_classes_are_known():
    """Every class of en-cue is one the reading knows."""
    lexicon = Lexicon.parse((LEXICONS / "en-cue" / "items.txt").read_text("utf-8"))
    assert set(CLASSES) == {c for classes in lexicon.classes.values() for c in classes}


def test_missing_lexicon_refuses_to_compile():
    """A tagger without its lexicons is a RuleError, not an empty result."""
    with pytest.raises(RuleError, match="lexicons/en-given"):
        LexiconTagger(Resources("en", (), {}, SECTIONS))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seen by Dr. Okafor today", ["Okafor"]),
        ("d/w dr wu and mr. Van den Berg", ["wu", "Van den Berg"]),
        ("Signed: J.-L. Thibodeaux, MD", ["J.-L. Thibodeaux"]),
        ("signed by Tomasz Wieczorek, PA-C", ["Tomasz Wieczorek"]),
        ("His daughter Paulina drove", ["Paulina"]),
        ("her son-in-law Kamil called", ["Kamil"]),
        ("her daughter April Brown called", ["April Brown"]),
        ("the mother, June Woods in clinic", ["June Woods"]),
        ("grandmother Autumn Chavez.", ["Autumn Chavez"]),
        ("his son Will Young drove", ["Will Young"]),
        ("her daughter Tia Brown drove", ["Tia Brown"]),
        ("his wife June visits", ["June"]),
        ("PCP: Priya Raghunathan", ["Priya Raghunathan"]),
        ("Name ....... Halvorsen, Ingrid K", ["Halvorsen, Ingrid K"]),
        ("spoke with McAlister about it", ["McAlister"]),
        ("CALLED TO DR OSEI AT 0412", ["OSEI"]),
        ("Plan unchanged.\nEG/ml", ["EG"]),
        ("Frank Hall, PA on call", ["Frank Hall"]),
        ("Sincerely, Clay Ostby, MD", ["Clay Ostby"]),
        ("Best, Clay Ostby", ["Clay Ostby"]),
        ("Drawn by May Castellan on time", ["May Castellan"]),
        ("seen with June Smith RN", ["June Smith"]),
        ("NO GROWTH 5 DAYS (6/14/22 BW)", ["BW"]),
        ("ring taped.\nCLM RN 6/5", ["CLM"]),
        ("Processed 1/02, TL.", ["TL"]),
        ("walked again with J. Smi\nthers RN.", ["J. Smi\nthers"]),
        ("Seen by Dr. Okafor\nwnl exam", ["Okafor"]),
    ],
)
def test_people(covered, text, expected):
    """People are found by title, degree, kin, role, field, form and signature."""
    assert expected == covered(text)


@pytest.mark.parametrize("text", ["HTN, DNR/DNI", "TAH/BSO", "Sept 9, 2023 EGD", "9/9/2023 EGD"])
def test_abbreviations_at_the_end_are_no_initials(covered, text):
    """What stands behind another abbreviation, or behind a year, signs nothing."""
    assert covered(text) == []


def test_abbreviations_behind_a_time_of_day_sign(covered):
    """Initials sign behind a time of day, even if they are an abbreviation too."""
    assert covered("VSS, 0830 SOB") == ["SOB"]


@pytest.mark.parametrize(
    ("text", "part", "label"),
    [
        ("admitted to Tamarack Regional Medical Center", "Tamarack", "HOSPITAL"),
        ("lectures at the University of Ibadan", "Ibadan", "ORGANIZATION"),
        ("moved from Las Vegas", "Las Vegas", "CITY"),
        ("Racine, WI 53402", "Racine", "CITY"),
        ("Racine, WI 53402", "WI", "STATE"),
        ("born in Ethiopia", "Ethiopia", "COUNTRY"),
        ("walks at Castle Island", "Castle", "LOCATION-OTHER"),
        ("anointed at St. Brendan's", "Brendan", "HOSPITAL"),
        ("insured by Blue Cross Blue Shield", "Blue", "ORGANIZATION"),
        ("set up by Arrowhead Visiting Nurses", "Arrowhead", "ORGANIZATION"),
        ("to Riverbend Visiting Nurse Association", "Riverbend", "ORGANIZATION"),
        ("bed from Bluff City Oxygen", "Bluff", "ORGANIZATION"),
        ("aide from North Shore Home Health", "North", "HOSPITAL"),
        ("is a pilot for Frontier.", "Frontier", "ORGANIZATION"),
        ("Employer Borderland Roofing", "Borderland", "ORGANIZATION"),
        ("sings at Greater Rose Hill MB Church", "MB", "ORGANIZATION"),
        ("refused Good Shepherd ED again", "Shepherd", "HOSPITAL"),
        ("seen at General Hospital", "General", "HOSPITAL"),
    ],
)
def test_places_and_organisations(labels, text, part, label):
    """Places and organisations are found by head word, list and context, with their label."""
    assert label == labels(text, part)


def test_a_credential_after_a_name_is_no_state(labels):
    """A degree after a given name and a family name that is a town's is no state's code."""
    assert labels("Solomon Price, MD", "MD") is None
    assert labels("moved to Bowie, MD", "MD") == "STATE"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a 71-year-old retired school bus driver", ["school bus driver"]),
        ("works as a line cook downtown", ["line cook"]),
        ("her father (coal miner) died", ["coal miner"]),
        ("26 y/o RH scrub tech, loading", ["scrub tech"]),
        ("Mom 27, home care aide, back", ["home care aide"]),
        ("he's a welder.", ["welder"]),
        ("OSA. Bricklayer, BMI 38", ["Bricklayer"]),
        ("at a niece's wedding; fair historian; his old boots", []),
        ("the nurse and the case manager agree", []),
        ("retired in spring, no driver today", []),
    ],
)
def test_professions(covered, text, expected):
    """Occupations of patients and kin are found; staff roles are not."""
    assert expected == covered(text)


@pytest.mark.parametrize(
    "text",
    [
        "Hx of Parkinson's disease, Crohn's, Graves disease and Bell's palsy.",
        "Foley in place, Jackson-Pratt drain, Swan-Ganz not required.",
        "Glasgow Coma Scale 15, Babinski down, no Homans sign, Romberg neg.",
        "Continue Lipitor 40 mg, Xarelto 20 mg and Tylenol prn.",
        "Pain Clinic and Wound Care Center follow up. Physical Therapy Department.",
        "IMPRESSION: MILD LA ENLARGEMENT. NO ACUTE CHANGE.",
        "Chest Pain, Shortness of breath. Plan: will mark the site. May bill Medicare.",
        "Vietnamese interpreter; Catholic. African American male.",
        "PI-RADS 4/5 TZ. ECG 9/3 NSR, LAD. NTG 0.4 SL: 1 q5 min. In May Hospital policy changed.",
        "Braden 14, Morse 65. Neer or Hawkins. Brazil nut. Hx MI, MS.",
        "Of 2 RNs both saw swollen MCPs; DTaP given. Rash after Texas cath. Works at night.",
        "Strength 5/5, Hgb 8.4, Plt 210, Na 138. Trop neg.",
        "Per mother June 2019, and mother, April of 2020. Daughter Major Depression.",
        "Crohn, Harvey-Bradshaw 6.",
        "Two 19 Fr Blake drains, 3/6 MR. Crackles; EEG at 0.5 ms. Brief pause. Gray pt, Young pt.",
        "Unna boot L. Pt off-loads. 3 levels, H&E. CPT 88305. Part A. MD aware.",
    ],
)
def test_lookalikes_stay(covered, text):
    """Eponyms, devices, brands, headings, kinds of clinics and abbreviations are no mentions."""
    assert covered(text) == []


def test_a_degree_before_another_is_nobody(covered):
    """Of a name with several degrees, the name alone is found."""
    assert covered("Anna Okonkwo, D.O., FAAP and Omar Vance, PsyD, RN") == [
        "Anna Okonkwo",
        "Omar Vance",
    ]


@pytest.mark.parametrize("text", ["Parkinson's disease", "a Kelly clamp", "fears Lou Gehrig's"])
def test_eponyms_are_vetoed(tagger, text):
    """An eponym with the thing it names is vetoed by name."""
    found = tagger.tag(read(text, "en", SECTIONS), NOBODY)
    rules = {item.rule for item in found if isinstance(item, Veto)}
    assert rules in ({"eponym"}, {"eponym.thing"})


def test_a_listed_pair_of_names_stays_whatever_a_model_says(tagger):
    """A listed eponym of hyphenated names outranks a listed phrase, unless titled."""
    text = "Mason-Likar leads, Ann Arbor; Dr. Mason-Likar"
    found = tagger.tag(read(text, "en", SECTIONS), NOBODY)
    vetoes = [item.priority for item in found if isinstance(item, Veto)]
    assert sorted(vetoes) == [eponyms.PRIORITY, eponyms.HYPHENATED]


def test_a_titled_person_is_no_eponym(tagger):
    """A title before it makes a person of an eponym."""
    found = tagger.tag(read("seen by Dr. Bell disease clinic", "en", SECTIONS), NOBODY)
    assert not any(isinstance(item, Veto) for item in found)


@given(st.text(alphabet="AaBbDr. ,'-\n\t(:)/12Mc\"&@", max_size=60))
def test_spans_lie_inside_any_text(tagger, text):
    """Whatever the text, every span is not empty and lies inside it."""
    for span in tagger.tag(read(text, "en", SECTIONS), NOBODY):
        assert 0 <= span.start < span.end <= len(text)


@pytest.mark.parametrize("name", ["Wilhelmsen", "Weimer", "Yoshida"])
def test_family_names_in_lists_of_diseases_are_names(covered, name):
    """A family name that a list of diseases has only in a disease's name is found like others."""
    assert covered(f"seen by {name}") == [name]
