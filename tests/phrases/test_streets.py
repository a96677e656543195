"""Reading of street lines in the order of any language."""

from __future__ import annotations

import pytest

from adapter.phrases.streets import street_readings
from tests.wording import FIELDS


@pytest.mark.parametrize(
    ("text", "number", "name", "kind", "rest"),
    [
        ("88 Ravine Lane Augusta WI", "88", "Ravine", "lane", "Augusta WI"),
        ("88 Ravine Ln NW Augusta", "88", "Ravine", "ln", "Augusta"),
        ("Ravine Lane", "", "Ravine", "lane", ""),
        ("88 rue Ravine", "88", "Ravine", "rue", ""),
        ("Calle Ravine nº 88", "88", "Ravine", "calle", ""),
        ("Ravine Weg 88 94032 Passau", "88", "Ravine", "weg", "94032 Passau"),
        ("Ravineweg 88 a", "88", "Ravine", "weg", ""),
        ("Konrad-Ravine-Str. 88", "88", "Konrad-Ravine", "str", ""),
        ("Ravinew. 88", "88", "Ravine", "w", ""),
        ("88 Ravine", "88", "Ravine", "", ""),
    ],
)
def test_a_line_is_read_into_number_name_and_kind(text, number, name, kind, rest):
    """Wherever number and kind stand; what follows is left."""
    (found,) = street_readings(text, FIELDS)
    own = found.kinds[0] if found.kinds else ""
    assert (number, name, kind, rest) == (found.number, " ".join(found.name), own, found.rest)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Ravinsvägen 88", {"vag", "v"}),
        ("Ravinsveien 88", {"vei", "vegen", "v"}),
        ("Ravinestr. 88", {"strase", "strasse", "straat"}),
        ("Rua Ravine 88", {"r"}),
        ("Travessa do Ravine 7", {"trav", "tv"}),
        ("Piazza Ravine 7", {"pzza", "pza"}),
        ("chemin du Ravine", {"ch"}),
        ("Calle Ravine", {"cl", "c"}),
    ],
)
def test_a_kind_of_street_has_the_spellings_of_all_languages(text, kinds):
    """Those of languages without rules too, in words of their own and at the end of a word."""
    (found,) = street_readings(text, FIELDS)
    assert kinds <= set(found.kinds)


@pytest.mark.parametrize("text", ["Ravine House", "Ravine", "88", "", "/"])
def test_a_part_without_number_and_kind_is_no_street(text):
    """It names a home, a town or nothing."""
    assert [] == list(street_readings(text, FIELDS))


def test_a_line_is_written_in_its_order_with_each_spelling():
    """A kind and a number stay where they stand."""
    (spanish,) = street_readings("Calle Ravine 88", FIELDS)
    assert ["calle Ravine 88", "c/ Ravine 88"] == list(spanish.lines(numbered=True))[:2]
    (english,) = street_readings("88 Ravine Lane", FIELDS)
    assert ["Ravine lane", "Ravine ln"] == list(english.lines(numbered=False))
