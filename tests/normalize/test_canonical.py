"""Text as a reader sees it, mapped back to the characters that were sent."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.normalize.canonical import canonical, displayed, outside_tags, together
from adapter.normalize.folding import fold, squeeze, unspaced


@pytest.mark.parametrize(
    "written",
    [
        "Tha\u00adddeus",
        "T\u200dhadd\u200ceus",
        "\ufeffThadd\u2060eus",
        "\u202eThaddeus\u202c",
        "Thad\ufe0fdeus\U000e0041",
        "Tha\x00dd\x1deus",
        "Tha&shy;ddeus",
        "Tha&zwnj;dd&#8205;eus",
        "Tha&amp;amp;shy;ddeus",
        "&#84;ha&#x64;deus",
        "Tha<b>d</b>deus",
        "Tha<wbr>ddeus",
        'Tha<span class="x">d</span>deus',
        "Tha<!-- no name -->ddeus",
        "Tha&lt;b&gt;d&lt;/b&gt;deus",
        "<![CDATA[Thaddeus]]>",
        "Tha\\H\\dd\\N\\eus",
        "\\C2842\\Thad\\M2442\\deus",
        "Tha\\Zb\\dd\\Z02\\eus",
        "Thad\\u00addeus",
        "\u24c9\u24d7\u24d0\u24d3\u24d3\u24d4\u24e4\u24e2",
    ],
)
def test_what_a_reader_does_not_see_is_left_out(written):
    """Invisible characters, entities, tags, comments, highlighting and letters in frames."""
    assert squeeze("Thaddeus") == squeeze(displayed(written))


@pytest.mark.parametrize(
    "path", ["C:\\Zoe\\x", "C:\\Cade\\x", "C:\\Mabee\\x", "C:\\Maceda\\x", "C:\\Zac\\x"]
)
def test_a_name_in_a_path_is_no_escape(path):
    """Names between backslashes stay visible, also those of hexadecimal digits."""
    assert path == displayed(path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "WBC <5 & >3",
        "a <b c",
        "R&D <= 4 <x",
        "caf\u00e9 \u00b5g",
        "C:\\new",
        "x <!-- y",
        "\\.a\\",
    ],
)
def test_plain_text_is_its_own_canonical_form(text):
    """Nothing is made of texts that show what they are written as."""
    assert canonical(text) is None
    assert displayed(text) is text


@pytest.mark.parametrize(
    ("charset", "names"),
    [
        ("latin-1", "Müller Núñez Großmann Élodie Öhlströßner Łukasz Żółkiewska"),
        ("cp1252", "Müller Núñez Großmann Élodie Öhlströßner Żółkiewska"),
    ],
)
def test_utf_8_that_was_read_byte_by_byte_is_restored(charset, names):
    """Letters of two bytes shown as two characters; each maps back to both."""
    for name in names.split():
        _is_restored(name, name.encode().decode(charset))


def test_a_mark_behind_a_letter_is_no_second_half_of_it():
    """Words of several languages end in Ä or Å."""
    for text in ("“JYVÄSKYLÄ”", "RYTKÖLÄ’ today", "RYTKÖLÄ – 2", "PÅ\u00a02"):
        assert text == displayed(text)


def _is_restored(name, misread):
    form = canonical(f"a {misread} b")
    assert f"a {name} b" == form.text
    assert (2, 2 + len(misread)) == form.origin(2, 2 + len(name))


def test_letters_are_composed_and_ligatures_written_out():
    """NFC and NFD, jamo and syllables, ligatures and letters are one."""
    assert "caf\u00e9" == displayed("cafe\u0301")
    assert "\ud55c\uad6d" == displayed("\u1112\u1161\u11ab\u1100\u116e\u11a8")
    assert "finch" == displayed("\ufb01nch")


def test_elements_that_break_a_line_break_it():
    """A cell or a paragraph ends a word, emphasis does not."""
    assert "a\nb" == displayed("a<br/>b")
    assert "ab" == displayed("a<i>b</i>")


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("\u0422h\u0430dd\u0435us", "thaddeus"),
        ("\u039f\u039a\u039f\u039dJ\u039f", "okonjo"),
        ("\u1d1b\u029c\u1d00\u1d05", "thad"),
        ("\uff34\uff48\uff41\uff44", "thad"),
        ("\ud55c\uad6d", "\ud55c\uad6d"),
        ("\u0662\u0666\u0660", "260"),
        ("\uff12\u096c", "26"),
    ],
)
def test_letters_that_look_alike_are_folded_into_one(written, plain):
    """Cyrillic, Greek, small capitals and full width letters; syllables stay whole."""
    assert plain == fold(written)


@pytest.mark.parametrize(
    ("text", "extents"),
    [
        ("<Okonjo>", [(0, 8)]),
        ("<b>Okonjo</b>", [(3, 9)]),
        ("Thad <Okonjo> <br/>", [(0, 14)]),
        ('<B class="x">Okonjo</B>', [(2, 12), (13, 19)]),
    ],
)
def test_what_no_element_is_called_is_text(text, extents):
    """A name in angle brackets is replaced, the tags of elements stay."""
    assert extents == list(outside_tags(text))


def test_chinese_japanese_and_korean_words_are_known():
    """Two characters of these are a name."""
    assert unspaced("\u738b\u4f1f")
    assert unspaced("\ud55c")
    assert not unspaced("Li")
    assert not unspaced("\u738bx")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("T H A D", "THAD"),
        ("T H A D  S M", "THAD SM"),
        ("T.H.A.D. S.M.", "THAD SM"),
        ("T-H-A-D", "T-H-A-D".replace("-", "")),
        ("Thad S", "Thad S"),
    ],
)
def test_letters_apart_are_read_together(written, name):
    """A wider gap ends a word."""
    assert name == together(written)


PIECES = st.sampled_from(
    [*"aB 1.<>&;\\\n", "\u00ad", "\u200d", "&shy;", "<b>", "</b>", "<!--", "-->", "e\u0301",
     "\ufb01", "&lt;", "&amp;", "\\H\\", "\x00", "<br/>", "]]>", "\u1112\u1161"]
)  # fmt: skip


def _is_mapped(text):
    """Every character has a place of its own, in order, and those that show themselves theirs."""
    form = canonical(text)
    if form is None:
        return
    assert form.text != text
    last = 0
    for place, character in enumerate(form.text):
        start, end = form.origin(place, place + 1)
        assert last <= start < end <= len(text)
        assert end - start > 1 or text[start] == character or not text[start].isascii()
        last = start
    whole = form.origin(0, len(form.text)) if form.text else (0, len(text))
    assert squeeze(form.text) in squeeze(displayed(text[slice(*whole)]))


@given(st.lists(PIECES, max_size=30).map("".join))
def test_every_character_is_mapped_back(text):
    """Offsets of the canonical form lead to the characters it was made of, in order."""
    _is_mapped(text)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_the_canonical_form_is_its_own(text):
    """Read again it is the same, but for what more than three rounds of entities spell."""
    form = displayed(displayed(text))
    assert displayed(displayed(form)) == displayed(form)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_tags_outside_which_text_is_written_stay_whole(text):
    """What a surrogate is written over leaves the names of tags, and nothing a reader sees."""
    left, done = [], 0
    for start, end in outside_tags(text):
        assert done <= start < end
        left.append(text[done:start])
        done = end
    left.append(text[done:])
    assert not displayed("".join(left)).strip("\n")


@pytest.mark.parametrize(
    "unit", ["<!--", "<a ", "&amp;", "&", "\\H", "\u00ad", "-->", "<", "e\u0301", "\u1112", "]]>"]
)
def test_the_time_taken_is_linear(unit):
    """Eight times the text takes eight times as long, whatever it repeats."""
    times = [_seconds(unit * count + "x") for count in (8_000, 64_000)]
    assert times[1] < 8 * 2.5 * max(times[0], 0.004)


def _seconds(text):
    """Processor seconds of reading a text, the best of three."""
    times = []
    for _ in range(3):
        began = time.process_time()
        canonical(text)
        times.append(time.process_time() - began)
    return min(times)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("NºCol: 28 28, nº 4", None),
        ("3ª planta, 1.º B, 2ºB", None),
        ("Ramºn", "Ramon"),
        ("Nºemí", "Noemí"),
        ("NºEMÍ", "NoEMÍ"),
        ("ANº", "ANo"),
        ("J.ºSÉ", "J.oSÉ"),
        ("NºColás", "NoColás"),
    ],
)
def test_ordinals_of_abbreviations_stay(text, shown):
    """Ordinal letters behind a number or N are read as they stand, those in a word as letters."""
    found = canonical(text)
    assert shown == (found and found.text)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("**Tha**ddeus", "**Thaddeus"),
        ("*Thad*_deus_", "*Thaddeus_"),
        ("`Thad`deus", "`Thaddeus"),
        ("HLA-B*27, 5 * 10, snake_case", "HLA-B*27, 5 * 10, snake_case"),
    ],
)
def test_emphasis_inside_a_word_is_left_out(written, shown):
    """Marks of Markdown between letters hide a name; others stay."""
    assert displayed(written) == shown
