"""Two views of a record compared: what is counted, and that nothing else is."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from adapter.shadow.comparison import KINDS, Comparison, View, compare
from adapter.types import Handling, Label, Span

PLACE = (0, "OBX[3]-5")


def view(*spans, hold="", handling=Handling.SCAN, seconds=1.0):
    """A view of one place with some mentions."""
    found = tuple(Span(start, end, label, source) for start, end, label, source in spans)
    return View(hold, {PLACE: found}, {PLACE: handling}, {}, seconds)


def changes(current, shadow):
    """What differs, by kind and what it is of."""
    return {"/".join(change): count for change, count in compare(current, shadow).changes}


NAME = (3, 8, Label.PATIENT, "crf")
DAY = (20, 30, Label.DATE, "patterns")


def test_mentions_are_gained_and_lost():
    """One that overlaps none of the other's is new, or gone; label and source are its own."""
    assert {"gained/DATE/patterns": 1} == changes(view(NAME), view(NAME, DAY))
    assert {"lost/PATIENT/crf": 1} == changes(view(NAME, DAY), view(DAY))


def test_types_and_extents_change():
    """One that overlaps has another type, or begins or ends elsewhere, or is the same."""
    other = (3, 8, Label.DOCTOR, "crf")
    longer = (1, 8, Label.PATIENT, "phrase")
    assert {"types/PATIENT/DOCTOR": 1} == changes(view(NAME), view(other))
    assert {"extents/PATIENT": 1} == changes(view(NAME), view(longer))
    assert {} == changes(view(NAME), view((3, 8, Label.PATIENT, "phrase")))


def test_the_best_match_counts():
    """A mention that two others share is that of which it has most."""
    whole = (0, 10, Label.PATIENT, "crf")
    parts = (0, 3, Label.DOCTOR, "crf"), (4, 10, Label.PATIENT, "crf")
    assert {"extents/PATIENT": 1} == changes(view(whole), view(*parts))


def test_holds_are_gained_and_lost():
    """By stage and code; mentions are compared as far as both came."""
    assert {"holds_gained/leak/pattern": 1} == changes(view(), view(hold="leak/pattern"))
    both = changes(view(hold="decode/empty"), view(hold="tag/failed"))
    assert {"holds_lost/decode/empty": 1, "holds_gained/tag/failed": 1} == both
    assert {} == changes(view(hold="leak/pattern"), view(hold="leak/pattern"))
    undecoded = View("decode/empty", None)
    assert {"holds_gained/decode/empty": 1} == changes(view(NAME), undecoded)


def test_handlings_change():
    """A place that is scanned instead of kept is counted by both words."""
    kept = view(handling=Handling.KEEP)
    assert {"handlings/keep/drop": 1} == changes(kept, view(handling=Handling.DROP))


def test_another_surrogate_is_counted():
    """A mention that both find and write otherwise is counted by its label, without its text."""
    one, other = (
        View("", {PLACE: (Span(0, 4, Label.DATE, "field"),)}, {}, {(*PLACE, 0, 4): text}, 1.0)
        for text in ("1960", "1970")
    )
    assert {"written/DATE": 1} == changes(one, other)
    assert {} == changes(one, one)
    assert "1960" not in repr(one) + repr(compare(one, other))


def test_sums_say_counts_and_times():
    """Many records: changes by kind, those that differ, times and their ratio."""
    total = Comparison()
    total.add(compare(view(NAME, seconds=1.0), view(NAME, DAY, seconds=4.0)))
    total.add(compare(view(NAME, seconds=1.0), view(NAME, seconds=4.0)))
    told = total.as_dict()
    assert (2, 1, 0.25) == (told["records"], told["different"], told["speed_ratio"])
    assert {"DATE/patterns": 1} == told["gained"]
    assert 1 == total.total("gained")
    assert Comparison().as_dict()["speed_ratio"] is None


def test_no_place_is_told():
    """Neither paths nor offsets are in what leaves the worker, nor in its sum."""
    compared = compare(view(NAME), view(DAY))
    total = Comparison()
    total.add(compared)
    for text in (repr(compared), json.dumps(total.as_dict()), repr(view(NAME))):
        assert "OBX" not in text
        assert not any(str(number) in text for number in (20, 30))


mentions = st.lists(st.tuples(st.integers(0, 9), st.sampled_from([Label.PATIENT, Label.DATE]))).map(
    lambda found: [(10 * at, 10 * at + 5, label, "crf") for at, label in dict(found).items()]
)


def mirrored(found):
    """The changes that a comparison the other way round should give."""
    swapped = {}
    for name, count in found.items():
        kind, *what = name.split("/")
        kind = {"gained": "lost", "lost": "gained"}.get(kind, kind)
        what = what[::-1] if kind == "types" else what
        swapped["/".join([kind, *what])] = count
    return swapped


@given(mentions, mentions)
def test_what_one_gains_the_other_loses(one, other):
    """Compared the other way round, gains are losses and types are turned around."""
    there, back = changes(view(*one), view(*other)), changes(view(*other), view(*one))
    assert mirrored(there) == back
    assert {name.partition("/")[0] for name in there} <= set(KINDS)


@given(mentions)
def test_nothing_differs_from_itself(one):
    """The same rules are no difference."""
    assert {} == changes(view(*one), view(*one))
