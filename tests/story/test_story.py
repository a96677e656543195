"""One person stays one person: across messages, names, merges, formats, replays and crashes."""

from __future__ import annotations

import base64
import datetime as dt
import json
import subprocess
import sys
import zlib
from dataclasses import replace
from itertools import count

import pytest

from adapter.runtime.patient_store import Bounds, PatientStore
from adapter.runtime.service import Deidentify
from adapter.transports.protocol import TransportError
from adapter.types import Position, Record
from tests import processes
from tests.corpus.runs import KEY, ruleset
from tests.story.feed import BOX, MESSAGES, NAMES, RELEASED, Inline, add, broker, released, run
from tests.wording import FIELDS

REAL = (
    "ostrand", "thack", "wilhe", "mina ", "bertram", "vellath", "priyanka", "dudek", "casimir",
    "oyelaran", "folasade", "tamarack", "cloquet", "northgate|", "7730412", "9914406", "6394402",
    "639-4402", "6395155", "639-5155", "639 5155", "6397714", "639-7714", "np-5021", "np-5022",
    "19610817", "1961-08-17", "08/17/1961", "doc88120", "story0",
)  # fmt: skip
"""What was real in it, in lower case."""
HER_NUMBER, HER_OTHER = "7730412", "9914406"
STAFF = ("vellath", "priyanka", "dudek", "casimir", "oyelaran", "folasade", "np-5021", "np-5022")
"""What is real of her doctors and nurses."""


@pytest.fixture(scope="module")
def outputs():
    """The story as it was released: text by name."""
    over = broker()
    run(over)
    assert len(NAMES) == len(released(over)), [r.value for r in over.records("held")]
    return dict(zip(NAMES, map(_readable, released(over)), strict=True))


def _readable(raw):
    """A message as text, with what is in base64 behind it."""
    text = raw.decode()
    if text.startswith("{"):
        data = [
            entry["resource"]["content"][0]["attachment"]["data"]
            for entry in json.loads(text).get("entry", ())
            if entry["resource"]["resourceType"] == "DocumentReference"
        ]
        text += "".join(base64.b64decode(each).decode() for each in data)
    return text


def state(over):
    """The last records of patients, and of staff, by name."""
    left = {record.key: record.value for record in over.records("state")}
    staff = {name for name in left if name.startswith(b"staff:")}
    return {n: v for n, v in left.items() if n not in staff}, {n: left[n] for n in staff}


def pid(text):
    """Fields of the PID of a message."""
    return next(line for line in text.split("\r") if line.startswith("PID")).split("|")


def sent(text):
    """When a message says it was sent."""
    if text.startswith("MSH"):
        stamp = text.split("|")[6]
        return dt.datetime.fromisoformat(f"{stamp[:8]}T{stamp[8:]}")
    found = json.loads(text[: text.rindex("}") + 1])
    when = dt.datetime.fromisoformat(found.get("timestamp") or found["effectiveDateTime"])
    return when.replace(tzinfo=None)


def test_story_is_golden(outputs):
    """Every message comes out as it was reviewed; ``python -m tests.golden`` writes it anew."""
    for name in NAMES:
        assert _readable((RELEASED / name).read_bytes()) == outputs[name], name


def test_nothing_real_is_left(outputs):
    """No name, number, address or date of birth of anybody in it is in any output."""
    for name, text in outputs.items():
        found = [real for real in REAL if real in text.lower()]
        assert not found, (name, found)


def test_one_surrogate_identity(outputs):
    """One name and number in all her messages, before and after she changed her name."""
    family, given = pid(outputs["01-adt-a01.hl7"])[5].split("^")[:2]
    number = pid(outputs["01-adt-a01.hl7"])[3].split("^")[0]
    for name in ("04-adt-a08-new-name.hl7", "05-oru-vellathottam.hl7", "06-adt-a40-merge.hl7"):
        assert [family, given] == pid(outputs[name])[5].split("^")[:2]
    bundle = json.loads(outputs["09-bundle.json"].rpartition("}")[0] + "}")
    patient = bundle["entry"][0]["resource"]
    assert (family, given) == (patient["name"][0]["family"], patient["name"][0]["given"][0])
    assert number == patient["identifier"][0]["value"]
    late = outputs["12-oru-number-only.hl7"]
    assert number == pid(late)[3]
    assert f"{given} was discharged" in late
    assert f"{family}'s phone" in late
    assert f"Mrs. {family} (formerly {family})" in outputs["05-oru-vellathottam.hl7"]


