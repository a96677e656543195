"""What is a body inside a text, and what only looks like one."""

from __future__ import annotations

import base64
import binascii
import gzip
import hashlib
import random
import string
from time import process_time

import pytest

from adapter.codecs.nested.recognition import bodies

NOTE = "Seen today: Ann Roe, well and happy, wants to go home."
B64 = base64.b64encode(NOTE.encode()).decode()


def kinds(text: str) -> list[tuple[str, bool]]:
    """(kind, closed) of the bodies of a text."""
    return [(body.kind, body.closed) for body in bodies(text)]


@pytest.mark.parametrize(
    ("body", "kind", "closed"),
    [
        (B64, "base64", False),
        (B64.rstrip("="), "base64", False),
        ("\n".join(B64[i : i + 20] for i in range(0, len(B64), 20)), "base64", False),
        (base64.urlsafe_b64encode(("¿¿¿ " + NOTE).encode()).decode(), "base64", False),
        (base64.b64encode(NOTE.encode("utf-16-le")).decode(), "base64", False),
        (base64.b64encode("Пациент Иванова".encode()).decode(), "base64", False),
        (base64.b64encode(b"Ann Roe Smith").decode(), "base64", False),
        (B64[3:], "base64", True),
        (base64.b64encode(gzip.compress(NOTE.encode(), mtime=0)).decode(), "base64", True),
        (base64.b64encode(b"%PDF-1.4 \x80" + bytes(60)).decode(), "base64", True),
        (base64.b64encode(random.Random(1).randbytes(90)).decode(), "base64", True),
        (NOTE.encode().hex(), "hex", False),
        (NOTE.encode().hex().upper(), "hex", False),
        (NOTE.encode().hex(" "), "hex", True),
        ("".join(f"\\x{byte:02x}" for byte in NOTE.encode()), "hex", True),
        (base64.b32encode(NOTE.encode()).decode(), "base32", True),
        (base64.a85encode(NOTE.encode(), adobe=True).decode(), "ascii85", True),
        ("begin 644 a.txt\n" + binascii.b2a_uu(b"Ann Roe").decode() + "`\nend", "uuencode", True),
        ("Ann%20Roe", "percent", False),
        ("Ann=20Roe", "quoted", False),
        ("\\u0041nn", "numbered", False),
        ("{\\rtf1\\ansi Ann {\\b Roe}}", "rtf", False),
        ("{\\\\rtf1\\\\ansi Ann Roe}", "rtf", True),
        ("{\\rtf1\\ansi Ann", "rtf", True),
        ('{"name": "Ann"}', "json", True),
        ('{\\"name\\": \\"Ann\\"}', "json", True),
        ("<patient><given>Ann</given></patient>", "xml", True),
        ('<Patient xmlns="http://hl7.org/fhir"><id value="1"/></Patient>', "xml", True),
        ("MSH|^~\\&|A|B\rPID|1||9", "hl7v2", True),
        ("PID|1||9^^^A||Roe^Ann", "hl7v2", True),
        ("MIME-Version: 1.0\nContent-Type: multipart/mixed\n\nAnn", "mime", True),
    ],
)
@pytest.mark.parametrize("around", ["{}", "Note: {}"])
def test_bodies_are_found(body, kind, closed, around):
    """Each encoding and structure is found, alone and behind other text."""
    assert kinds(around.format(body)) == [(kind, closed)]


@pytest.mark.parametrize(
    "text", ["<p>Ann <b>Roe</b></p>", "Ann<br>Roe", "<div class='x'>Ann</div>"]
)
def test_html_is_the_whole_text(text):
    """Text with HTML tags is read as HTML from its first character."""
    assert [(b.start, b.end, b.kind) for b in bodies(f"Hi {text} ok")] == [
        (0, len(text) + 6, "html")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "If a<b and c>d then BP <120 and SpO2 >95%",
        "<Patient Name> was seen",
        "98%92% on exertion, D5 50%50, 100% of 20% saline",
        "K=40mEq pH=7.4 HR=72 RR=20 T=37",
        "#FF00FF #a0b1c2 hex colours",
        "ACGT" * 40,
        "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVV",
        "c.1521_1523delCTT(p.Phe508del) HLA-A*02:01:01:01/HLA-B*07:02",
        "Bacteria identified in Unspecified specimen by Anaerobe+Aerobe culture",
        "pneumonoultramicroscopicsilicovolcanoconiosis glykogenspeicherkrankheit",
        "Persistierendes Vorhofflimmern",
        "http://hl7.org/fhir/us/core/StructureDefinition/us-core-observation-clinical-result",
        "61 62 63 65 66 67 70 71 72 73 74 75",
        hashlib.sha256(b"x").hexdigest(),
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        "2.16.840.1.113883.4.6 1.2.840.10008.5.1.4.1.1.2 90817263",
        "begin 100 mg\nmetoprolol daily, begin 500 units\nof heparin",
        "[sic] {see below} [1, 2] {x}",
        "C:\\users\\data \\T\\ and/or mg/dL 10*3/uL {copies}/mL",
    ],
)
def test_clinical_text_is_no_body(text):
    """Sequences, codes, units, comparisons, paths, digests and placeholders are left alone."""
    assert kinds(text) == []


def test_random_identifiers_are_seldom_bodies():
    """Of identifiers of 12 to 40 letters and digits fewer than one in 10,000 looks like text."""
    drawn = random.Random(7)
    signs = string.ascii_letters + string.digits
    found = sum(
        bool(bodies("".join(drawn.choices(signs, k=drawn.randint(12, 40))))) for _ in range(20_000)
    )
    assert found <= 2


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "a",
            "A1b2",
            "%41",
            "=41",
            "<b>",
            "<foo>",
            "{",
            '{"a":',
            "[[",
            "{\\rtf",
            "MSH|",
            "PID|1|",
        ),
        *("&#65;", "<!--", "\\u0041", "aaaaaaaaaaaa ", "AAAA\n", "0x41 ", "data:", "<?xml", "=\n"),
        "content-type: ",
        *("<~a", "begin 644 a\n", "ABCD2345"),
    ],
)
def test_recognition_takes_linear_time(unit):
    """Eight times as much of a hostile text takes about eight times as long."""
    small, large = ("x " + unit * (size // len(unit)) for size in (40_000, 320_000))

    def cost(text: str) -> float:
        started = process_time()
        bodies(text)
        return process_time() - started

    assert min(cost(large) for _ in range(3)) < 8 * 3 * max(cost(small), 0.01)
