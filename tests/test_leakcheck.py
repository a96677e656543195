"""The leak check reads kept characters only."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import LeakError
from adapter.leakcheck import check
from adapter.types import Edit, Label, Message, TextSegment, TrustedPhrase


def message(*texts):
    """A message of one segment for each text, with paths "0", "1" ..."""
    segments = tuple(TextSegment(str(i), str(i), "ST", text) for i, text in enumerate(texts))
    return Message("text", "", segments, None)


def phrase(text, label=Label.PATIENT, form="{family}", *, ordinary=False):
    """A trusted phrase of the patient."""
    return TrustedPhrase(text, label, "patient", form, ordinary)


def leaks(text, *phrases, edits=()):
    """The code of the leak, or None."""
    try:
        check(message(text), edits, phrases, ())
    except LeakError as error:
        return error.code
    return None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Okafor", "seen OKAFOR today"),
        ("Okafor", "seen ókafor, today"),
        ("Okafor", "seen O\u0301kafor"),
        ("Okafor", "OkaforReports pain"),
        ("Okafor", "from jokafor@"),
        ("Smith, John", "SMITH JOHN"),
        ("O'Brien", "mr obrien"),
        ("OBRIEN", "Mr O'Brien"),
        ("Garcia-Lopez", "Garcia Lopez"),
        ("Garcialopez", "Garcia-Lopez"),
        ("Wisniewski", "Wisni\newski"),
        ("Wisniewski", "Wisni-\newski's"),
        ("Wisniewski", "wisni_ewskis"),
        ("Wisniewski", "seen-xwisniewskix-today"),
        ("Wisniewski", "xwisniewskix"),
        ("Okafor", "O K A F O R"),
        ("Okafor", "seen O.K.A.F.O.R. today"),
        ("Okafor", "Oka<b>f</b>or"),
        ("Okafor", "Ok\u00ad\u200dafor"),
        ("Okafor", "Ok&shy;afor"),
        ("Okafor", "Oka\x00for"),
        ("Okafor", "\u041ekaf\u043er"),
        ("Garciamarquez", "Garcia Marquez"),
        ("Wisniewski", "label iksweinsiW"),
        ("Wisniewski", "seen \u202eiksweinsiW\u202c"),
        ("\u738b\u4f1f", "\u4eca\u5929\u738b\u4f1f\u6765"),
    ],
)
def test_a_name_is_seen_in_any_dress(value, text):
    """Case, accents, marks, glue and line breaks hide nothing."""
    assert "known-value" == leaks(text, phrase(value))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Anna", "annual"),
        ("Morgan", "Morganella"),
        ("Salm", "salmon"),
        ("Okafor", "oka for"),
        ("Okafor", "rofako"),
        ("Wisniewski", "iksweinsiws"),
        ("Deathcert", "death-certification"),
        ("Deathcert", "home_death_certificate"),
    ],
)
def test_parts_of_other_words_are_no_leak(value, text):
    """Short values need borders of words."""
    assert leaks(text, phrase(value)) is None


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        ("00712345", "MRN 00-712-345", "known-value"),
        ("00712345", "id:00712345x", "known-value"),
        ("2185550171", "(218) 555-0171", "known-value"),
        ("712345", "1712345", None),
        ("712345", "712345-6", "known-value"),
        ("712345", "1.712345", None),
        ("4315733", "1.4315733", "known-value"),
        ("4315733", "4,315;733", "known-value"),
        ("712345", "7 then 12345", None),
        ("71234", "71234", None),
    ],
)
def test_a_number_is_seen_with_any_marks(value, text, expected):
    """But not inside a longer number, and not over words between digits."""
    assert expected == leaks(text, phrase(value, Label.MEDICALRECORD, "{id}"))


def test_a_birth_date_is_seen_in_its_layout():
    """The separators are the writer's choice."""
    born = phrase("02 18 1953", Label.DATE, "{birthdate}")
    assert "known-value" == leaks("DOB 02/18/1953", born)
    assert leaks("02/18/19530", born) is None


def test_common_words_and_states_are_no_leak():
    """What proves nothing alone cannot leak alone."""
    assert leaks("a long road", phrase("Long", ordinary=True)) is None
    assert leaks("MINN 55616", phrase("55616", Label.ZIP, "{zip}")) is None


def test_patterns_are_seen():
    """Even of values no field told of; across a replacement they are not."""
    pattern = regex.compile(r"\d{3}-\d{2}")
    with pytest.raises(LeakError, match="pattern"):
        check(message("of 318-44"), (), (), (pattern,))
    check(message("of 318-44"), (Edit("0", 3, 6, "900"),), (), (pattern,))


def test_replaced_characters_are_not_read():
    """A surrogate, even one that equals the value, raises no alarm; the rest is read."""
    edits = (Edit("0", 5, 11, "Okafor"),)
    assert leaks("seen Okafor today", phrase("Okafor"), edits=edits) is None
    assert "known-value" == leaks("seen Okafor, Okafor", phrase("Okafor"), edits=edits)


def test_what_stands_on_both_sides_of_a_replacement_is_not_read_together():
    """A "John [..] Smith" holds no "John Smith"."""
    whole = phrase("John Smith", form="{given} {family}")
    assert leaks("John X Smith", whole, edits=(Edit("0", 5, 6, "Y"),)) is None


def test_segments_are_not_read_together():
    """A value over two fields is none."""
    with pytest.raises(LeakError):
        check(message("Okafor"), (), [phrase("Okafor")], ())
    check(message("Oka", "for"), (), [phrase("Okafor")], ())


@given(
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=6, max_size=12),
    st.lists(st.text("bcdfg 123", max_size=8), max_size=4),
    st.sampled_from([str.upper, str.lower, str.title]),
    st.sampled_from(["", " ", ", ", "/", "\n", "^"]),
)
def test_a_planted_value_is_always_seen(value, around, dress, mark):
    """Wherever and however a value stands as a word."""
    text = mark.join([*around, f" {dress(value)} ", *around])
    assert "known-value" == leaks(text, phrase(value))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("021853", "Okafor 021853 F"),
        ("021853", "id RO021853"),
        ("021853", "DOB 0 2 1 8 5 3 F"),
        ("02181953", "DOB 0 2 1 8 1 9 5 3"),
    ],
)
def test_a_birth_date_is_seen_without_separators_and_with_its_digits_apart(value, text):
    """Also as six digits, if these are a number of their own."""
    assert "known-value" == leaks(text, phrase(value, Label.DATE, "{birthdate}"))


@pytest.mark.parametrize(
    "text", ["10218530", "0.021853", "021853 /uL", "02:18:53", "scores 1 0 2 1 8 5 3"]
)
def test_six_digits_of_a_birth_date_are_no_leak_within_other_numbers(text):
    """Longer numbers, decimals, counts in a volume, times of day and rows of single digits."""
    assert leaks(text, phrase("021853", Label.DATE, "{birthdate}")) is None
