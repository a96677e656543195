"""A separator lost or too many moves personal values into kept places: that is refused."""

from __future__ import annotations

import pytest

from adapter.errors import DecodeError
from tests.codecs.hl7v2.structure.test_segments import HEADER, refused

PATIENT = (
    "PID|1||4711001^^^HOSP^MR||Quarrie^Thaddeus^J||19610503|M||2106-3^White^HL70005|"
    "12 Elm St^^Salem^OR^97301^USA^H||5035550148^PRN^PH|5035550190^WPN^PH|en|M|LUT|"
    "V9081726^^^HOSP^AN|987-65-4329"
)
VISIT = "PV1|1|I|4N^412^A||||77121^Okonjo^Ada|||MED||||7|||77121^Okonjo^Ada|IP|9081726|SELF" + (
    "|" * 24 + "20240101120000|20240103"
)
KIN = "NK1|1|Quarrie^Marit|SPO^Spouse|12 Elm St^^Salem^OR^97301|5035550148|5035550190|EC|20200101"


def bent(line: str, at: int, change: str) -> str:
    """A segment with the separator before one field changed."""
    fields = line.split("|")
    return "|".join(fields[:at]) + change + "|".join(fields[at:])


@pytest.mark.parametrize("line", [PATIENT, VISIT, KIN], ids=lambda line: line[:3])
def test_segments_in_order_are_read(hl7v2, line):
    """What stands in its place is read, and with fields of a site behind the last one, too."""
    assert not refused(hl7v2, f"{HEADER}\r{line}\r")
    assert not refused(hl7v2, f"{HEADER}\r{line}{'|' * 60}local|1\r")


@pytest.mark.parametrize(
    ("line", "places"),
    [(PATIENT, range(2, 8)), (VISIT, range(4, 19)), (KIN, (3, 4))],
    ids=lambda item: item[:3] if isinstance(item, str) else "",
)
def test_a_lost_or_doubled_separator_is_refused(hl7v2, line, places):
    """A separator removed, written twice, or another sign, before dates, numbers, addresses."""
    for at in places:
        changes = ["", "||", "^", "~", "&", " "] if line.split("|")[at] else ["", "||"]
        wrong = [c for c in changes if not refused(hl7v2, f"{HEADER}\r{bent(line, at, c)}\r")]
        assert wrong == [], at


@pytest.mark.parametrize(
    "line",
    [
        "PID|1||47^^^HOSP^MR||DeIdentified||DeIdentified|M",
        "PID|1||47^^^HOSP^MR||Roe^Ann||unknown|F||||||||||||||||||||N",
        "PID|1||47^^^HOSP^MR||Roe^Ann||19_610_615|F",
        "PID|1|465 306 5961|000010016^^^MR|407623|Roe^Ann|19700101|female",
        "EVN|A31|THIS-IS-NO-DATE|||||||",
        "OBX|1|NM|1^K||4.1|mmol/L|3.5-5||||F|||||||||||20240101",
        "NK1|1|Roe^Max|DAU^Daughter|1 Elm St^^Salem^OR^97301|5035550148|||EC",
        "NK1|1|Roe^Max|MTH||m.roe@mailbox.example^NET^Internet",
        "NK1|1|Roe^Max|MTH||5035550148^PRN^CP~m.roe@mailbox.example^NET^Internet",
        "GT1|1||Roe^Max|||m.roe@mailbox.example^NET^Internet~5035550148^PRN",
        "NTE|1|L|text|RE|Roe^Ann|20240101|20240101|20240102|x|y",
    ],
)
def test_oddities_that_carry_nothing_personal_into_a_kept_place_are_read(hl7v2, line):
    """A value that is wrong where nothing of it is kept holds no message."""
    assert not refused(hl7v2, f"{HEADER}\r{line}\r")


def test_the_error_tells_no_text(hl7v2):
    """The refusal says its stage and code only."""
    with pytest.raises(DecodeError) as caught:
        hl7v2.decode(f"{HEADER}\r{bent(PATIENT, 5, '')}\r".encode())
    assert str(caught.value) == "decode/segments"
