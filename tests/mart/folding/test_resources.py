"""Versions fold to the resource as it is now."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from adapter.mart.folding import Current, fold
from adapter.mart.versions import Op, Version, canonical


def version(op, kind="Encounter", **elements):
    """A version of the one resource."""
    body = {"resourceType": kind, "id": "r", **elements}
    return Version(kind, "r", "s", op, "" if op is Op.DELETE else canonical(body))


def folded(*versions):
    """The current resource's elements, None if there is none."""
    now = fold(versions)
    if now is None:
        return None
    body = json.loads(now.body)
    return {name: body[name] for name in body if name not in {"id", "resourceType"}}


def test_a_merge_takes_what_is_sent():
    """Elements that are sent replace, others stay, a null removes."""
    first = version(Op.REPLACE, a=1, b=2, c=3)
    assert {"a": 5, "c": 3} == folded(first, version(Op.MERGE, a=5, b=None))


def test_a_replacement_is_the_resource():
    """Nothing of the versions before stays."""
    assert {"b": 2} == folded(version(Op.REPLACE, a=1), version(Op.REPLACE, b=2))


def test_periods_grow():
    """Admission gives the start, discharge the end, a cancelled discharge takes it away."""
    versions = [
        version(Op.REPLACE, period={"start": "2024"}, status="in-progress"),
        version(Op.MERGE, period={"end": "2025"}, status="finished"),
    ]
    assert {"start": "2024", "end": "2025"} == folded(*versions)["period"]
    cancelled = version(Op.STATUS, period={"end": None}, status="in-progress")
    assert {"period": {"start": "2024"}, "status": "in-progress"} == folded(*versions, cancelled)


def test_results_of_a_report_add_up():
    """A report's results arrive in several messages; the same one is one."""
    first = version(Op.MERGE, "DiagnosticReport", result=["a", "b"])
    second = version(Op.MERGE, "DiagnosticReport", result=["b", "c"])
    assert ["a", "b", "c"] == folded(first, second)["result"]


def test_an_element_has_one_type():
    """A date of death replaces the bare fact."""
    found = folded(
        version(Op.MERGE, "Patient", deceasedBoolean=True),
        version(Op.MERGE, "Patient", deceasedDateTime="2024"),
    )
    assert {"deceasedDateTime": "2024"} == found


def test_entered_in_error_stays_recorded():
    """A later mention does not undo it; sending the resource anew does."""
    error = version(Op.MERGE, status="entered-in-error")
    mention = version(Op.MERGE, status="in-progress", a=1)
    assert {"status": "entered-in-error", "a": 1} == folded(error, mention)
    assert {"status": "final"} == folded(error, version(Op.REPLACE, status="final"))


def test_what_has_ended_is_not_begun_by_a_mention():
    """A laboratory message names the visit after discharge, and "unknown" is no status."""
    ended = version(Op.MERGE, status="finished")
    assert {"status": "finished"} == folded(ended, version(Op.MERGE, status="in-progress"))
    assert {"status": "in-progress"} == folded(
        version(Op.MERGE, status="in-progress"), version(Op.MERGE, status="unknown")
    )


def test_a_status_of_nothing_is_nothing():
    """Cancelling or restoring what was never stated says nothing."""
    assert folded(version(Op.STATUS, status="entered-in-error")) is None
    assert folded(version(Op.RESTORE, location=None)) is None


def test_restoring_returns_to_the_value_before():
    """The last change of the element is undone, whatever else was sent in between."""
    versions = [
        version(Op.MERGE, location="a"),
        version(Op.MERGE, location="b"),
        version(Op.MERGE, location="b", x=1),
        version(Op.RESTORE, location=None),
    ]
    assert {"location": "a", "x": 1} == folded(*versions)


def test_what_is_deleted_is_gone_until_it_is_sent_again():
    """A deletion leaves nothing; a new statement begins anew."""
    gone = [version(Op.REPLACE, a=1), version(Op.DELETE)]
    assert fold(gone) is None
    assert fold([*gone, version(Op.STATUS, status="final")]) is None
    assert {"b": 2} == folded(*gone, version(Op.MERGE, b=2))


def test_a_current_resource_shows_no_text():
    """The body is not in the repr."""
    assert "canary" not in repr(Current("Patient", "1", None, '{"canary":1}'))


ELEMENTS = st.dictionaries(
    st.sampled_from("abc"), st.one_of(st.none(), st.integers(0, 3)), max_size=3
)
STATUS = st.sampled_from(["planned", "in-progress", "finished", "entered-in-error", "unknown"])
VERSIONS = st.lists(
    st.builds(
        lambda op, elements, status: version(op, **elements, status=status),
        st.sampled_from(list(Op)),
        ELEMENTS,
        STATUS,
    ),
    max_size=8,
)


@given(VERSIONS, st.randoms(use_true_random=False))
def test_the_order_of_loading_changes_nothing(versions, draw):
    """Versions in whatever order they come, sorted by position, fold to the same."""
    placed = list(enumerate(versions))
    draw.shuffle(placed)
    assert fold(versions) == fold([v for _, v in sorted(placed, key=lambda item: item[0])])


@given(VERSIONS, ELEMENTS)
def test_a_correction_wins(versions, elements):
    """Whatever was said before, a resource sent anew is what it says."""
    wanted = {name: value for name, value in elements.items() if value is not None}
    assert wanted | {"status": "final"} == folded(
        *versions, version(Op.REPLACE, **elements, status="final")
    )


@given(VERSIONS)
def test_the_same_message_again_changes_nothing(versions):
    """The last version twice is the last version, unless it undoes something."""
    if versions and versions[-1].op is not Op.RESTORE:
        assert fold(versions) == fold([*versions, versions[-1]])


@given(VERSIONS, ELEMENTS)
def test_no_mention_undoes_an_error(versions, elements):
    """After entered-in-error, messages that name the resource keep it."""
    error = version(Op.REPLACE, status="entered-in-error")
    mention = version(Op.MERGE, **elements, status="in-progress")
    assert "entered-in-error" == folded(*versions, error, mention)["status"]
