"""Text over rows: what joins, what does not, and how edits fall back on rows."""

from __future__ import annotations

import pytest

from adapter.types import Edit

HEADER = "MSH|^~\\&|LAB|HOSP|||20240101||ORU^R01|7|P|2.5.1"


def message(*segments: str) -> bytes:
    """A message of these segments behind a header."""
    return "".join(f"{line}\r" for line in (HEADER, *segments)).encode()


def texts(decoded) -> dict[str, str]:
    """Path -> text of all OBX-5, NTE-3 and DSP-3."""
    return {
        segment.path: segment.text
        for segment in decoded.segments
        if segment.element.startswith(("OBX-5", "NTE-3", "DSP-3"))
    }


CUT = ("was brought over from Elmhurst D", "ay Surgery by the courier Labell", "e.")
FILLED = ("brought in from the Elmhurst", "to the ward by a man who is", "now")
ENCODED = ("QnJvdWdodCBieSBoYW5kIGZyb20gdGhl", "bWh1cnN0IERheSBTdXJnZXJ5IGJ5IGNv", "ZXIu")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["NTE|1||one", "NTE|2||two"], {"NTE[1..2]-3": "one\ntwo"}),
        (["NTE|1||one~two"], {"NTE-3": "one\ntwo"}),
        (["NTE|1||one", "PV1|1", "NTE|2||two"], {"NTE-3": "one", "NTE[2]-3": "two"}),
        (["NTE|1||", "NTE|2||a", "NTE|3||", "NTE|4||b"], {"NTE[1..4]-3": "\na\n\nb"}),
        (["NTE|1||", 'NTE|2||""'], {"NTE[1..2]-3": '\n""'}),
        (['NTE|1||""'], {}),
        (["DSP|1||one", "DSP|2||two"], {"DSP[1..2]-3": "one\ntwo"}),
        (["OBX|1|TX|A||one", "OBX|2|TX|A||two"], {"OBX[1..2]-5": "one\ntwo"}),
        (["OBX|1|TX|A||one", "OBX|2|TX|B||two"], {"OBX-5": "one", "OBX[2]-5": "two"}),
        (["OBX|1|TX|A|1|one", "OBX|2|TX|A|2|two"], {"OBX-5": "one", "OBX[2]-5": "two"}),
        (["OBX|1|TX|A|1|one two three four", "OBX|2|TX|A|2|five six"],
         {"OBX[1..2]-5": "one two three four\nfive six"}),
        (["OBX|1|TX|A|2.1|one two three four", "OBX|2|FT|A|2.2|five six"],
         {"OBX[1..2]-5": "one two three four\nfive six"}),
        (["OBX|1|TX|A|1|one two three four", "OBX|2|TX|A|3|five six"],
         {"OBX-5": "one two three four", "OBX[2]-5": "five six"}),
        (["OBX|1|TX|A|1.1|one two three four", "OBX|2|TX|A|2.2|five six"],
         {"OBX-5": "one two three four", "OBX[2]-5": "five six"}),
        (["OBX|1|TX|A|1|one two three four", "OBX|2|TX|B|2|five six"],
         {"OBX-5": "one two three four", "OBX[2]-5": "five six"}),
        (["OBX|1|TX|A|1|one two three fourth.", "OBX|2|TX|A|2|five six"],
         {"OBX-5": "one two three fourth.", "OBX[2]-5": "five six"}),
        (["OBX|1|TX|A|1|seen here by Dr.", "OBX|2|TX|A|2|Baker"],
         {"OBX[1..2]-5": "seen here by Dr.\nBaker"}),
        (["OBX|1|TX|A|1|Dr. Schwarzen-", "OBX|2|TX|A|2|Berger"],
         {"OBX[1..2]-5": "Dr. Schwarzen-\u00adBerger"}),
        (["OBX|1|TX|A|1|on 02/", "OBX|2|TX|A|2|11/2019"], {"OBX[1..2]-5": "on 02/\u00ad11/2019"}),
        ([f"NTE|{place}||{row}" for place, row in enumerate(CUT, 1)],
         {"NTE[1..3]-3": "\u00ad".join(CUT)}),
        ([f"NTE|{place}||{row}" for place, row in enumerate(FILLED, 1)],
         {"NTE[1..3]-3": "\n".join(FILLED)}),
        (["NTE|1||multipart; boundary=ab-", "NTE|2||c d"],
         {"NTE[1..2]-3": "multipart; boundary=ab-\nc d"}),
        ([f"NTE|{place}||{row}" for place, row in enumerate(ENCODED, 1)],
         {"NTE[1..3]-3": "\n".join(ENCODED)}),
        (["OBX|1|TX|A|1|one;two;three", "OBX|2|TX|A|2|four;five;six"],
         {"OBX[1..2]-5": "one;two;three\nfour;five;six"}),
        (["OBX|1|TX|A|1|one   two   x", "OBX|2|TX|A|2|y  4  5"],
         {"OBX[1..2]-5": "one   two   x\ny  4  5"}),
        (["OBX|1|TX|A|1|one   two   three", "OBX|2|TX|A|2|five six"],
         {"OBX-5": "one   two   three", "OBX[2]-5": "five six"}),
        (["OBX|1|ST|A|1|one two three four", "OBX|2|ST|A|2|five six"],
         {"OBX[1..2]-5": "one two three four\nfive six"}),
        (["OBX|1|TX|A||one", "OBX|2|FT|||two"], {"OBX[1..2]-5": "one\ntwo"}),
        (["OBX|1|TX|A||one", "OBX|2||||two"], {"OBX[1..2]-5": "one\ntwo"}),
        (["OBX|1|TX|A||one", "NTE|1||x", "OBX|2|TX|A||two"],
         {"OBX-5": "one", "NTE-3": "x", "OBX[2]-5": "two"}),
        (["OBX|1|ST|A||one", "OBX|2|ST|A||two"], {"OBX[1..2]-5": "one\ntwo"}),
        (["OBX|1|ST|A||one", "OBX|2|ST|||two"], {"OBX-5": "one", "OBX[2]-5": "two"}),
        (["OBX|1|ST|A||1|||||||||20240101", "OBX|2|ST|A||2|||||||||20240102"],
         {"OBX-5": "1", "OBX[2]-5": "2"}),
        (["OBX|1|NM|A||1", "OBX|2|NM|A||2"], {"OBX-5": "1", "OBX[2]-5": "2"}),
        (["NTE|1||one", "two", "three|x"], {"NTE-3": "one\ntwo"}),
        (["NTE|1||one|GR", "two"], {"NTE-3": "one"}),
    ],
)  # fmt: skip
def test_rows_of_one_text_join(hl7v2, rows, expected):
    """Rows of one comment or observation join, those cut inside a word by a soft hyphen."""
    raw = message(*rows)
    assert expected == texts(hl7v2.decode(raw))
    assert raw == hl7v2.encode(hl7v2.decode(raw), ())


