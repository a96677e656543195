"""Envelopes that lie: each is refused by its own code, none is believed."""

from __future__ import annotations

import base64
import gzip
import json

import pytest

from adapter.codecs.envelopes import ENVELOPES, Gzip, Spec
from adapter.codecs.envelopes.pointers import parsed
from adapter.errors import EnvelopeError

MESSAGE = "MSH|^~\\&|||||20240102||ADT^A01|1|P|2.5\r"
BODY = json.dumps(MESSAGE)


def envelope(kind="json", *pointers, **options):
    """An envelope of some settings."""
    spec = Spec(tuple(parsed(text) for text in pointers), **options)
    return ENVELOPES[kind].make(spec, None)


def refused(of, value):
    """The code by which a value is refused."""
    with pytest.raises(EnvelopeError) as error:
        of.unwrap(value if isinstance(value, bytes) else value.encode())
    return error.value.code


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("", "not-json"),
        ("{", "not-json"),
        ("\ufeff{}", "not-json"),
        (f'{{"m": {BODY}}} trailing', "not-json"),
        (f'{{"m": {BODY}, "n": NaN}}', "not-json"),
        (f'{{"m": {BODY}, "m": "x"}}', "duplicate-key"),
        (f'{{"m": {BODY}, "\\u006d": "x"}}', "duplicate-key"),
        (f'{{"m": {BODY}, "x": {{"a": 1, "a": 2}}}}', "duplicate-key"),
        (f'{{"m": {BODY}, "x": {"[" * 500}{"]" * 500}}}', "too-deep"),
        (f'{{"m": {BODY}, "x": {"[" * 100000}{"]" * 100000}}}', "too-deep"),
        ("{}", "no-payload"),
        ('{"m": null}', "no-payload"),
        ('{"m": ""}', "no-payload"),
        ('{"M": "x"}', "no-payload"),
        ('[{"m": "x"}]', "no-payload"),
        ('{"m": 5}', "encoding"),
        ('{"m": true}', "encoding"),
        ('{"m": "\\ud800"}', "not-json"),
        (b'{"m": "\xff"}', "not-json"),
    ],
)
def test_json_that_is_no_such_document(value, code):
    """Each has its code."""
    assert code == refused(envelope("json", "/m"), value)


@pytest.mark.parametrize("text", ["TVNI!", "TVNI\n", " TVNI", "TVN", "TVNIfA", "TVNIfB==", "TVN_"])
def test_base64_that_readers_read_differently(text):
    """White space, missing padding, stray bits and other alphabets are refused."""
    assert "encoding" == refused(envelope("json", "/m", base64=True), json.dumps({"m": text}))


def test_a_text_that_its_own_charset_lacks():
    """A message that says it is ASCII and is not has no bytes that its reader would see."""
    message = "MSH|^~\\&|||||20240102||ADT^A01|1|P|2.5||||||ASCII\rPID|1||||Müller\r"
    assert "encoding" == refused(envelope("json", "/m"), json.dumps({"m": message}))


def test_a_text_is_encoded_as_its_header_says():
    """MSH-18 is honoured, so that the codec reads what a reader of the document sees."""
    message = "MSH|^~\\&|||||20240102||ADT^A01|1|P|2.5||||||8859/1\rPID|1||||Müller\r"
    of = envelope("json", "/m")
    unwrapped = of.unwrap(json.dumps({"m": message}).encode())
    assert (message.encode("latin-1"),) == unwrapped.payloads
    assert {"m": message} == json.loads(of.wrap(unwrapped, unwrapped.payloads, []))


def test_a_payload_that_is_an_object_is_the_message():
    """A FHIR resource may stand in the document as it is; its numbers keep their form."""
    of = envelope("json", "/m")
    unwrapped = of.unwrap(b'{"m": {"resourceType": "Observation", "value": 1.50}, "x": 1}')
    assert (b'{"resourceType":"Observation","value":1.50}',) == unwrapped.payloads
    assert b'{"m":{"a":1.0}}' == of.wrap(unwrapped, [b'{"a":1.0}'], [])
    with pytest.raises(EnvelopeError, match="unwritable"):
        of.wrap(unwrapped, [b'{"a":1.0'], [])


def test_several_pointers_give_several_messages():
    """Those that lead somewhere; items of a list before one are null."""
    of = envelope("json", "/before/0/m", "/after/1/m")
    unwrapped = of.unwrap(b'{"before": null, "after": [{"m": "old"}, {"m": "new", "x": 1}, 3]}')
    assert (b"new",) == unwrapped.payloads
    assert b'{"after":[null,{"m":"NEW"}]}' == of.wrap(unwrapped, [b"NEW"], [])


def test_values_that_stay_are_given_as_text_number_or_nothing():
    """Objects and lists are never kept; true, false and null say nothing of anybody."""
    keep = tuple(parsed(f"/{name}") for name in "abcdefg")
    of = envelope("json", "/m", keep=keep)
    raw = b'{"m":"x","a":"t","b":1.50,"c":true,"d":null,"e":{"y":1},"f":["z"],"z":"gone"}'
    unwrapped = of.unwrap(raw)
    assert [("/a", "t", "text"), ("/b", "1.50", "number")] == [
        (each.pointer, each.text, each.nature) for each in unwrapped.beside
    ]
    assert b'{"m":"X","a":"u","b":1.50,"c":true,"d":null}' == of.wrap(
        unwrapped, [b"X"], ["u", "1.50"]
    )


