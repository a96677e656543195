"""Segments are told by line ends that are there: what is not so is refused."""

from __future__ import annotations

import pytest

from adapter.errors import DecodeError

HEADER = "MSH|^~\\&|LAB|HOSP|||20240101||ORU^R01|7|P|2.5.1|||AL|NE|USA"
PATIENT = "PID|1||4711001^^^HOSP^MR||Quarrie^Thaddeus||19610503|M|||12 Elm St^^Salem^OR^97301"
VISIT = (
    "PV1|1|I|4N^412^A|||77121^Okonjo^Ada|||MED||||||||V9081726|||||||||||||||||||||||||202401011200"
)
KIN = "NK1|1|Quarrie^Marit|SPO|12 Elm St^^Salem^OR^97301|5035550148"
MERGE = "MRG|4711002^^^HOSP^MR"
ORDER = "ORC|RE|P7^HIS|F8^LAB"

LINE_ENDS = [
    "\\r", "\\n", "\\r\\n", "<CR>", "<cr/>", "<br>", "<br />", "<LF>", "&#xD;", "&#13;", "&#10;",
    "&#x0a;", "&NewLine;", "%0D", "%0A", "%250d", "=0D", "_x000D_", "\\u000d", "\\x0d", "\\015",
    "\\.br\\", "\\.sp\\", "\\X0D\\", "\\X0A\\",
    "\x00", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u2028", "\u2029",
]  # fmt: skip
MARKS = [*LINE_ENDS, "\t", " ", "  ", "", "^", "~", "&", "|", ";", "\\"]


def refused(codec, text: str) -> bool:
    """Whether a message is refused for its segments, or for a charset that is the next one's."""
    try:
        codec.decode(text.encode())
    except DecodeError as error:
        return error.code in {"segments", "charset-unknown"}
    return False


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
@pytest.mark.parametrize("line", [PATIENT, VISIT, KIN], ids=lambda line: line[:3])
def test_a_segment_behind_a_header_that_does_not_end_is_refused(hl7v2, mark, line):
    """Whatever stands where the header's line end should be, the next segment is no part of it."""
    assert refused(hl7v2, HEADER + mark + line + "\r")
    assert refused(hl7v2, HEADER.replace("USA", "") + mark + line + "\r")


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
@pytest.mark.parametrize(
    ("before", "after"),
    [(PATIENT, VISIT), (PATIENT, KIN), (PATIENT, MERGE), (VISIT, ORDER), (KIN, PATIENT)],
    ids=lambda line: line[:3],
)
def test_a_segment_inside_another_is_refused(hl7v2, mark, before, after):
    """The same holds of any two segments, with a set id behind the name or without one."""
    assert refused(hl7v2, f"{HEADER}\r{before}{mark}{after}\r")


@pytest.mark.parametrize("mark", LINE_ENDS, ids=ascii)
def test_names_in_small_letters_and_of_the_site_count_behind_a_line_end(hl7v2, mark):
    """Behind what means a line end, a name in small letters or of a site's segment is one too."""
    assert refused(hl7v2, f"{HEADER}\r{PATIENT}{mark}{KIN.lower()}\r")
    assert refused(hl7v2, f"{HEADER}\r{PATIENT}{mark}ZPI|1|Quarrie\r")


def test_a_site_segment_that_the_message_has_counts_behind_a_blank(hl7v2):
    """A name that begins a line elsewhere begins a segment where it ends a field, too."""
    assert refused(hl7v2, f"{HEADER}\r{PATIENT} QX1|1|Quarrie\rQX1|2\r")
    assert not refused(hl7v2, f"{HEADER}\r{PATIENT} QX1|1|Quarrie\r")


@pytest.mark.parametrize("name", ["MSH", "FHS", "BHS"])
@pytest.mark.parametrize("mark", MARKS, ids=ascii)
def test_a_header_inside_a_line_is_refused(hl7v2, mark, name):
    """A second header in the middle of a line is no field."""
    assert refused(hl7v2, f"{HEADER}\r{PATIENT}{mark}{name}|^~\\&|LAB|HOSP\r")


