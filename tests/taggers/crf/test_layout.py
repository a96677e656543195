"""Layout: where each token stands in line, section, attribute and text."""

from __future__ import annotations

import pytest

from adapter.taggers.crf.feature_layers import Rows
from adapter.taggers.crf.features import GROUPS
from adapter.taggers.crf.layout import layout
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.document.document import read
from adapter.taggers.document.sections import SectionRules

RULES = SectionRules(
    {
        "section": [{"name": "plan", "headings": ["plan"]}],
        "attribute": [{"names": ["weight"]}],
    }
)
TEXT = 'HE SLEPT:\n- ate "fish soup" and left\nPlan:\nweight: 70 kg'


def features(*groups, text=TEXT):
    """The features of each token by its form, of these groups."""
    document = read(text, "en", RULES)
    sequence = sequence_tokens(document)
    found = Rows(sequence, layout(document, sequence, groups), ()).strings()
    return list(zip(sequence.forms, found, strict=True))


def having(feature, *groups):
    """The forms of tokens that have a feature."""
    return [form for form, found in features(*groups) if feature in found]


def test_without_groups_only_gaps_are_seen():
    """How a token is parted from its neighbours is always seen."""
    assert all(feature.startswith(("g=", "g+=")) for _, found in features() for feature in found)


def test_a_section_holds_until_the_next():
    """Tokens after a known heading have its name."""
    assert ["Plan", ":", "<br>", "weight", ":", "70", "kg"] == having("h=plan", "section")


def test_an_attribute_marks_its_name_and_value():
    """The value's tokens know the attribute and their place in it."""
    assert ["weight", ":"] == having("akey", "attribute")
    assert ["70", "kg"] == having("a=weight", "attribute")
    assert ["70"] == having("ap=0", "attribute")


def test_lines_tell_what_they_look_like():
    """Headings in capitals, items, lines with a colon at the end."""
    assert ["HE", "SLEPT", ":"] == having("shout", "line")
    assert "soup" in having("item", "line")
    assert ["HE", "SLEPT", ":", "Plan", ":"] == having("colon", "line")


def test_what_is_quoted_is_marked():
    """Between quotes of one line."""
    assert ["fish", "soup"] == having("quoted", "quotes")


def test_place_is_a_fifth_of_the_text():
    """First tokens are in the first fifth, last in the last."""
    found = [next(a for a in each if a.startswith("d=")) for _, each in features("place")]
    assert (sorted(found), "d=0", "d=4") == (found, found[0], found[-1])


@pytest.mark.parametrize("group", ["section", "attribute", "line", "place", "quotes"])
def test_a_group_left_out_leaves_the_others(group):
    """Features of all groups are those of each group together."""
    others = [each for each in GROUPS if each != group]
    for (_, whole), (_, without), (_, alone) in zip(
        features(*GROUPS), features(*others), features(group), strict=True
    ):
        assert sorted(whole) == sorted([*without, *(a for a in alone if a[:2] not in ("g=", "g+"))])
