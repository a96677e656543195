"""Released messages reach a third-party receiver in order, whatever it answers."""

from __future__ import annotations

import asyncio
import json
import ssl
from contextlib import asynccontextmanager, suppress

import pytest

from adapter.audit import Event, configure_logs
from adapter.config.send import ReceiverTls, Send
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.send.folder import FolderSource
from adapter.send.receiver import Receiver, read_answer
from adapter.send.sending import RefusedError, Sending, keep
from adapter.transports.mllp.framing import END, framed
from tests.send.receiving import oru, receiving
from tests.transports.listener.test_tls import Authority
from tests.transports.mllp.senders import free_port


@pytest.fixture
def released(tmp_path):
    """A folder with two files of released messages, a manifest, and one being written."""
    folder = tmp_path / "released"
    folder.mkdir()
    (folder / "adt-1.hl7").write_bytes(framed(oru(1)) + framed(oru(2)))
    (folder / "adt-2.hl7").write_bytes(oru(3) + oru(4))
    (folder / "manifest.jsonl").write_bytes(b"{}\n")
    (folder / ".adt-3.hl7.part").write_bytes(oru(5))
    return folder


async def send(folder, port, *, stop=None, follow=False, **values):
    """Send what a folder has; how many were delivered and set aside."""
    values = {"retry_seconds": 0.01, "answer_seconds": 0.3} | values
    settings = Send(host="127.0.0.1", port=port, **values)
    source = FolderSource(folder, folder.parent / "position", follow=follow)
    sending = Sending(source, Receiver(settings), settings, stop or asyncio.Event())
    await sending.run()
    return sending.delivered, sending.set_aside


def sent(folder, plan=(), **values):
    """Send to a receiver with a plan; what was told, and what it got."""

    async def go():
        async with receiving(plan) as receiver, asyncio.timeout(20):
            return await send(folder, receiver.port, **values), receiver.got

    return asyncio.run(go())


def test_messages_arrive_in_order_and_once(released):
    """Files by name, messages by place; a second run has nothing to send."""
    assert ((4, 0), ["C1", "C2", "C3", "C4"]) == sent(released)
    assert ((0, 0), []) == sent(released)


@pytest.mark.parametrize(
    ("plan", "got"),
    [
        (["AE", "AR", "AA"], ["C1", "C1", "C1", "C2", "C3", "C4"]),
        (["silence"], ["C1", "C1", "C2", "C3", "C4"]),
        (["AA", "close"], ["C1", "C2", "C2", "C3", "C4"]),
        (["AA", "other"], ["C1", "C2", "C2", "C3", "C4"]),
        (["other AA"], ["C1", "C2", "C3", "C4"]),
        (["AA AA", "AA"], ["C1", "C2", "C3", "C4"]),
        (["CA"], ["C1", "C2", "C3", "C4"]),
    ],
)
def test_a_message_is_sent_until_it_is_accepted(released, plan, got):
    """Refusals, silence, a lost connection and answers of others are followed by a repeat."""
    assert ((4, 0), got) == sent(released, plan)


def test_a_refused_message_stops_the_sender(released):
    """The message is named and comes first in the next run; none behind it was sent."""
    with pytest.raises(RefusedError, match=r"^adt-1.hl7-1$"):
        sent(released, ["AA", "AE", "AE"], attempts=2)
    assert ((3, 0), ["C2", "C3", "C4"]) == sent(released)


def test_a_refused_message_is_set_aside_where_the_settings_say(released, tmp_path):
    """Its bytes are in the folder, and the ones behind it are sent."""
    values = {"attempts": 2, "refused": tmp_path / "refused"}
    assert (3, 1) == sent(released, ["AA", "AE", "AR"], **values)[0]
    (kept,) = (tmp_path / "refused").iterdir()
    assert ("adt-1.hl7-1.hl7", oru(2)) == (kept.name, kept.read_bytes())


def test_a_receiver_that_is_not_there_is_waited_for(released):
    """Nothing is lost or counted as refused while there is nobody."""

    async def go():
        port = free_port()
        sending = asyncio.create_task(send(released, port, attempts=1))
        await asyncio.sleep(0.2)
        async with receiving(port=port) as receiver:
            return await sending, receiver.got

    assert ((4, 0), ["C1", "C2", "C3", "C4"]) == asyncio.run(go())


