"""Ways to write a value so that a reader knows it and a search for its letters does not."""

from __future__ import annotations

import html
import re
import unicodedata
from itertools import pairwise

from hypothesis import strategies as st

LOOK_ALIKE = dict(zip("aeopcxyiAEOPCTHKMB", "аеорсхуіАЕОРСТНКМВ", strict=True))
INVISIBLE = ("\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u202c", "\ufe0f",
             "\u034f", "\U000e0041")  # fmt: skip
MARKUP = ("&shy;", "&zwnj;", "&#173;", "&#x200D;", "<wbr>", "<wbr/>", "<b></b>", "<!-- x -->",
          "&amp;shy;")  # fmt: skip


def upper(text, _):
    """In capitals."""
    return text.upper()


def decomposed(text, _):
    """Letters and accents apart (NFD)."""
    return unicodedata.normalize("NFD", text)


def accented(text, place):
    """A letter with an accent that it does not have."""
    return text[: place + 1] + "\u0301" + text[place + 1 :] if text[place].isalpha() else text


def wide(text, _):
    """In full width."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" < c < "\x7f" else c for c in text)


def alike(text, _):
    """With letters of another script."""
    return "".join(LOOK_ALIKE.get(c, c) for c in text)


def apart(separator):
    """Letters written apart."""

    def write(text, _):
        return "".join(
            a + separator if a.isalnum() and b.isalnum() else a for a, b in pairwise(text + "\0")
        )

    return write


def inserted(mark):
    """A mark that does not show, inside."""

    def write(text, place):
        return text[:place] + mark + text[place:]

    return write


def emphasised(text, place):
    """A character in a tag of its own."""
    return f"{text[:place]}<b>{text[place]}</b>{text[place + 1 :]}"


def spelt(text, place):
    """A character as a numeric entity."""
    return f"{text[:place]}&#{ord(text[place])};{text[place + 1 :]}"


LETTERS = (upper, alike, wide)
SPACINGS = tuple(map(apart, (" ", ".", "-", " - ", "_")))
MARKS = (accented, decomposed)
HIDDEN = (emphasised, spelt, *map(inserted, INVISIBLE), *map(inserted, MARKUP))


@st.composite
def disguised(draw, value, spacings=SPACINGS):
    """A value under some of the disguises, one of each kind at most."""
    text = value
    for kind in (LETTERS, spacings, MARKS, HIDDEN):
        if draw(st.booleans()):
            choice = draw(st.sampled_from(kind))
            places = [i for i, c in enumerate(text) if i and c.isalnum() and c.isascii()]
            text = choice(text, draw(st.sampled_from(places)) if places else 0)
    return text


SEEN = str.maketrans({new: old for old, new in LOOK_ALIKE.items()})


def seen(text):
    """What a reader makes of a text, letters and digits only; knows nothing of the product."""
    for _ in range(3):
        text = html.unescape(re.sub(r"<!--.*?-->|</?\w+[^<>]*>", "", text))
    text = unicodedata.normalize("NFKD", text).translate(SEEN)
    return "".join(c for c in text.casefold() if c.isalnum())
