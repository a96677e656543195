"""Embedded documents: what is opened, what is shown, and that edits change nothing else."""

from __future__ import annotations

import gc
from contextlib import suppress
from html import unescape
from time import process_time
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.codecs.documents.opening import media_type_of, open_document
from adapter.errors import DocumentError, EncodeError
from adapter.types import Edit

HTML = b"""<!DOCTYPE html><html><head><title>Note</title><style>p{}</style></head>
<body class="x"><!-- by Bob --><h1>Discharge&nbsp;note</h1>
<p>Mr.   J&ouml;hn <b>Sm</b>ith
seen < 3 &amp; ok</p><pre>a
  b</pre><img alt="Ann &lt;3" hidden bob></body></html>"""
RTF = rb"""{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\author Jo Wu}{\creatim\yr2020}}
{\header Page}\pard Mr \b John\b0  Sm{\i ith}\par J\'f6rg\u8217?s\tab x\-y\line(z\b(k)
{\pict 0102ab}\{a\}{\*\bkmkstart b1}{\field{\*\fldinst mailto:jo}{\fldrslt mail}}}"""
CDA = b"""<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3">
<id root="1.2" extension="99"/><recordTarget><patientRole><patient><name><given>Ann</given>
<given>B&amp;C</given></name><birthTime value="1980"/></patient></patientRole></recordTarget>
<component><section><title>Plan</title><text><paragraph>Hi <content ID="a">John</content>
  Smith</paragraph><table><tr><td>x</td><td>y</td></tr></table></text></section></component>
<!-- c --></ClinicalDocument>"""


def texts(document):
    """Path to text of every segment."""
    return {s.path: s.text for s in document.segments}


def opened(data, media_type):
    """A document that is expected to open."""
    document = open_document(data, media_type)
    assert document is not None
    return document


def edited(data, media_type, old, new, path=None):
    """The document after the first occurrence of ``old`` became ``new``."""
    document = opened(data, media_type)
    segment = next(s for s in document.segments if old in s.text and path in {None, s.path})
    start = segment.text.index(old)
    return document.rewrite([Edit(segment.path, start, start + len(old), new)])


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", None),
        (b"plain words", "text/plain"),
        ("J\xf6rg".encode("latin-1"), "text/plain"),
        (b"\xef\xbb\xbfwords", "text/plain"),
        (b"%PDF-1.7\n\xe2", "application/pdf"),
        (RTF, "application/rtf"),
        (HTML, "text/html"),
        (CDA, "application/xml"),
        (b'<ClinicalDocument xmlns="urn:hl7-org:v3"/>', "application/xml"),
        (b"\xff\xd8\xff\xe0\x00", "image/jpeg"),
        (b"\x00\x01\x02\x03", None),
    ],
)
def test_media_types_are_told_by_the_first_bytes(data, expected):
    """Texts, mark-up and the common binary types are recognised."""
    assert expected == media_type_of(data)


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"%PDF-1.7", "application/pdf"),
        (b"%PDF-1.7", "text/plain"),
        (b"\x89PNG\r\n\x1a\n", "text/html"),
        (b"words", "image/png"),
        (b"\x00\x01\x02", ""),
    ],
)
def test_what_is_not_read_is_not_opened(data, media_type):
    """A type that is not read, by label or by its bytes, gives None."""
    assert open_document(data, media_type) is None


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"a\x00b", "text/plain"),
        ("<p>Jo</p>".encode("utf-16-le"), "text/html"),
        (b"<a><b></a>", "text/xml"),
        (b"<a>&nbsp;</a>", "text/xml"),
        (b'<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', "application/xml"),
        (b"\xff<a/>", "application/xml"),
        (b"no rtf", "application/rtf"),
        (b"{\\rtf1 {open", "text/rtf"),
        (b"{\\rtf1 }}", "text/rtf"),
        (b"{\\rtf1 \\bin99 x}", "text/rtf"),
        (b"{\\rtf1 {\\info {\\author x}", "text/rtf"),
    ],
)
def test_malformed_documents_are_refused(data, media_type):
    """What should be readable but is not raises DocumentError, entity tricks included."""
    with pytest.raises(DocumentError, match="malformed"):
        open_document(data, media_type)


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"a\r\nb\n", "text/plain"),
        ("J\xf6rg\x81".encode("latin-1"), "text/plain; charset=utf-8"),
        ("J\xf6rg".encode("utf-16"), "text/plain"),
        (HTML, "text/html"),
        (b"<p <b>\x80 & &nosuch; <!-- open", "text/html"),
        (RTF, "application/rtf"),
        (CDA, "text/xml"),
        ('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xf6</a>'.encode("latin-1"), "text/xml"),
    ],
)
def test_unedited_documents_are_identical(data, media_type):
    """Without edits the bytes come back, whatever the charset or the state of the mark-up."""
    assert data == opened(data, media_type).rewrite(())


