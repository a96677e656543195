"""A site's own tables of names."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.surrogates import SurrogateOptions, compile_surrogates, own_tables
from adapter.types import Extraction, Label, Span
from tests.wording import TITLES, WORDS

NAMES = tuple(f"{a}{b}{c}" for a, b, c in product("BDFGKLMNPRST", "aeiou", ("lan", "rik")))
ALL = {name: "\n".join(NAMES) for name in
       ("family.txt", "given-female.txt", "given-male.txt", "given-unisex.txt")}  # fmt: skip
DOCTOR = Span(0, 1, Label.DOCTOR, "x")


def plain(text):
    """Whether no word of a text is a title, which stays."""
    return TITLES.prefixes.isdisjoint(text.lower().split())


@pytest.fixture(scope="module")
def own(tables, key):
    """Surrogates drawn from own names alone."""
    return compile_surrogates(
        {**tables, **own_tables(ALL, "names", TITLES)}, WORDS, key, SurrogateOptions()
    )


@given(st.from_regex(r"[A-Z][a-z]{6,9} [A-Z][a-z]{6,9}", fullmatch=True).filter(plain))
def test_every_surrogate_is_of_the_own_tables(own, text):
    """No shipped name is drawn where all tables are the site's."""
    renderer = own.renderer(Extraction((), (), {}, "id:1"), frozenset())
    assert set(renderer.render(text, DOCTOR).split()) <= set(NAMES)


def test_one_table_may_be_replaced(tables, key):
    """The tables that the site does not give are the shipped ones."""
    mixed = {**tables, **own_tables({"family.txt": "\n".join(NAMES)}, "names", TITLES)}
    renderer = compile_surrogates(mixed, WORDS, key, SurrogateOptions()).renderer(
        Extraction((), (), {}, "id:1"), frozenset()
    )
    given, family = renderer.render("Mary Smith", DOCTOR).split()
    assert (True, True) == (given in tables["en-given-female"], family in NAMES)


def test_order_comments_and_blank_lines_do_not_matter():
    """Only the set of names does."""
    text = "# ours\n\n" + "\n".join(f" {name} " for name in reversed(NAMES))
    assert own_tables({"family.txt": text}, "n", TITLES) == own_tables(
        {"family.txt": ALL["family.txt"]}, "n", TITLES
    )


@pytest.mark.parametrize(
    "line", ["smith", "Dr", "Van", "A", "Anna Maria", "X Æ A-12", "Anna1", "Smith,John", "<b>", "-"]
)
def test_what_is_no_name_is_refused_by_line(line):
    """The error tells file and line, and never quotes the line."""
    with pytest.raises(RuleError, match=r"names/family.txt:3.*must be one") as error:
        own_tables({"family.txt": f"# ours\nBalan\n{line}\n{ALL['family.txt']}"}, "names", TITLES)
    assert len(line) < 3 or line not in str(error.value)


def test_a_name_twice_is_refused():
    """The error tells both lines."""
    with pytest.raises(RuleError, match=r"family.txt:121.*name of line 1"):
        own_tables({"family.txt": f"{ALL['family.txt']}\n{NAMES[0]}"}, "names", TITLES)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, "has none of family.txt"),
        ({"given-female.txt": "Balan\nBarik"}, "has 2 names, fewer than 100"),
        ({"surnames.txt": ALL["family.txt"]}, "must be one of family.txt"),
    ],
)
def test_too_few_names_or_unknown_files_are_refused(files, problem):
    """So is a folder without any table."""
    with pytest.raises(RuleError, match=problem):
        own_tables(files, "names", TITLES)


def test_tables_without_common_initials_are_refused(tables, key):
    """Initials of surrogates are drawn from those that all tables have."""
    vowels = "\n".join(f"A{a}{b}{c}" for a, b, c in product("bdfgkl", "aeiou", "nrst"))
    mixed = {**tables, **own_tables({"family.txt": vowels}, "names", TITLES)}
    with pytest.raises(RuleError, match="too few initials"):
        compile_surrogates(mixed, WORDS, key, SurrogateOptions())


def test_initials_agree_with_own_names(own):
    """An initial is that of the full name, in another message too."""
    renderers = [own.renderer(Extraction((), (), {}, f"id:{n}"), frozenset()) for n in (1, 2)]
    full, short = (
        renderers[0].render("Karen Baptiste", DOCTOR),
        renderers[1].render("K. Baptiste", DOCTOR),
    )
    assert short == f"{full[0]}. {full.split()[1]}"