def test_kin_and_staff_stay_who_they_are(outputs):
    """Husband, doctors and nurse have one name each, in fields, notes, FHIR and number-only ORU."""
    husband = outputs["01-adt-a01.hl7"].split("NK1|1|")[1].split("^")[1]
    for name in ("05-oru-vellathottam", "09-bundle", "10-oru-old-number", "11-obs", "12-oru"):
        text = next(outputs[each] for each in outputs if each.startswith(name))
        assert husband in text, name
    doctor = outputs["01-adt-a01.hl7"].split("PV1|")[1].split("||||")[1].split("^")[1]
    for name in ("05-oru-vellathottam.hl7", "08-mdm-oyelaran.hl7", "12-oru-number-only.hl7"):
        assert doctor in outputs[name], name
    author = outputs["08-mdm-oyelaran.hl7"].split("TXA|")[1].split("^")[1]
    assert f"{author} RN" in outputs["08-mdm-oyelaran.hl7"]


def test_intervals_are_kept(outputs):
    """Times between her messages are what they were, to the second; those of her other record too.

    Until the merge that record has a time line of its own.
    """
    real = {name: sent(_readable((MESSAGES / name).read_bytes())) for name in NAMES}
    other = ("02-adt-a04-duplicate.hl7", "03-oru-dudek.hl7")
    hers = [name for name in NAMES if name not in other]
    for names in (hers, other):
        shifts = {sent(outputs[name]) - real[name] for name in names}
        assert 1 == len(shifts), names
        assert dt.timedelta() not in shifts
        assert all(shift % dt.timedelta(days=1) == dt.timedelta() for shift in shifts)


def test_merge_is_published_and_later_output_is_the_survivors(outputs):
    """The audit maps the ended number to the surviving one, with days between the time lines."""
    over = broker()
    run(over)
    entries = [json.loads(record.value) for record in over.records("audit")]
    (merge,) = [each for entry in entries for each in entry.get("merges", ())]
    before, after = (pid(outputs[NAMES[place]])[3].split("^")[0] for place in (1, 3))
    assert (before, after) == (merge["prior"], merge["number"])
    late = outputs["10-oru-old-number.hl7"]
    given = pid(outputs["01-adt-a01.hl7"])[5].split("^")[1]
    assert f"Late result for {given}" in late
    film = outputs["03-oru-dudek.hl7"].split("seen in clinic ")[1].split(" ")[0]
    month, day, year = map(int, film.split("/"))
    moved = dt.date(year, month, day) + dt.timedelta(days=merge["days"])
    assert f"film of {moved.month}/{moved.day}/{moved.year}" in late


def test_replay_in_other_processes_gives_the_same_bytes(tmp_path):
    """The command, with worker processes, gives the same to the byte, whatever the hash seed is."""
    (tmp_path / "a.toml").write_text(
        f'[keys.surrogates]\nid = "test"\nvalue = "{KEY["surrogates"]["value"]}"\n'
    )
    command = ["-m", "adapter", "file", MESSAGES, "-o", tmp_path / "out"]
    done = processes.run([*command, "--workers", "2", "-c", tmp_path / "a.toml"])
    assert 0 == done.returncode
    for name in NAMES:
        assert (RELEASED / name).read_bytes() == (tmp_path / "out" / name).read_bytes(), name


@pytest.mark.slow
def test_two_runs_with_a_state_file_give_the_same_as_one(tmp_path):
    """What a first run learned is sealed in its file, and known in the next."""
    (tmp_path / "a.toml").write_text(
        f'[keys.surrogates]\nid = "test"\nvalue = "{KEY["surrogates"]["value"]}"\n'
        f'[keys.state]\nid = "s"\nvalue = "{base64.b64encode(bytes(32)).decode()}"\n'
        '[files]\nstate = "known.db"\n[workers]\nprocesses = 1\n'
    )
    for part, names in (("one", NAMES[:8]), ("two", NAMES[8:])):
        (tmp_path / part).mkdir()
        for name in names:
            (tmp_path / part / name).write_bytes((MESSAGES / name).read_bytes())
        command = [sys.executable, "-m", "adapter", "file", str(tmp_path / part)]
        command += ["-o", str(tmp_path / "out"), "-c", str(tmp_path / "a.toml")]
        subprocess.run(command, check=True, capture_output=True)
    for name in NAMES:
        assert (RELEASED / name).read_bytes() == (tmp_path / "out" / name).read_bytes(), name
    kept = (tmp_path / "known.db").read_bytes().lower()
    assert not [real for real in REAL if real.encode() in kept]