def event(**others):
    """A CloudEvent."""
    base = {"specversion": "1.0", "id": "1", "source": "/s", "type": "t"} | others
    return json.dumps({key: value for key, value in base.items() if value != "absent"})


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (event(data=MESSAGE, specversion="0.3"), "not-an-event"),
        (event(data=MESSAGE, specversion="absent"), "not-an-event"),
        (event(data=MESSAGE, id=""), "not-an-event"),
        (event(data=MESSAGE, id=5), "not-an-event"),
        (event(data=MESSAGE, source="absent"), "not-an-event"),
        (event(data=MESSAGE, data_base64="TVNI"), "several-payloads"),
        (event(data=MESSAGE, data_base64=None), "several-payloads"),
        (event(), "no-payload"),
        (event(data_base64="TVNI?"), "encoding"),
        ("[]", "not-an-event"),
    ],
)
def test_events_that_are_none(value, code):
    """Each has its code."""
    assert code == refused(envelope("cloudevents"), value)


def test_an_events_content_type_stays_if_it_is_a_known_one():
    """A parameter or an unknown type is gone."""
    of = envelope("cloudevents")
    for given, kept in (
        ("application/fhir+json; charset=Zaphod", "application/fhir+json"),
        ("text/zaphod", None),
    ):
        unwrapped = of.unwrap(event(data="x", datacontenttype=given).encode())
        out = json.loads(of.wrap(unwrapped, [b"y"], ["9", None]))
        assert kept == out.get("datacontenttype")
        assert ("9", "/deid", "deid.message") == (out["id"], out["source"], out["type"])


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"no gzip",
        gzip.compress(b'{"m": "x"}')[:-1],
        gzip.compress(b'{"m": "x"}')[:-8] + bytes(8),
        gzip.compress(b'{"m": "x"}') + b"\0",
        gzip.compress(b'{"m": "x"}') + gzip.compress(b'{"m": "y"}'),
    ],
    ids=["nothing", "no gzip", "cut", "wrong sum", "a byte behind", "two members"],
)
def test_what_is_not_one_whole_member_of_gzip(value):
    """Cut, changed, followed by anything: refused."""
    assert "gzip" == refused(Gzip(envelope("json", "/m"), 1000), value)


def test_a_bomb_is_not_unpacked():
    """What would be longer than allowed is given up at the bound."""
    bomb = gzip.compress(bytes(50_000_000))
    assert "too-large" == refused(Gzip(envelope("json", "/m"), 100_000), bomb)
    assert "too-large" == refused(envelope("json", "/m", max_bytes=10), json.dumps({"m": "x" * 20}))


def test_a_members_name_and_time_are_not_kept():
    """A member's header has none of what the sender wrote there."""
    of = Gzip(envelope("json", "/m"), 1000)
    raw = gzip.compress(b'{"m": "x"}', mtime=1704164645)
    named = raw[:3] + b"\x08" + raw[4:10] + b"Zaphod.hl7\0" + raw[10:]
    out = of.wrap(of.unwrap(named), [b"y"], [])
    assert b"\x1f\x8b\x08\x00\x00\x00\x00\x00" == out[:8]
    assert b'{"m":"y"}' == gzip.decompress(out)


@pytest.mark.parametrize("text", ["", "m", "/a~", "/a~2", "/" + "/a" * 40])
def test_what_is_no_pointer(text):
    """A pointer leads into a document, by valid escapes (RFC 6901)."""
    assert None is parsed(text)


def test_a_pointers_escapes_are_read():
    """~1 is a slash and ~0 a tilde."""
    assert ("a/b", "~1", "") == parsed("/a~1b/~01/")


def test_base64_of_another_message_is_written_alike():
    """What was base64 is base64 again."""
    of = envelope("json", "/m", base64=True)
    unwrapped = of.unwrap(json.dumps({"m": base64.b64encode(b"a\xff").decode()}).encode())
    assert (b"a\xff",) == unwrapped.payloads
    assert {"m": "Yv8="} == json.loads(of.wrap(unwrapped, [b"b\xff"], []))


def test_messages_of_one_text_have_one_charset():
    """Bytes of a later one would be read otherwise than a reader of the envelope reads them."""
    second = MESSAGE.replace("|2.5", "|2.5||||||8859/1") + "PID|1\r"
    assert "encoding" == refused(envelope("json", "/m"), json.dumps({"m": MESSAGE + second}))
    unwrapped = envelope("json", "/m").unwrap(json.dumps({"m": second + second}).encode())
    assert ((second + second).encode("latin-1"),) == unwrapped.payloads


def test_reprs_show_no_text():
    """Neither of what was unwrapped nor of what it is written anew from."""
    raw = b'{"m":"Lindgren","o":{"resourceType":"Lindgren"},"k":"Lindgren"}'
    unwrapped = envelope("json", "/m", "/o", keep=(("k",),)).unwrap(raw)
    payloads = unwrapped.rest.payloads
    values = [payload.value(b'"Lindgren"') for payload in payloads.values()]
    raws = [value for value in values if not isinstance(value, str)]
    assert 1 == len(raws)
    assert "Lindgren" not in repr((unwrapped, unwrapped.rest, payloads, raws))