@pytest.mark.parametrize(
    "line",
    [
        "PV1|1|I|^^^BRANDON|||1^CLANDON|||LAN|||GORDON",
        "OBX|1|ST|94500-6^SARS-CoV-2 PCR||NOT DETECTED^BY PCR||||||F",
        "OBX|2|TX|1^NOTE||BLOOD TYPE RAPID|||||F",
        "IN1|1|B1|I1|HEALTH PLAN|600 East Ave^^Detroit^MI",
        "AIG|1||51873|STAFF|||4",
        "RXO|1^Tablet (X) 25 MG TABS||||",
        "PID|1||47^^^HOSP^MR||ADDISON^CON||19610503|M||||LOC",
    ],
)
def test_words_that_end_like_names_of_segments_are_words(hl7v2, line):
    """A value that ends with the letters of a segment's name is a value."""
    assert not refused(hl7v2, f"{HEADER}\r{line}\r")


@pytest.mark.parametrize("facility", ["SENDING FAC", "REC FAC", "AIG", "CON", "PID LAB"])
def test_programs_and_facilities_may_have_any_name(hl7v2, facility):
    """MSH-3 to MSH-6 may end like a segment's name."""
    assert not refused(hl7v2, HEADER.replace("LAB|HOSP", f"LAB|{facility}") + "\r")


@pytest.mark.parametrize("country", ["AUT", "PRT"])
@pytest.mark.parametrize(
    "rest", ["", "|", "||", "|UNICODE UTF-8", "|ASCII~8859/1|de-AT|ISO 2022-1994|p^q", "||pt"]
)
def test_a_country_called_like_a_segment_is_a_country(hl7v2, country, rest):
    """Codes of ISO 3166 that also name segments are values of MSH-17 and MSH-12."""
    header = HEADER.replace("USA", country)
    assert not refused(hl7v2, f"{header}{rest}\r{PATIENT}\r")
    header = HEADER.replace("2.5.1", f"2.5^{country}")
    assert not refused(hl7v2, f"{header}\r{PATIENT}\r")


@pytest.mark.parametrize("country", ["AUT", "PRT", "TCD"])
@pytest.mark.parametrize(
    "rest",
    [
        *["", "|", "||01 5550100", "||+43 1 5550100^PRN^PH|||S", "|W|^PRN^PH^^43^1^5550100||de"],
        *["^H||01 5550100", "~9 Elm Rd^^Ulm|", "||(01)5550100~^NET^Internet^a@b.example"],
    ],
)
def test_an_address_may_be_in_such_a_country(hl7v2, country, rest):
    """It is the sixth component of an address, whatever follows the field."""
    address = f"PID|1||123^^^HOSP^MR||Doe^Jane||19700101|F|||Elm Rd 3^^Wien^^1070^{country}{rest}"
    assert not refused(hl7v2, f"{HEADER}\r{address}\r")


@pytest.mark.parametrize(
    "line",
    [
        "AUT|PLAN^Basic|C77^Northshire",
        "PRT|71^HOSP|AD||AP^Attending",
        "PRT||UC||AP^Attending|7^Doe",
    ],
)
@pytest.mark.parametrize(
    "address",
    [
        *["Elm Rd 3^^Wien^^1070", "Elm Rd 3^^Wien^^1070^", "Elm Rd 3^^Wien^^1070^^"],
        "Elm Rd 3^^^^^",
    ],
)
def test_behind_an_address_such_a_segment_is_refused(hl7v2, line, address):
    """Its name is part of the postal code, no sixth component, or has a segment's codes behind."""
    patient = f"PID|1||123^^^HOSP^MR||Doe^Jane||19700101|F|||{address}"
    assert refused(hl7v2, f"{HEADER}\r{patient}{line}\r")


def test_a_facility_may_be_called_like_a_segment(hl7v2):
    """In PV1-3, where the message has its code as an authority that assigns identifiers too."""
    patient = "PID|1||123^^^CDM^MR||Doe^Jane||19700101|F"
    visit = "PV1|1|E|RESUS^1^^CDM||||D77^Vanter^Cosima^^^Dr"
    assert not refused(hl7v2, f"{HEADER}\r{patient}\r{visit}\r")
    assert refused(hl7v2, f"{HEADER}\r{patient.replace('CDM', 'ABC')}\r{visit}\r")
    assert refused(hl7v2, f"{HEADER}\r{patient}\r{visit}|CDM|1^Test|X^Charge^L|1|2|3\r")
    assert refused(hl7v2, f"{HEADER}\r{patient}\r{visit.replace('CDM|', 'CDM|1|')}\r")