@pytest.mark.parametrize("datatype", ["TX", "FT", "ST"])
def test_unescaped_separators_in_text_are_text(hl7v2, datatype):
    """Component separators that a sender left bare in text belong to it."""
    decoded = hl7v2.decode(message(f"OBX|1|{datatype}|A||Tom & Ann ^ co"))
    assert texts(decoded) == {"OBX-5": "Tom & Ann ^ co"}


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ("CWE", [("OBX-5.1", "CWE.1"), ("OBX-5.2", "CWE.2")]),
        ("CWE^^HL70125", [("OBX-5.1", "CWE.1"), ("OBX-5.2", "CWE.2")]),
        ("NM", [("OBX-5.1", "NM.1"), ("OBX-5.2", "NM.2")]),
        ("", [("OBX-5.1", "varies.1"), ("OBX-5.2", "varies.2")]),
        ("QQ", [("OBX-5.1", "?"), ("OBX-5.2", "?")]),
    ],
)
def test_observations_are_typed_by_their_own_row(hl7v2, sent, expected):
    """OBX-2 types OBX-5: a composite one, a primitive one sent with components, none, unknown."""
    decoded = hl7v2.decode(message(f"OBX|1|{sent}|A||a^b"))
    found = [(s.element, s.datatype) for s in decoded.segments if s.element.startswith("OBX-5")]
    assert expected == found


ROWS = ("OBX|1|TX|A||Mr. J. Smi||||||F", "OBX|2|TX|A||th was here~today||||||F")


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ((4, 13, "A. Poe"), ("OBX|1|TX|A||Mr. A. Poe|", "OBX|2|TX|A|| was here~today|")),
        ((4, 6, "A.\nB."), ("OBX|1|TX|A||Mr. A.\\.br\\B. Smi|", "OBX|2|TX|A||th was here~today|")),
        ((7, 13, "P.\nPoe"), ("OBX|1|TX|A||Mr. J. P.|", "OBX|2|TX|A||Poe was here~today|")),
        ((7, 28, "P.\nPoe\nday"), ("OBX|1|TX|A||Mr. J. P.|", "OBX|2|TX|A||Poe~day|")),
        (
            (7, 11, "P.\nPoe"),
            ("OBX|1|TX|A||Mr. J. P.\\.br\\Poe|", "OBX|2|TX|A||th was here~today|"),
        ),
        ((7, 13, "\nPoe"), ("OBX|1|TX|A||Mr. J. |", "OBX|2|TX|A||Poe was here~today|")),
        ((11, 30, None), ("OBX|1|TX|A||Mr. J. Smi|", "OBX|2|TX|A||~|")),
        ((0, 28, None), ("OBX|1|TX|A|||", "OBX|2|TX|A||~|")),
        ((10, 11, " "), ("OBX|1|TX|A||Mr. J. Smi |", "OBX|2|TX|A||th was here~today|")),
    ],
)
def test_edits_over_rows_write_in_the_first(hl7v2, edit, expected):
    """A replacement begins where the edit does; later rows lose what it covers, and stay."""
    raw = message(*ROWS)
    decoded = hl7v2.decode(raw)
    ((path, text),) = texts(decoded).items()
    start, end, new = edit
    done = hl7v2.encode(decoded, [Edit(path, start, min(end, len(text)), new)])
    assert message(*(row + "|||||F" for row in expected)) == done