@given(st.binary(max_size=60), st.sampled_from(["", "text/plain", "text/html", "text/rtf"]))
@settings(max_examples=300)
def test_any_bytes_open_or_are_refused(data, media_type):
    """Any bytes give a document that writes them back, None, or DocumentError."""
    try:
        document = open_document(data, media_type)
    except DocumentError:
        return
    if document is not None:
        assert data == document.rewrite(())


@pytest.mark.parametrize(
    "media_type",
    [
        "text/tab-separated-values",
        "TEXT/X-LOG; charset=utf-8",
        "application/csv",
        "application/x-ndjson",
        "application/yaml",
    ],
)
def test_every_kind_of_text_is_read_as_plain_text(media_type):
    """Readable text under any type of text is plain text; other bytes are not opened."""
    document = open_document(b"Seen: Ann Roe\t4.1\n", media_type)
    assert document is not None
    assert [("document.text", "Seen: Ann Roe\t4.1\n")] == [
        (s.datatype, s.text) for s in document.segments
    ]
    assert open_document(b"%PDF-1.4 Ann Roe", media_type) is None


def test_plain_text_has_newlines():
    """Line ends show as one newline, a byte order mark not at all; both stay in the bytes."""
    document = opened(b"\xef\xbb\xbfJo\r\nWu\rx", "text/plain")
    assert {"text": "Jo\nWu\nx"} == texts(document)
    assert b"\xef\xbb\xbfAl\r\nWu\rx" == document.rewrite([Edit("text", 0, 2, "Al")])


@pytest.mark.parametrize("charset", ["utf-16-le", "cp500", "utf-7", "nonesuch", "base64"])
def test_a_wrong_label_hides_nothing(charset):
    """A declared charset that does not read ASCII as ASCII is not believed."""
    assert {"text": "Ann Wu+"} == texts(opened(b"Ann Wu+", f"text/plain; charset={charset}"))


def test_new_text_that_the_charset_lacks_is_refused():
    """A name outside a legacy charset cannot be written into plain text."""
    with pytest.raises(EncodeError, match="unencodable"):
        edited("J\xf6rg".encode("cp1252"), "text/plain", "Jörg", "Łukasz")


def test_html_shows_what_a_reader_sees():
    """Blocks are lines, entities decoded, blanks collapsed; the rest are leaves."""
    assert {
        "html": "Note\nDischarge\xa0note\nMr. Jöhn Smith seen < 3 & ok\na\n  b",
        "html#style[0]": "p{}",
        "html@class[0]": "x",
        "html#comment[0]": " by Bob ",
        "html@alt[0]": "Ann <3",
        "html@?[0]": "bob",
    } == texts(opened(HTML, "text/html"))


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        ("Jöhn Smith", '<&"', b"J&ouml;hn <b>Sm</b>ith", b'&lt;&amp;"<b></b>'),
        ("Ann <3", '"<', b'alt="Ann &lt;3"', b'alt="&quot;&lt;"'),
        (" by Bob ", "x-->y", b"<!-- by Bob -->", b"<!--x- - y-->"),
        ("note", "a\nb", b"note</h1>", b"a<br/>b</h1>"),
        ("bob", "a b=", b"hidden bob", b"hidden a-b-"),
    ],
)
def test_html_edits_are_escaped_where_they_stand(old, new, before, after):
    """New text cannot leave its text, attribute or comment; tags between stay."""
    assert HTML.replace(before, after) == edited(HTML, "text/html", old, new)