@pytest.mark.parametrize("line", ["GT1|1||Doe^Jane", "NK1|1|Doe^Jane|SPO", "CTD|CP|Doe^Jane"])
@pytest.mark.parametrize("before", ["PV2|||R^Pain^", "PV1|1|I|W^1^2^", "AL1|1|DA|X^Nuts^"])
def test_a_code_of_the_sender_hides_no_segment(hl7v2, before, line):
    """Behind a component separator a segment whose line end was lost is refused all the same."""
    patient = f"PID|1||123^^^{line[:3]}^MR||Doe^Jane||19700101|F"
    assert refused(hl7v2, f"{HEADER}\r{patient}\r{before}{line}\r")


@pytest.mark.parametrize("code", ["PTH", "PSG", "PDA", "CNS", "IVC", "NST", "CTD", "ODT"])
@pytest.mark.parametrize("before", ["", "L77^"])
def test_an_observation_may_be_called_like_a_segment(hl7v2, code, before):
    """Abbreviations of tests, diseases and anatomy are codes and displays of observations."""
    patient = "PID|1||123^^^HOSP^MR||Doe^Jane||19700101|F"
    number = f"OBX|1|NM|{before}{code}|1|65|pg/mL|15-65|N|||F"
    text = f"OBX|2|TX|{before}{code}||Known for {code}||||||F"
    assert not refused(hl7v2, f"{HEADER}\r{patient}\r{number}\r{text}\r")


@pytest.mark.parametrize(
    "line",
    [
        "PDA|R57^Shock|W|Y|20240101|77^Vanter^Cosima|N",
        "CTD|CP|Doe^Jane",
        "NK1|1|Doe^Jane|SPO|||||F",
        "GT1|1||Doe^Jane|||||F",
    ],
)
def test_an_observation_without_its_status_hides_a_segment(hl7v2, line):
    """A segment that lost its line end behind the code of an observation is refused."""
    patient = "PID|1||123^^^HOSP^MR||Doe^Jane||19700101|F"
    assert refused(hl7v2, f"{HEADER}\r{patient}\rOBX|1|TX|L77^{line}\r")


@pytest.mark.parametrize("control", ["7AUT", "20240101PID", "X7OBX", "NK1", "A-ORC"])
def test_a_control_id_may_end_like_a_segment(hl7v2, control):
    """Where processing id and version follow, the header goes on."""
    assert not refused(hl7v2, HEADER.replace("|7|", f"|{control}|") + f"\r{PATIENT}\r")


@pytest.mark.parametrize("mark", ["|", "||", "|||", "^", "", "\\r"], ids=ascii)
@pytest.mark.parametrize(
    "line",
    [
        "AUT|PLAN^Basic|C77^Northshire|Northshire Health|20240101|20241231",
        "AUT||C77^Northshire|Northshire Health|20240101|20241231",
        "PRT|71^HOSP|AD||AP^Attending^HL70912|77121^Okonjo^Ada",
        "PRT||UC||AP^Attending^HL70912|77121^Okonjo^Ada",
    ],
    ids=lambda line: line[:5],
)
@pytest.mark.parametrize("cut", ["|NE|USA", "|USA", "USA", "|||AL|NE|USA"])
def test_a_segment_called_like_a_country_is_refused_behind_a_header(hl7v2, mark, line, cut):
    """What follows the name tells the segment from the country, wherever the header breaks off."""
    assert refused(hl7v2, HEADER.removesuffix(cut) + mark + line + f"\r{PATIENT}\r")


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_messages_of_every_line_end_are_read(hl7v2, end):
    """CR, LF and CRLF end segments; indented ones and local ones are segments."""
    lines = [HEADER, PATIENT, KIN, f" {VISIT}", "ZPI|1|a", "NTE|1||two\\.br\\lines"]
    assert not refused(hl7v2, end.join([*lines, ""]))


def test_other_delimiters_are_no_way_round(hl7v2):
    """A message with delimiters of its own is held to the same."""
    table = str.maketrans("|^~&", "#*+-")
    assert not refused(hl7v2, f"{HEADER}\r{PATIENT}\r".translate(table))
    assert refused(hl7v2, f"{HEADER}\r{PATIENT} {VISIT}\r".translate(table))
    assert refused(hl7v2, f"{HEADER} {PATIENT}\r".translate(table))


