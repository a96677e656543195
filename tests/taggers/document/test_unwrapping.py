"""Breaks that only keep lines short are blanks; all others stay."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.taggers.document.unwrapping import NARROWEST, WIDEST, unwrapped

PARAGRAPH = (
    "The patient is a pleasant right handed gentleman who worked as a heavy equipment operator "
    "near Hilton Head before he retired; his daughter Rosalind Quillfeather drives him here every "
    "week from their house at Black Mesa Avenue in Flagstaff, and he was last seen by us in July "
    "and felt well then, walked without a cane and slept through most nights of the week."
)


@pytest.mark.parametrize("width", [60, 72, 80, 100])
def test_a_paragraph_broken_by_width_is_one_line(width):
    """Whatever the width, no break is left within it; those around it are."""
    text = f"HISTORY:\n{textwrap.fill(PARAGRAPH, width)}\n\nPLAN:\nas before"
    assert f"HISTORY:\n{PARAGRAPH}\n\nPLAN:\nas before" == unwrapped(text)


def test_capitals_tell_nothing_of_sentences():
    """A paragraph in capitals is one line too."""
    assert PARAGRAPH.upper() == unwrapped(textwrap.fill(PARAGRAPH, 72).upper())


@pytest.mark.parametrize(
    "line",
    ["- one thing", "2. another", "(b) a third", "Allergies: none", "   indented", "| cell", ""],
)
def test_lines_of_their_own_stay(line):
    """A bullet, a heading, indentation and an empty line are no words that found no room."""
    filled = textwrap.fill(PARAGRAPH, 60)
    text = f"{filled[: filled.rfind(chr(10))]}\n{line}\n{filled}"
    assert f"\n{line}\n" in unwrapped(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one line",
        "short\nlines\nof a list",
        PARAGRAPH + "\nas one line\nand others",
        "\n".join(PARAGRAPH[at : at + 72] for at in range(0, len(PARAGRAPH), 72)),
        (
            "Lisinopril 10 mg tablet by mouth once daily each morning\n"
            "Metformin 500 mg tablet by mouth twice a day with meals\n"
            "Atorvastatin 40 mg tablet by mouth at night before bed\n"
            "Aspirin 81 mg tablet by mouth daily with breakfast"
        ),
        (
            "pertussis antigens vaccine, five of them\t06/15/2021\n"
            "adult vaccine for travellers of all kinds\t09/08/2020\n"
            "vaccine of the other maker\t01/22/2021"
        ),
        "Name      Quillfeather, Rosalind Anne of Black Mesa\nAge  63\nWard  4 North\nBed 2",
    ],
)
def test_text_that_is_not_broken_by_width_stays(text):
    """Lists, tables, long lines, lines cut amid words and fields in columns are as they came."""
    assert text == unwrapped(text)


GOES_ON = frozenset(("from", "of", "dr"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "He came by train from\nNether Wallop and\nwent home",
            "He came by train from Nether Wallop and\nwent home",
        ),
        ("She was seen by Dr.\nOkonkwo here", "She was seen by Dr. Okonkwo here"),
        (
            "MOTHER IS AT UNIVERSITY OF \nNORTH TAMARACK",
            "MOTHER IS AT UNIVERSITY OF  NORTH TAMARACK",
        ),
        ("Sent from\nWard 4", "Sent from\nWard 4"),
        ("Three words are not of\n- this", "Three words are not of\n- this"),
        ("Name: Rosalind who comes from\nWard 4", "Name: Rosalind who comes from\nWard 4"),
        ("A line with a word from\nAllergies: none", "A line with a word from\nAllergies: none"),
    ],
)
def test_a_line_goes_on_after_a_word_that_ends_no_sentence(text, expected):
    """Whatever the width; but not in an attribute or a short line, nor before a line of its own."""
    assert expected == unwrapped(text, GOES_ON)


@given(
    st.lists(st.text("ab, .:-\t\r\n1", max_size=90), max_size=12).map("\n".join)
    | st.integers(NARROWEST, WIDEST).map(lambda width: textwrap.fill(PARAGRAPH, width))
)
def test_only_breaks_become_blanks(text):
    """Offsets hold: every other character is where it was."""
    new = unwrapped(text, ("a", "b"))
    changed = [(old, now) for old, now in zip(text, new, strict=True) if old != now]
    assert set(changed) <= {("\n", " ")}


@pytest.mark.parametrize("mark", [";", "|", ",", "   ", "\t"])
def test_rows_of_a_table_stay_however_full(mark):
    """Words of one row do not go on in the next one, whose first word did not fit."""
    row = mark.join(["ysoldefenn", "okolitaquin", "fenngraves", "1961-02-14"])
    text = "\n".join([row] * 4)
    assert unwrapped(text) == text
