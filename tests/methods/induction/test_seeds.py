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
        ('city = "Ávila"', "s.toml", "no list"),
        ("city = [1]", "s.toml", "no list"),
        ("city Ávila\n", "s.tsv", "s.tsv:1"),
        ("a/b\tÁvila\n", "s.tsv", "letters"),
        ("city\tÁvila\nstate\tavila\n", "s.tsv", "in common"),
        ("", "s.tsv", "no seeds"),
        ("stop\tServicio\n", "s.tsv", "no seeds"),
    ],
)
def test_broken_seeds_are_named(text, name, what):
    """What is wrong with the file is said, with its line, and without its terms."""
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