@pytest.mark.parametrize("name", ["PID", "NK1", "OBX", "ORC", "Pv1"])
def test_base64_that_ends_like_a_segment_is_read(hl7v2, name):
    """The last signs of an ED's data are no segment, whatever follows."""
    data = "JVBERi0xLjQKJcfsj6IKNSAwIG9iago8PC9MZW5ndGgg" + "a" + name
    for rest in ("||||||F", "|1|||||F", "|1||4711001^^^HOSP^MR"):
        line = f"OBX|1|ED|PDF^Report||^application^pdf^Base64^{data}{rest}"
        assert not refused(hl7v2, f"{HEADER}\r{PATIENT}\r{line}\r"), rest


@pytest.mark.parametrize("mark", ["", "\\r", " ", "\x85"], ids=ascii)
def test_a_segment_behind_base64_is_refused(hl7v2, mark):
    """Data are whole groups of four signs: what stands behind them is none of them."""
    data = "JVBERi0xLjQKJcfsj6IKNSAwIG9iago8PC9MZW5ndGgg"
    line = f"OBX|1|ED|PDF^Report||^application^pdf^Base64^{data}{mark}{PATIENT}"
    assert refused(hl7v2, f"{HEADER}\r{line}\r")


@pytest.mark.parametrize("kind", ["", "NM", "CWE^Coded Entry^HL70125", "varies", '""', " ST "])
def test_what_names_a_datatype_is_read(hl7v2, kind):
    """OBX-2 is a short word, also with its name and table."""
    assert not refused(hl7v2, f"{HEADER}\r{PATIENT}\rOBX|1|{kind}|1^ZIP||97301||||||F\r")


@pytest.mark.parametrize(
    "line",
    [
        "OBX|9 ST|9^Zip^L||97301||||||F",
        "OBX|9|97301^Salem||F",
        "OBX|9|ST^ZIP^Zip^L||97301||||||F",
        "OBX|9|STZIP^Zip^L||97301||||||F",
    ],
)
def test_an_answer_without_its_datatype_is_refused(hl7v2, line):
    """A question or an answer in OBX-2 stands beside its place."""
    assert refused(hl7v2, f"{HEADER}\r{PATIENT}\r{line}\r")


@pytest.mark.parametrize(
    "address", ["a.b@clinic.org", "https://clinic.edu", "www.north.clinic.org", "x@lab.dev"]
)
@pytest.mark.parametrize("next_field", ["2023", "1", "20240314"])
def test_the_last_label_of_an_address_is_no_segment(hl7v2, address, next_field):
    """A mail address or host that ends a field may end like a segment's name."""
    order = f"ORC|RE|A|B{'|' * 11}^PRN^Internet^{address}|{next_field}"
    line = f"{order}{'|' * 18}Alt^Order"
    assert not refused(hl7v2, f"{HEADER}\r{line}")


@pytest.mark.parametrize("before", ["Okonjo.", "x.y.", "@clinic ", "4711."])
def test_a_segment_behind_a_full_stop_is_refused_unless_it_ends_an_address(hl7v2, before):
    """A full stop alone makes no address."""
    line = f"PV1|1|I|{before}PID|1||4711^^^NORTH^MR||Okonjo^Thaddeus||19500102|M"
    assert refused(hl7v2, f"{HEADER}\r{line}")


@pytest.mark.parametrize("kind", ["PRA", "STF", "CDM"])
def test_a_kind_of_master_file_is_no_segment(hl7v2, kind):
    """MFI-1 may name the file by its segment alone (table 0175); a segment behind it is refused."""
    header = HEADER.replace("ORU^R01", "MFN^M02")
    entry = "\rMFE|MAD|||8812345|CWE\rSTF|8812345||Quarrie^Marit"
    assert not refused(hl7v2, f"{header}\rMFI|{kind}||UPD|||NE{entry}")
    assert refused(hl7v2, f"{header}\rMFI|PRA||UPD|||NE&#13;STF|8812345||Quarrie^Marit")