def test_html_leaves_are_removed_whole():
    """A removed attribute or comment leaves no trace of its name or brackets."""
    document = opened(HTML, "text/html")
    edits = [
        Edit(path, 0, len(text), None) for path, text in texts(document).items() if path != "html"
    ]
    left = document.rewrite(edits)
    assert b"<body><h1>" in left
    assert b"<img hidden>" in left
    assert ["html"] == list(texts(opened(left, "text/html")))


def test_rtf_shows_text_and_hides_the_rest():
    """Paragraphs are lines, code page and Unicode decoded; tables, info and pictures are leaves."""
    shown = texts(opened(RTF, "application/rtf"))
    assert "Page\nMr John Smith\nJörg’s\txy\n(z(k){a}mail" == shown.pop("rtf")
    assert {
        "rtf/fonttbl[0]": "{\\f0 Arial;}",
        "rtf/info/author[0]": "Jo Wu",
        "rtf/info/creatim[0]": "\\yr2020",
        "rtf-binary[0]": "0102ab",
        "rtf/bkmkstart[0]": "b1",
        "rtf/fldinst[0]": "mailto:jo",
    } == shown


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        ("John Smith", "Al", rb"\b John\b0  Sm{\i ith}", rb"\b Al\b0 {\i }"),
        ("(k", "x", rb"\b(k", rb"\b x"),
        ("(k", "", rb"\b(k", rb"\b "),
        ("Jörg’s", "{\\}é", rb"J\'f6rg\u8217?s", rb"\{\\\}{\uc1\u233?}"),
        ("Jo Wu", "X", b"Jo Wu", b"X"),
    ],
)
def test_rtf_edits_are_escaped(old, new, before, after):
    """New text is ASCII RTF of its own and never joins a control word."""
    assert RTF.replace(before, after) == edited(RTF, "application/rtf", old, new)


def test_rtf_characters_beyond_the_first_plane():
    """A character of two Unicode words is one character, both ways."""
    document = opened(rb"{\rtf1 a\u-10179?\u-8704?b}", "text/rtf")
    assert {"rtf": "a\U0001f600b"} == texts(document)
    again = document.rewrite([Edit("rtf", 1, 2, "\U0001f4a9")])
    assert {"rtf": "a\U0001f4a9b"} == texts(opened(again, "text/rtf"))


def test_rtf_in_a_double_byte_code_page():
    """Two bytes of a double-byte code page are one character."""
    data = b"{\\rtf1\\ansi\\ansicpg932 \\'8e\\'52x}"
    assert {"rtf": "山x"} == texts(opened(data, "text/rtf"))
    assert data.replace(b"\\'8e\\'52", b"A") == edited(data, "text/rtf", "山", "A")


def test_cda_leaves_have_element_paths():
    """Texts and attributes are leaves; a section's narrative is one text."""
    root = "cda:ClinicalDocument"
    patient = f"{root}/recordTarget/patientRole/patient"
    section = f"{root}/component/section"
    document = opened(CDA, "text/xml")
    assert {
        f"{root}/id/@root": "1.2",
        f"{root}/id/@extension": "99",
        f"{patient}/name/given": "Ann",
        f"{patient}/name/given[2]": "B&C",
        f"{patient}/birthTime/@value": "1980",
        f"{section}/title": "Plan",
        f"{section}/text": "Hi John\nSmith\nx\ty",
        f"{section}/text/@ID[n0]": "a",
        f"{root}#comment[1]": " c ",
    } == texts(document)
    given = next(s for s in document.segments if s.text == "B&C")
    assert (f"{patient}/name/given", "cda") == (given.element, given.datatype)
    note = next(s for s in document.segments if s.path == f"{section}/text")
    assert "document.cda" == note.datatype