def test_new_files_are_sent_until_stopped(released):
    """A sender that follows sees files when they get their names."""

    async def go():
        stop = asyncio.Event()
        async with receiving() as receiver:
            sending = asyncio.create_task(send(released, receiver.port, stop=stop, follow=True))
            async with asyncio.timeout(10):
                while len(receiver.got) < 4:  # noqa: ASYNC110 - the receiver tells nobody
                    await asyncio.sleep(0.01)
                (released / ".adt-3.hl7.part").rename(released / "adt-3.hl7")
                while len(receiver.got) < 5:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            stop.set()
            return await sending, receiver.got

    assert ((5, 0), ["C1", "C2", "C3", "C4", "C5"]) == asyncio.run(go())


def test_a_stop_ends_the_waiting(released):
    """A sender that waits for its receiver ends at once, and goes on where it was."""

    async def go():
        stop = asyncio.Event()
        sending = asyncio.create_task(
            send(released, free_port(), stop=stop, retry_seconds=50, follow=True)
        )
        await asyncio.sleep(0.2)
        stop.set()
        return await asyncio.wait_for(sending, 5)

    assert (0, 0) == asyncio.run(go())
    assert ["C1", "C2", "C3", "C4"] == sent(released)[1]


@pytest.mark.parametrize(
    ("enhanced", "plan"),
    [("||AL|NE", "CA"), ("||AL|AL", "CA AA"), ("||NE|AL", "AA"), ("||NE|NE", "silence")],
)
def test_the_enhanced_mode_is_answered_by_what_it_asks_for(tmp_path, enhanced, plan):
    """The first answer of success settles a message; where none is wanted, none is waited for."""
    folder = tmp_path / "released"
    folder.mkdir()
    (folder / "a.hl7").write_bytes(oru(1, enhanced) + oru(2, enhanced))
    assert ((2, 0), ["C1", "C2"]) == sent(folder, [plan, plan], answer_seconds=5)


def test_other_formats_are_passed_over(tmp_path):
    """MLLP carries HL7 v2: what is none is neither sent nor in the way."""
    folder = tmp_path / "released"
    folder.mkdir()
    (folder / "a.json").write_bytes(b'{"resourceType": "Patient"}')
    (folder / "b.hl7").write_bytes(oru(2))
    assert ((1, 0), ["C2"]) == sent(folder)


def test_tls_and_its_certificates(released, tmp_path):
    """The receiver's certificate is verified, and the sender shows its own."""
    authority = Authority(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=authority.cafile)
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_cert_chain(*authority.signed("receiver"))
    cert, key = authority.signed("sender")
    tls = {"enabled": True, "cafile": authority.cafile, "check_hostname": False}

    async def go(**more):
        async with receiving(ssl=context) as receiver:
            sending = send(released, receiver.port, tls=ReceiverTls(**tls, **more))
            return await asyncio.wait_for(sending, 3), receiver.got

    with pytest.raises(TimeoutError):
        asyncio.run(go())
    assert (4, 0) == asyncio.run(go(certfile=cert, keyfile=key))[0]
    with pytest.raises(RuleError, match=r"send\.tls"):
        Receiver(Send(tls=ReceiverTls(enabled=True, cafile=tmp_path / "missing")))


def test_what_is_no_acknowledgement_has_no_code():
    """Whatever a receiver writes, it is an answer or it is not."""
    for raw in (b"", b"MSA|AA|1\r", b"MSH|^~\\&|\rPID|AA|1\r", b"\xff\xfe"):
        assert "AA" != read_answer(raw)[0] or raw.startswith(b"MSA")
    assert ("AE", "C1") == read_answer(b"MSH|^~\\&|a\r\nMSA|AE|C1\r\n")


def test_a_position_file_that_is_none_is_refused(released):
    """Sending everything again is not the answer to a damaged file."""
    (released.parent / "position").write_bytes(b"no database" * 500)
    with pytest.raises(RuleError, match=r"send\.position"):
        FolderSource(released, released.parent / "position", follow=False)


