"""Seeds as a person writes them."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.methods.induction.seeds import CAPITAL, LOWER, STOP, key_of, parse


def test_toml_and_lines_say_the_same():
    """A list by class, or a line each, give the same seeds."""
    toml = parse('city = ["Ávila", "La  Paz"]\nstop = ["Servicio"]\n', "s.toml")
    lines = parse("# ours\ncity\tÁvila\ncity\tLa Paz\n\nstop\tServicio\n", "s.tsv")
    assert toml == lines
    assert toml.classes == ("city",)
    assert toml.terms[STOP] == ("Servicio",)


@pytest.mark.parametrize(
    ("text", "name", "what"),
    [
        ("city = [", "s.toml", "not TOML"),
        ('"Ávila".a = 1\n"Ávila".a = 2', "s.toml", "is not TOML"),
        ('["Ávila"]\n["Ávila"]', "s.toml", "s.toml:2: is not TOML"),
        ('city = "Ávila"', "s.toml", "not a list"),
        ('"Ávila" = "city"', "s.toml", "class 1: is not a list"),
        ('stop = ["Servicio"]\nAvila = ["city"]', "s.toml", "class 2: .*lower-case"),
        (
            'city = ["Ávila"]\nstate = ["avila"]',
            "s.toml",
            r"class 2, term 1: .*too \(at s\.toml, class 1,",
        ),
        ("city = [1]", "s.toml", "not a list"),
        ("city Ávila\n", "s.tsv", "s.tsv:1"),
        ("a/b\tÁvila\n", "s.tsv", "lower-case"),
        ("Avila\tcity\n", "s.tsv", "s.tsv:1: .*lower-case"),
        ("la vila\tcity\n", "s.tsv", "lower-case"),
        ("avila1\tcity\n", "s.tsv", "lower-case"),
        ("city\tÁvila\nstate\tavila\n", "s.tsv", "s.tsv:2: .*another class too"),
        ("avila\tcity\nsevilla\tcity\n", "s.tsv", "s.tsv:2: .*another class too"),
        ("", "s.tsv", "no seeds"),
        ("stop\tServicio\n", "s.tsv", "no seeds"),
    ],
)
def test_broken_seeds_are_named(text, name, what):
    """What is wrong is said with its place; no class or term is quoted, for they may be swapped."""
    with pytest.raises(RuleError, match=what) as error:
        parse(text, name)
    assert "vila" not in str(error.value)


def test_connectives_are_those_of_the_seeds():
    """Lower-case words within seeds of a kind join words of that kind."""
    seeds = parse("facility\tHospital de la Paz\njob\tauxiliar de clínica\n", "s.tsv")
    assert seeds.inner_words(CAPITAL) == {"de", "la"}
    assert seeds.inner_words(LOWER) == {"de"}


def test_items_are_folded_tokens():
    """An item has one blank between tokens, as those of lexicons."""
    assert key_of("Pérez-Gil") == "perez - gil"