def test_the_issuer_of_an_appointments_number_may_be_called_like_its_segment(hl7v2):
    """A message has one SCH, so SCH inside it is a value; another segment inside it is refused."""
    header = HEADER.replace("ORU^R01", "SIU^S12")
    plan = "SCH|77123^SCH|77124^SCH||||RTN|Routine||||^^30^20240601100000"
    assert not refused(hl7v2, f"{header}\r{plan}\r{PATIENT}")
    assert refused(hl7v2, f"{header}\r{plan}{PATIENT}")


ROWS = [
    "OBX|1|TX|1^Note^L||%s||||||F",
    "OBX|1|ST|1^Note^L|1|%s|||N|||F|||20240101120000||4711^Aber^Zita",
    "NTE|1|L|%s|RE",
    "NTE|1||%s||",
    "RXE|^^^20240101^^R|123^Drug^L|1||TAB||%s|||30|TAB|2",
    "OBR|1|||1^N^L|||20240101||||||%s|||123^Aber^Zita",
    "OBR|1|||1^N^L|||20240101||||||%s|202401011200||123^Aber^Zita",
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[:3])
@pytest.mark.parametrize("text", ["take 1 tab QID", "Dx: PID", "IAM", "PDA/VSD, s/p PTH", "on ARV"])
def test_an_abbreviation_may_end_a_text(hl7v2, row, text):
    """A segment's name is an abbreviation where its own segment goes on behind it."""
    assert not refused(hl7v2, f"{HEADER}\r{PATIENT}\r{row % text}\r")


@pytest.mark.parametrize("reason", ["MRG", "DSC", "DRG"])
def test_an_events_reason_may_be_called_like_a_segment(hl7v2, reason):
    """Where the operator follows, and not what a segment of that name begins with."""
    event = f"EVN|A40|20250330221508||{reason}|"
    assert not refused(hl7v2, f"{HEADER}\r{event}HIM0417^Esterhuyse^Liezl\r{PATIENT}\r")


def test_a_segment_behind_an_event_is_refused(hl7v2):
    """A merged record is no operator."""
    merged = "KV00882910^^^HOSP^MR||KVACC5510277^^^HOSP^AN||||Hendriks^Clarisa"
    line = f"EVN|A40|20250330221508||MRG|{merged}"
    assert refused(hl7v2, f"{HEADER}\r{line}\r{PATIENT}\r")


@pytest.mark.parametrize(
    "after",
    [
        "PID|||4711001^^^HOSP^MR||Quarrie^Thaddeus||19610503|M",
        "PID||||||Quarrie^Marit|19610503|F",
        "PID|1|||||||F",
        "PID||4711001|4711002^^^HOSP^MR||",
        "PV1||I|4N^412^A|||77121^Okonjo^Ada",
        "NK1||Quarrie^Marit|SPO|12 Elm St^^Salem|5035550148",
        "MRG|4711002^^^HOSP^MR",
        "PD1|||Salem Clinic^^7|5521^Aber^Zita",
        "GT1||77|Quarrie^Marit||12 Elm St^^Salem|5035550148",
    ],
)
@pytest.mark.parametrize("mark", [" ", ", ", ": ", "/"])
@pytest.mark.parametrize("row", [row.partition("%")[0] for row in ROWS], ids=lambda row: row[:3])
def test_a_segment_behind_a_text_is_refused(hl7v2, row, mark, after):
    """What tells of a person behind the name is no part of the text's segment."""
    assert refused(hl7v2, f"{HEADER}\r{PATIENT}\r{row}well{mark}{after}\r")


@pytest.mark.parametrize(
    "line",
    [
        "IN1|1|KVG|7601003000078|CSS|||||||||||KVG|Quarrie^Marit|SEL",
        "FT1|1|||20240101||CG|66984^Cataract surgery^OMC|||1|1150.00&EUR|||||||||282800917^Aber",
    ],
)
def test_a_segment_that_tells_of_nobody_does_not_begin_with_an_empty_field(hl7v2, line):
    """An insurer or a system of codes may be called like a segment whose first field is missing."""
    assert not refused(hl7v2, f"{HEADER}\r{PATIENT}\r{line}\r")


def test_a_segment_that_tells_of_nobody_counts_with_its_first_field(hl7v2):
    """Neither name is one of a value where its own segment goes on behind it."""
    line = "IN1|1|KVG|7601003000078|CSS|BASE^Baseline^L|20240101|QC1^Passed^L"
    assert refused(hl7v2, f"{HEADER}\r{PATIENT}\r{line}\r")