def test_cda_edits_stay_well_formed():
    """Every leaf edited with mark-up characters, or removed, leaves well-formed XML."""
    document = opened(CDA, "text/xml")
    for text in ("<&\"'>--]]>", None):
        edits = [Edit(s.path, 0, len(s.text), text) for s in document.segments]
        ET.fromstring(document.rewrite(edits))


def test_cda_values_are_masked_when_removed():
    """A removed value leaves the null flavor "masked"."""
    document = opened(CDA, "text/xml")
    path = next(s.path for s in document.segments if s.text == "1980")
    assert b'<birthTime nullFlavor="MSK"/>' in document.rewrite([Edit(path, 0, 4, None)])


def test_cda_prefixes_of_its_own_namespace_are_left_out():
    """A prefixed document has the same element paths."""
    data = b'<n:ClinicalDocument xmlns:n="urn:hl7-org:v3"><n:title>A</n:title></n:ClinicalDocument>'
    assert {"cda:ClinicalDocument/title": "A"} == texts(opened(data, "text/xml"))


@pytest.mark.parametrize(
    "label",
    ["application/cda+xml", "application/hl7-v3+xml", "application/HL7-V3-CDA", "x/y; charset=x"],
)
@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_cda_is_told_by_its_content(label, charset):
    """Whatever unknown type is declared, its texts are read, and its byte order mark stays."""
    data = CDA.decode().encode(charset)
    document = opened(data, label)
    assert opened(CDA, "text/xml").segments == document.segments
    new = edited(data, label, "Plan", "Note")
    assert CDA.decode().replace("Plan", "Note").encode(charset) == new


@pytest.mark.parametrize("label", ["application/fhir+xml", "image/svg+xml"])
def test_other_xml_is_not_opened_under_a_label_of_its_own(label):
    """What the names of its elements mean is not known."""
    data = b"<?xml version='1.0'?><a xmlns='http://hl7.org/fhir'>Ann</a>"
    assert open_document(data, label) is None


def test_other_xml_is_read_under_its_own_name():
    """XML that is no CDA has paths of its own, which no policy lists."""
    document = opened(b'<a b="1">x<c>y</c>z</a>', "text/xml")
    assert {"xml:a/@b": "1", "xml:a": "x", "xml:a/c": "y", "xml:a/text()[2]": "z"} == texts(
        document
    )


words = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=8)


@given(st.lists(words, min_size=1, max_size=6), st.integers(0, 5), words)
@settings(max_examples=200)
def test_splice_law_in_html(tokens, at, new):
    """In HTML made of any words, replacing one shows the new one and no other change."""
    at %= len(tokens)
    source = " ".join(f"<b>{t.replace('&', '&amp;').replace('<', '&lt;')}</b>" for t in tokens)
    document = opened(source.encode(), "text/html")
    shown = texts(document)["html"]
    assert unescape(" ".join(tokens).replace("&", "&amp;")) == shown
    start = len(" ".join(tokens[:at])) + bool(at)
    edit = Edit("html", start, start + len(tokens[at]), new)
    tokens[at] = new
    assert " ".join(tokens) == texts(opened(document.rewrite([edit]), "text/html"))["html"]


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1), st.data())
@settings(max_examples=200)
def test_splice_law_in_rtf(new, data):
    """Any new text put anywhere into RTF reads as written, all else as before."""
    document = opened(RTF, "application/rtf")
    shown = texts(document)["rtf"]
    start = data.draw(st.integers(0, len(shown) - 1).filter(lambda i: shown[i] not in "\n\t"))
    edit = Edit("rtf", start, start + 1, new)
    again = texts(opened(document.rewrite([edit]), "application/rtf"))
    assert shown[:start] + new + shown[start + 1 :] == again["rtf"]