@pytest.mark.parametrize("failure", ["crash", "transaction"])
def test_a_crash_at_any_step_changes_nothing(failure):
    """Wherever the process dies or a transaction fails, the story is told once, and the same."""
    undisturbed = broker()
    run(undisturbed)
    steps = count()
    probe = broker()
    probe.step = lambda _name: next(steps)
    run(probe, pool := Memoized())
    for at in range(0, next(steps), 3):
        over = broker()
        over.step = failing(at, failure)
        if failure == "crash":
            with pytest.raises(ZeroDivisionError):
                run(over, pool)
        run(over, pool)
        assert released(undisturbed) == released(over), at


def failing(at, failure):
    """What ends a run at a step."""
    steps = count()

    def step(name):
        if next(steps) == at:
            if failure == "crash":
                raise ZeroDivisionError
            if name not in ("poll", "fence", "committed"):
                raise TransportError("send-failed")

    return step


class Memoized(Inline):
    """Remembers outcomes by what was known, so that many runs take little time."""

    def __init__(self):
        super().__init__()
        self._done = {}
        self._inner, self.process = self.process, self

    def prepare(self, record):
        """As the real one, once for each message."""
        if record.value not in self._done:
            self._done[record.value] = self._inner.prepare(record)
        return self._done[record.value]

    def finish(self, prepared, known):
        """As the real one, once for each message and what is known."""
        key = prepared.record.value, known
        if key not in self._done:
            self._done[key] = self._inner.finish(prepared, known)
        return self._done[key]


def test_state_is_sealed_and_named_by_macs():
    """Records of state show nothing real, neither in their keys nor in their values."""
    over = broker()
    run(over)
    records = over.records("state")
    assert records
    for record in records:
        shown = record.key.lower() + (record.value or b"").lower()
        assert not [real for real in REAL if real.encode() in shown]
        assert 32 == len(record.key.removeprefix(b"staff:"))


def test_a_tombstone_erases_one_patient():
    """After a record without value under her number nothing of her is known, or kept.

    Of the staff of her messages nothing but their names, numbers and addresses was remembered.
    """
    over = broker(NAMES[:6])
    over.append("in", Record(None, Position("", 0, 0), key=HER_NUMBER.encode()))
    run(over)
    patients, staff = state(over)
    assert set(patients.values()) == {None}
    assert staff
    hers = [real for real in REAL if real not in STAFF]
    for name, entry in staff.items():
        told = zlib.decompress(BOX.open(entry, name)).decode().lower()
        assert not [real for real in hers if real in told], told
    memory = PatientStore(FIELDS, BOX)
    add(over, "12-oru-number-only.hl7")
    run(over, remember=lambda: memory)
    (entry,) = memory.memory.entries.values()
    assert b"Thackeray" not in entry


def test_a_tombstone_erases_where_authorities_are_told_apart():
    """Its key tells no authority, so the patient of that number of each of them is forgotten."""
    rules = replace(ruleset(), authorities={"northgate": "north", "southgate": "south"})
    pool = Inline(Deidentify(rules))
    over = broker(NAMES[:1])
    run(over, pool)
    assert any(state(over)[0].values())
    over.append("in", Record(None, Position("", 0, 0), key=HER_NUMBER.encode()))
    run(over, pool)
    patients, _ = state(over)
    assert {None} == set(patients.values())


def test_old_patients_are_forgotten():
    """A patient not heard of for longer than the bound is as good as a stranger, and erased."""
    day = 86_400_000
    over = broker(())
    add(over, NAMES[0], timestamp=1 * day)
    add(over, NAMES[11], timestamp=40 * day)
    memory = PatientStore(FIELDS, BOX, Bounds(days=30))
    run(over, remember=lambda: memory)
    (entry,) = memory.memory.entries.values()
    assert b"Bertram" not in entry


def test_no_more_patients_than_the_bound():
    """The patient heard of longest ago makes room for a new one."""
    over = broker(NAMES[:2])
    memory = PatientStore(FIELDS, BOX, Bounds(patients=1))
    run(over, remember=lambda: memory)
    (entry,) = memory.memory.entries.values()
    assert HER_OTHER.encode() in entry
    patients, _ = state(over)
    assert 1 == sum(value is not None for value in patients.values())