def test_logs_tell_nothing_of_messages(released, capfd):
    """No log level shows what is sent, or what a receiver answers."""
    configure_logs("debug")
    (released / "adt-1.hl7").write_bytes(oru(1, note="Quillfeather"))
    sent(released, ["AE", "Quillfeather", "silence"])
    err = capfd.readouterr().err
    configure_logs("warning")
    assert ("not accepted" in err, "no answer" in err) == (True, True)
    assert "quillfeather" not in err.lower()


@asynccontextmanager
async def telling(*told):
    """A receiver that answers its messages by these blocks; its port, and what came."""
    came, plan = [], list(told)

    async def serve(reader, writer):
        with suppress(OSError, EOFError):
            while True:
                came.append(await reader.readuntil(END))
                writer.write(plan.pop(0))
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1], came


GOOD = framed(b"MSH|^~\\&|x\rMSA|AA|C1\r")


@pytest.mark.parametrize("told", [b"", b"MSH|^~\\&|x\rERR||||E\r", b"MSH|^~\\&|x\rMSA||C1\r"])
def test_a_block_without_a_code_is_no_acceptance(tmp_path, told):
    """It is passed over, and the message is sent again."""
    folder = tmp_path / "released"
    folder.mkdir()
    (folder / "a.hl7").write_bytes(oru(1))

    async def go():
        async with telling(framed(told), GOOD) as (port, came):
            return await send(folder, port), came

    assert ((1, 0), [framed(oru(1))] * 2) == asyncio.run(go())


def test_headers_of_batches_are_not_sent(tmp_path):
    """A receiver would refuse them."""
    folder = tmp_path / "released"
    folder.mkdir()
    batch = b"FHS|^~\\&|A\rBHS|^~\\&|A\r" + oru(1) + b"BTS|1\rFTS|1\r"
    (folder / "a.hl7").write_bytes(batch)
    assert ((1, 0), ["C1"]) == sent(folder)


def test_a_refusal_behind_the_receipt_is_told(tmp_path, capfd):
    """Also where both acknowledgements come at once."""
    folder = tmp_path / "released"
    folder.mkdir()
    (folder / "a.hl7").write_bytes(oru(1, "||AL|AL"))
    both = b"".join(framed(b"MSH|^~\\&|x\rMSA|%s|C1\r" % code) for code in (b"CA", b"AE"))

    async def go():
        async with telling(both) as (port, _):
            return await send(folder, port)

    configure_logs("warning")
    assert (1, 0) == asyncio.run(go())
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert ["AE"] == [each["code"] for each in lines if each["event"] == Event.REFUSED_LATER]


def test_refused_messages_have_files_of_their_own(tmp_path):
    """Whatever their names, none is written over, and none is for everyone to read."""
    folder, refused = tmp_path / "released", tmp_path / "refused"
    (folder / "a").mkdir(parents=True)
    names = ("a/b.hl7", "a-b.hl7", "a%2Fb.hl7")
    for number, name in enumerate(names):
        (folder / name).write_bytes(oru(number))
    refused.mkdir()
    (refused / "a-b.hl7-0.hl7").write_bytes(b"of another sender")
    assert (0, 3) == sent(folder, ["AR"] * 3, attempts=1, refused=refused)[0]
    kept = {path.name: path.read_bytes() for path in refused.iterdir()}
    wanted = {oru(number) for number in range(3)} | {b"of another sender"}
    assert (4, wanted) == (len(kept), set(kept.values()))
    modes = {p.stat().st_mode & 0o777 for p in refused.iterdir() if p.read_bytes()[:3] == b"MSH"}
    assert {0o600} == modes


def test_a_message_that_is_set_aside_again_is_there_once(tmp_path):
    """After a kill before it was noted, the same bytes are the same file."""
    for value in (oru(1), oru(1), oru(2)):
        keep(tmp_path, "a-0", value)
    assert [oru(1), oru(2)] == [path.read_bytes() for path in sorted(tmp_path.iterdir())]


@pytest.mark.parametrize("said", [{"cafile": "ca.pem"}, {"certfile": "c.pem", "keyfile": "k.pem"}])
def test_certificates_without_tls_are_refused(said):
    """Whoever names them means TLS, and would send in clear."""
    with pytest.raises(RuleError, match=r"send\.tls: .*enabled"):
        load_settings(send={"tls": said})