def test_an_edit_of_a_break_alone_is_escaped():
    """Text put where only a shown line break stands goes behind the text before it, escaped."""
    data = b"<p>a</p><p>b</p>"
    document = opened(data, "text/html")
    assert b"<p>a&lt;</p><p>b</p>" == document.rewrite([Edit("html", 1, 2, "<")])


def test_an_edit_through_the_structure_is_refused():
    """A cut that would leave RTF groups unbalanced raises EncodeError."""
    with pytest.raises(EncodeError, match="unencodable"):
        edited(RTF, "application/rtf", "{\\f0 A", "x")


def test_names_of_unknown_tags_are_no_text_that_stays():
    """What stands in angle brackets and is no element is a leaf of its own, removable whole."""
    document = opened(b"<p>Seen by <Ann Roe> and <b>Jo</b></p>", "text/html")
    leaf = next(s for s in document.segments if s.element == "html#tag")
    assert "Ann" not in next(s.text for s in document.segments if s.path == "html")
    done = document.rewrite([Edit(leaf.path, 0, len(leaf.text), None)])
    assert done == b"<p>Seen by  and <b>Jo</b></p>"


@pytest.mark.parametrize(
    "data",
    [bytes.fromhex("e79dfce5ae1db5f7a7d7be75e79dfce5ae1db5f7a7d7be75"), "Пациент".encode("cp1251")],
)
def test_bytes_that_are_no_text_in_any_declared_charset_are_refused(data):
    """Neither wrongly decoded data nor text in an undeclared charset is read as Western text."""
    with pytest.raises(DocumentError, match="malformed"):
        open_document(data, "text/plain")


def test_text_in_a_declared_charset_is_read():
    """A charset that is declared is believed."""
    data = "Пациент Иванова".encode("cp1251")
    document = opened(data, "text/plain; charset=windows-1251")
    assert texts(document) == {"text": "Пациент Иванова"}


def test_xml_of_endless_depth_is_refused():
    """Paths grow with depth, so elements nest to a limit only."""
    with pytest.raises(DocumentError, match="malformed"):
        open_document(b"<a>" * 300 + b"</a>" * 300, "text/xml")


@pytest.mark.parametrize(
    ("before", "unit", "after", "media_type"),
    [
        *(("<a ", unit, ">", "text/html") for unit in (" ", "b ", "b=", 'b="x" ', "/ ")),
        *(("", unit, "", "text/html") for unit in ("<a '\"", "<!--", "&#65;", "<x:y>", "</")),
        ("<a ", " ", "/>", "text/xml"),
        *(("<a>", unit, "</a>", "text/xml") for unit in ("<b/>", "<!--x-->", "&amp;")),
        *(("{\\rtf1 ", unit, "}", "text/rtf") for unit in ("{\\b x}", "\\'e9", "{\\pict 00}")),
        ("{\\rtf1\\uc60000 ", "\\u233 ", "}", "text/rtf"),
        ("{\\rtf1 ", "{", "", "text/rtf"),
    ],
)
def test_hostile_documents_take_linear_time(before, unit, after, media_type):
    """Eight times as much of a hostile document takes about eight times as long."""

    def cost(size: int) -> float:
        data = (before + unit * (size // len(unit)) + after).encode()
        gc.disable()  # a collection costs more than the document
        started = process_time()
        with suppress(DocumentError):
            open_document(data, media_type)
        spent = process_time() - started
        gc.enable()
        return spent

    costs = [(cost(4_000), cost(32_000)) for _ in range(3)]
    small, large = map(min, zip(*costs, strict=True))
    assert large < 8 * 3 * max(small, 0.001)
