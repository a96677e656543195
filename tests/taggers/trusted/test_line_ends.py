"""Words in lines of their own that spell a known name stay; a name in two lines is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapter.taggers.document.document import read
from adapter.taggers.trusted.index import PhraseIndex
from adapter.taggers.trusted.line_ends import RULE
from adapter.taggers.trusted.mentions import PhraseTagger
from adapter.types import Label, Span, TrustedPhrase
from tests.corpus.runs import ruleset
from tests.taggers.trusted.test_mentions import RESOURCES
from tests.wording import CUES

WORDS = (
    "white head eyes red is was discharge normal new port long pain hare field with told to light"
)
PHRASES = [
    TrustedPhrase("whitehead", Label.PATIENT, "patient", "{family}"),
    TrustedPhrase("ann", Label.PATIENT, "patient", "{given}"),
    TrustedPhrase("newport", Label.CITY, "patient", "{city}"),
    TrustedPhrase("harezfield", Label.PATIENT, "patient", "{family}"),
    TrustedPhrase("long hill", Label.PATIENT, "patient", "{family}"),
]


def stays(text):
    """Whether a veto lies over all that phrases found in a text."""
    tagger = PhraseTagger(replace(RESOURCES, words=WORDS))
    document = read(text, "en", ruleset().languages["en"].sections)
    found = list(tagger.tag(document, PhraseIndex.build(PHRASES, CUES)))
    vetoed = {(v.start, v.end) for v in found if not isinstance(v, Span) and v.rule == RULE}
    return {(s.start, s.end) for s in found if isinstance(s, Span)} == vetoed != set()


@pytest.mark.parametrize(
    "text",
    [
        "Discharge is white\nHead normal",
        "Discharge is white \n  Head normal",
        "Site new\nPort flushed",
        "EYES WHITE\nHEAD NORMOCEPHALIC ATRAUMATIC",
        "eyes white\nhead normocephalic, atraumatic",
    ],
)
def test_two_words_in_lines_of_their_own_stay(text):
    """A capital begins the second line, or the first line is too short to have been broken."""
    assert stays(text)


@pytest.mark.parametrize(
    "text",
    [
        "told Mr White\nhead",
        "told Mr White-\nhead",
        "told mrs white\nHead",
        "Patient: white\nHead was normal",
        "ann white\nHead normal",
        "white\nHead, Ann",
        "White\nhead was here",
        "White\nHead was here",
        "SEEN BY WHITE\nHEAD ABOUT HER PAIN AND FEVER",
        "THE PLAN AGREED WITH ALL, ALSO WHITE\nHEAD",
        "WHITE\nHEAD IN PAIN",
        "and white\nhead reports pain since monday",
        "harez\nField of vision",
        "is long\nHill",
    ],
)
def test_a_name_that_a_line_end_breaks_is_found(text):
    """A title, field, name or verb is beside it, a line is full, or a part is no common word."""
    assert not stays(text)
