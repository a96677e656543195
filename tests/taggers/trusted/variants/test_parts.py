"""Known names in parts are found, neighbouring words that happen to spell one are not."""

from __future__ import annotations

import pytest

from adapter.taggers.document.document import read
from adapter.taggers.trusted.variants.parts import Parts
from adapter.types import Label, TrustedPhrase
from tests.corpus.runs import ruleset

NAMES = {
    name: [TrustedPhrase(name, Label.PATIENT, "patient", "{family}")]
    for name in ("thistlewaite", "okonjidele", "underwood", "anne", "annemarie", "goodwin")
}
NAMES["blackbird"] = [
    TrustedPhrase("blackbird", Label.PATIENT, "patient", "{family}", ordinary=True)
]
COMMON = {"thistle", "under", "wood", "good", "win", "marie"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Thistle waite called", ["Thistle waite"]),
        ("told Okonji-dele, okonji  dele", ["Okonji-dele", "okonji  dele"]),
        ("seen by Okon\njidele", ["Okon\njidele"]),
        ("O konjidele left", ["O konjidele"]),
        ("Okonjidel e left", ["Okonjidel e"]),
        ("Under wood notified", ["Under wood"]),
        ("under wood, UNDER WOOD, Under Wood", []),  # as written, two words
        ("Good win", []),
        ("Anne Marie", []),  # a part is a name itself
        ("okonji, dele okonji. dele", []),
        ("Okonjidele", []),
        ("Black bird", []),  # a word of the language
        ("Thistle- waite, thistle -waite", ["Thistle- waite", "thistle -waite"]),
        ("Okonji-\n  dele, okonji\n-dele", ["Okonji-\n  dele", "okonji\n-dele"]),
        ("Okonji -- dele, okonji\n\ndele", []),
        ("ThistleWaite, OkonjiDele", []),  # no gap
    ],
)
def test_a_known_name_in_two_parts_is_found(text, expected):
    """A name of six letters and more, with nothing but a gap inside."""
    document = read(text, "en", ruleset().languages["en"].sections)
    found = sorted(Parts(NAMES).parted(document, COMMON.__contains__))
    assert expected == [text[start:end] for start, end, _ in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This tle waite called", ["This tle waite"]),
        ("told OKON JI DELE and Oko nji de le", ["OKON JI DELE", "Oko nji de le"]),
        ("Oko-nji-\ndele, ThistLe wai te", ["Oko-nji-\ndele", "ThistLe wai te"]),
        ("Oko\u2010nji dele", ["Oko\u2010nji dele"]),
        ("Mar in good, Marin good", ["Mar in good", "Marin good"]),
        ("go od win", ["go od win"]),
        ("Un der wood", ["Un der wood"]),
        ("for get me, FOR GET ME", []),  # words only, as words are written
        ("For get me", ["For get me"]),
        ("De La Cruz", []),  # as the name is written
        ("Anne Marie Anne", []),  # all parts are names themselves
        ("Oko.nji dele, oko_nji/dele x", ["Oko.nji dele", "oko_nji/dele"]),
        ("oko nji. dele, oko, nji dele", []),
        ("oko nji dele x", ["oko nji dele"]),
        ("oko nji delegate", []),
    ],
)
def test_a_known_name_in_several_parts_is_found(text, expected):
    """Blanks, hyphens and line breaks may be in any places, if one part is no common word."""
    more = {
        "maringood": "Maringood",
        "forgetme": "Forgetme",
        "marie": "Marie",
        "delacruz": "De La Cruz",
    }
    names = NAMES | {
        name: [TrustedPhrase(sent, Label.PATIENT, "patient", "{family}")]
        for name, sent in (*more.items(), ("annemarieanne", "Annemarieanne"))
    }
    common = COMMON | {"for", "get", "me", "in"}
    document = read(text, "en", ruleset().languages["en"].sections)
    found = sorted(Parts(names).parted(document, common.__contains__))
    assert expected == [text[start:end] for start, end, _ in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("told thistle.waite, thistle...waite", ["thistle.waite", "thistle...waite"]),
        ("(thistle)waite said", ["thistle)waite"]),
        ("**thi**stle_wa_ite", ["thi**stle_wa_ite"]),
        ("<b>th</b>istlewaite and", ["th</b>istlewaite"]),
        ('<span class="x">thistle</span><i>waite</i>', ["thistle</span><i>waite"]),
        ("this&shy;tlewaite", ["this&shy;tlewaite"]),
        ("under.wood/okonjidele", ["under.wood"]),
        ("thunder.woods", []),  # within other words
        ("okonjidele, underwood", []),  # no mark inside
        ("a.n.n.e", []),  # too short
        ("black/bird", []),  # a word of the language
    ],
)
def test_marks_and_markup_inside_a_name_do_not_hide_it(text, expected):
    """What stands between letters without a blank is no border of a word."""
    found = [text[start:end] for start, end, _ in Parts(NAMES).interrupted(text)]
    assert found == expected
