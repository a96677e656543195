"""Staff are known to the messages of all patients: through restarts, limits, and erasure."""

from __future__ import annotations

from itertools import count

import pytest

from adapter.runtime.patient_store import Bounds, PatientStore
from adapter.transports.memory.transport import Broker
from adapter.types import Position, Record
from tests.story.feed import BOX, released, run
from tests.story.test_story import Memoized, failing
from tests.wording import FIELDS

DAY = 86_400_000
DOCTORS = ("Haldorsen^Alasdair", "Vavassourey^Zachariah", "Montrosier^Margarethe")


def header(kind, number):
    """MSH of a message."""
    return f"MSH|^~\\&|A|STHX|B|STHX|20240301101500||{kind}|M{number}|P|2.5.1\r"


def admission(number, doctor):
    """An admission whose attending doctor is named."""
    return (
        f"{header('ADT^A01^ADT_A01', number)}PID|1||7100{number}99^^^STHX^MR||Okonjo{number}^Ada\r"
        f"PV1|1|I|W3^12^1^STHX||||88123{number}^{doctor}\r"
    )


def note(number, text, doctor=""):
    """A note about a patient whom no other message is about."""
    return (
        f"{header('ORU^R01^ORU_R01', number)}PID|1||9200{number}11^^^STHX^MR\r"
        f"PV1|1|I|W3^12^1^STHX||||{doctor}\r"
        f"OBX|1|TX|11488-4^Consult note^LN||{text}||||||F\r"
    )


def tombstone(key):
    """A record that erases."""
    return Record(None, Position("", 0, 0), key=key.encode())


def feed(*values, days=1):
    """A broker of one partition with these messages, a day or more after each other."""
    over = Broker()
    for number, value in enumerate(values, 1):
        if isinstance(value, Record):
            over.append("in", value)
        else:
            add(over, value, number * days * DAY)
    return over


def add(over, message, timestamp=None):
    """Put a message behind those that are there."""
    over.append("in", Record(message.encode(), Position("", 0, 0), timestamp=timestamp))


def texts(over):
    """The texts of what was released."""
    return [(value or b"").decode() for value in released(over)]


def told(over):
    """The names of the last entries of staff that are not erased."""
    left = {record.key: record.value for record in over.records("state")}
    return {name for name, value in left.items() if value and name.startswith(b"staff:")}


def test_a_surname_is_known_from_another_patients_message():
    """A note is searched for a doctor of another patient, under the surrogate of the fields."""
    over = feed(admission(1, DOCTORS[0]), note(1, "Haldorsen reviewed the wound, wound clean."))
    run(over)
    first, second = texts(over)
    surname = first.split("PV1|")[1].split("^")[4]
    assert f"{surname} reviewed the wound, wound clean." in second


def test_a_number_alone_recalls_the_whole_name():
    """A message that has only the doctor's number is searched for given name and surname."""
    over = feed(admission(1, DOCTORS[0]), note(1, "Seen by alasdair haldorsen.", "881231"))
    run(over)
    late = texts(over)[1].lower()
    assert "haldorsen" not in late
    assert "alasdair" not in late


def test_staff_are_known_after_a_restart():
    """A new process restores staff from the committed state."""
    over = feed(admission(1, DOCTORS[0]))
    run(over)
    add(over, note(1, "Haldorsen reviewed."))
    run(over)
    assert "Haldorsen" not in texts(over)[1]


def test_a_doctor_of_every_message_is_written_once_a_day():
    """What is known already changes the state at most once a day."""
    over = feed(*(admission(1, DOCTORS[0]) for _ in range(5)), days=0)
    run(over)
    records = [r for r in over.records("state") if r.key.startswith(b"staff:")]
    assert len(records) == 1


def test_no_more_staff_than_the_bound_and_none_where_it_is_0():
    """Those not heard of for longest make room; patients are not counted with staff."""
    messages = [admission(number, doctor) for number, doctor in enumerate(DOCTORS)]
    for most, known in ((2, DOCTORS[1:]), (0, ())):
        over = feed(*messages)
        store = PatientStore(FIELDS, BOX, Bounds(staff=most))
        run(over, remember=lambda store=store: store)
        entries = list(store.memory.staff.entries.values())
        assert len(known) == len(entries) == len(told(over))
        for doctor, entry in zip(known, entries, strict=True):
            assert doctor.partition("^")[0].encode() in entry
        assert len(DOCTORS) == len(store.memory.entries)


def test_staff_not_heard_of_for_too_long_are_forgotten():
    """An entry older than the bound is erased instead of recalled."""
    over = feed(admission(1, DOCTORS[0]), note(1, "Haldorsen reviewed."), days=40)
    run(over, remember=lambda: PatientStore(FIELDS, BOX, Bounds(days=30)))
    assert not told(over)


@pytest.mark.parametrize(
    ("key", "left"), [("Practitioner/881231", 1), ("Patient/881231", 2), ("881231", 2)]
)
def test_a_tombstone_erases_staff_only_if_its_key_refers_to_a_practitioner(key, left):
    """Number and surname of the Practitioner are forgotten; other keys are patients' numbers."""
    over = feed(admission(1, DOCTORS[0]), admission(2, DOCTORS[1]), tombstone(key))
    run(over)
    assert left == len(told(over))
    add(over, note(1, "Haldorsen and Vavassourey reviewed."))
    run(over)
    late = texts(over)[3]
    assert (left == 1) == ("Haldorsen" in late)
    assert "Vavassourey" not in late


def test_a_patient_who_is_erased_leaves_staff_known():
    """Staff belong to no patient."""
    over = feed(admission(1, DOCTORS[0]), tombstone("7100199"), note(1, "Haldorsen reviewed."))
    run(over)
    assert "Haldorsen" not in texts(over)[2]


@pytest.mark.parametrize("failure", ["crash", "transaction"])
def test_a_crash_at_any_step_changes_nothing_of_what_is_known_of_staff(failure):
    """Wherever the process dies, the same staff are known in the same order, also at the limit."""
    changes = [
        admission(1, DOCTORS[0]),
        admission(2, DOCTORS[1]),
        admission(1, DOCTORS[0]),
        admission(3, DOCTORS[2]),
        note(1, "Haldorsen and Montrosier reviewed, Vavassourey away."),
        admission(4, DOCTORS[1]),
        note(2, "Haldorsen and Montrosier reviewed, Vavassourey away."),
    ]

    def few():
        return PatientStore(FIELDS, BOX, Bounds(staff=2))

    undisturbed, pool = feed(*changes), Memoized()
    run(undisturbed, pool, few)
    expected = texts(undisturbed)
    assert "Haldorsen" not in expected[4]
    assert "Haldorsen" in expected[6]
    steps = count()
    probe = feed(*changes)
    probe.step = lambda _name: next(steps)
    run(probe, pool, few)
    for at in range(next(steps)):
        over = feed(*changes)
        over.step = failing(at, failure)
        if failure == "crash":
            with pytest.raises(ZeroDivisionError):
                run(over, pool, few)
        run(over, pool, few)
        assert expected == texts(over), at
        assert told(undisturbed) == told(over), at
