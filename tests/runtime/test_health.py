"""The health endpoint reports liveness, readiness, lanes and metrics, and can pause lanes."""

from __future__ import annotations

import asyncio
import json
import re
import socket

import pytest

from adapter.audit import Audit
from adapter.config.settings import Health
from adapter.runtime.health import endpoint
from adapter.runtime.runner import Runner
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.protocol import TransportError
from adapter.types import Hold, Position, Processed, Record


class Inline:
    """A pool that holds everything."""

    restarts = 3
    living = 1

    def alive(self):
        """Return the number of live workers."""
        return self.living

    async def run(self, batch, _notes=None):
        """Return the outcomes of a batch immediately."""
        return [Processed(Hold("leak", "pattern"), 0.1) for _ in batch]


def runner_over(broker):
    """Return a runner that follows its input."""
    return Runner(MemoryTransport(broker, follow=True), Inline(), None, Audit("d"))


def free_port():
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def ask(port, request):
    """Return the whole response to a request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    return answer.decode()


def get(path):
    """Return a GET request."""
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


async def while_running(*requests, sent=Record(b"x", Position("", 0, 0))):  # noqa: B008 - frozen
    """Return /readyz before a run, the responses during it, and /readyz after it."""
    broker = Broker()
    broker.append("in", sent)
    runner, stop = runner_over(broker), asyncio.Event()
    async with endpoint(runner, Health(port=free_port())) as port:
        before = await ask(port, get("/readyz"))
        task = asyncio.create_task(runner.run(stop))
        while not broker.offsets:  # noqa: ASYNC110 - nothing to await
            await asyncio.sleep(0.001)
        during = [await ask(port, request) for request in requests]
        stop.set()
        await task
        return before, during, await ask(port, get("/readyz"))


def status(answer):
    """Return the status of a response."""
    return int(answer.split(" ")[1])


def test_ready_while_in_work():
    """The service is ready only between start and end of a run, and is alive meanwhile."""
    before, during, after = asyncio.run(while_running(get("/readyz"), get("/healthz")))
    assert [503, 200, 200, 503] == [status(answer) for answer in (before, *during, after)]


def test_not_ready_without_a_worker():
    """A service without live workers is not ready, and says that workers are missing."""

    async def go():
        runner, stop = runner_over(Broker()), asyncio.Event()
        async with endpoint(runner, Health(port=free_port())) as port:
            task = asyncio.create_task(runner.run(stop))
            await asyncio.sleep(0.01)
            runner.pool.living = 0
            answer = await ask(port, get("/readyz"))
            stop.set()
            await task
            return answer

    answer = asyncio.run(go())
    assert (503, True) == (status(answer), answer.endswith("\nnot ready: workers\n"))


def test_not_ready_while_a_lane_fails():
    """The service is not ready while a lane retries a batch, until that batch is settled."""
    broker, answers = Broker(), []
    broker.append("in", Record(b"x", Position("", 0, 0)))

    def step(name):
        answers.append(runner.lacking())
        if name == "before-commit" and len(answers) < 10:
            raise TransportError("no-topic")

    broker.step = step
    runner, stop = runner_over(broker), asyncio.Event()
    runner.retry_seconds = 0

    async def go():
        task = asyncio.create_task(runner.run(stop))
        while not broker.offsets:  # noqa: ASYNC110 - nothing to await
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)
        answers.append(runner.lacking())
        stop.set()
        await task

    asyncio.run(go())
    assert ((), ("lanes",), ()) == (answers[0], answers[9], answers[-1])


def test_lanes_are_shown():
    """/lanes shows the state, position, lag and holds by code of each open lane."""
    _, (answer,), _ = asyncio.run(while_running(get("/lanes")))
    assert "\nContent-Type: application/json" in answer.replace("\r", "")
    shown = json.loads(answer.partition("\r\n\r\n")[2])
    (lane,) = shown["lanes"]
    assert ([], "in-0", "working", 0, {"leak/pattern": 1}, None) == (
        shown["lacks"], lane["lane"], lane["state"], lane["lag_records"], lane["held"],
        lane["last_failure"],
    )  # fmt: skip
    assert [{"topic": "in", "partition": 0, "offset": 0}] == lane["settled"]


JSON = "Content-Type: application/json"


def post(path, *headers):
    """Return a POST request, of JSON unless headers say otherwise."""
    lines = [f"POST {path} HTTP/1.1", "Host: x", "Content-Length: 0", *(headers or [JSON])]
    return "".join(f"{line}\r\n" for line in lines).encode() + b"\r\n"


def controlled(transport, *requests, control=True):
    """Return the responses to requests sent while a lane is open."""

    async def go():
        runner, stop = Runner(transport, Inline(), None, Audit("d")), asyncio.Event()
        health = Health(port=free_port(), control=control)
        async with endpoint(runner, health) as port:
            task = asyncio.create_task(runner.run(stop))
            while not runner.statuses():  # noqa: ASYNC110 - nothing to await
                await asyncio.sleep(0.001)
            answers = [await ask(port, request) for request in requests]
            stop.set()
            await task
            return answers

    return asyncio.run(go())


class PausableTransport(MemoryTransport):
    """A transport that records pauses."""

    def pause(self, name, *, paused):
        """Record a pause or its end."""
        self.broker.epochs[name, paused] = 1


def test_a_lane_is_paused_and_resumed():
    """POST pauses and resumes a lane in the transport, and /lanes shows its state."""
    broker = Broker()
    broker.log("in")
    requests = post("/lanes/in-0/pause"), get("/lanes"), post("/lanes/in-0/resume"), get("/lanes")
    paused, shown, resumed, after = controlled(PausableTransport(broker, follow=True), *requests)
    assert (200, 200) == (status(paused), status(resumed))
    assert ('"state": "paused"' in shown, '"state": "working"' in after) == (True, True)
    assert {("in-0", True), ("in-0", False)} <= broker.epochs.keys()


@pytest.mark.parametrize(
    ("path", "control", "expected"),
    [
        ("/lanes/in-0/pause", False, 405),
        ("/lanes/in-7/pause", True, 404),
        ("/lanes/in-0/erase", True, 404),
        ("/lanes/../pause", True, 404),
        ("/readyz", True, 404),
    ],
)
def test_nothing_else_is_controlled(path, control, expected):
    """POST is refused without the setting, for unknown lanes and for other paths."""
    broker = Broker()
    broker.log("in")
    transport = PausableTransport(broker, follow=True)
    (answer,) = controlled(transport, post(path), control=control)
    assert expected == status(answer)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ([JSON, "Origin: https://page.example"], 403),
        ([JSON, "origin:null"], 403),
        ([JSON, "Origin: http://x"], 403),
        ([JSON, "Sec-Fetch-Site: cross-site"], 403),
        ([JSON, "Sec-Fetch-Site: same-site"], 403),
        ([JSON, "Sec-Fetch-Site: same-origin"], 403),
        (["Content-Type: text/plain"], 415),
        (["Content-Type: application/x-www-form-urlencoded"], 415),
        (["Content-Type: text/plain;application/json"], 415),
        (["X-A: 1"], 415),
        (["content-type: Application/JSON; charset=utf-8"], 200),
        ([JSON, "Sec-Fetch-Site: none"], 200),
    ],
)
def test_no_page_of_the_web_controls_lanes(headers, expected):
    """Requests that a web page or form can send are refused; other JSON requests are not."""
    broker = Broker()
    broker.log("in")
    transport = PausableTransport(broker, follow=True)
    (answer,) = controlled(transport, post("/lanes/in-0/pause", *headers))
    assert expected == status(answer)
    assert (expected == 200) == (("in-0", True) in broker.epochs)


def test_the_time_of_a_pause_is_measured():
    """How long a lane has been paused is told until it is resumed."""

    def seconds(answer):
        return float(re.search(r'deid_lane_paused_seconds{lane="in-0"} (\S+)', answer)[1])

    broker = Broker()
    broker.log("in")
    asked = [
        post("/lanes/in-0/pause"),
        get("/metrics"),
        post("/lanes/in-0/resume"),
        get("/metrics"),
    ]
    _, paused, _, resumed = controlled(PausableTransport(broker, follow=True), *asked)
    assert 0 == seconds(resumed) < seconds(paused)


def test_a_transport_without_pauses_has_none():
    """Pausing a lane of a transport that cannot pause returns 404."""
    broker = Broker()
    broker.log("in")
    (answer,) = controlled(MemoryTransport(broker, follow=True), post("/lanes/in-0/pause"))
    assert 404 == status(answer)


def test_metrics_are_up_to_date():
    """/metrics measures its gauges when it is requested."""
    _, (answer,), _ = asyncio.run(while_running(get("/metrics")))
    for line in (
        'deid_held_total{code="pattern",stage="leak"} 1.0',
        'deid_lag_records{lane="in-0"} 0.0',
        "deid_in_flight_records 0.0",
        "deid_worker_restarts 3.0",
        "deid_lanes 1.0",
        "deid_oldest_in_flight_seconds 0.0",
        'deid_oldest_unsettled_seconds{lane="in-0"} 0.0',
        'deid_lacking{what="broker"} 0.0',
        'deid_batch_stage_seconds_count{stage="commit"} 1.0',
    ):
        assert line in answer


@pytest.mark.parametrize("request_", [b"nonsense\r\n\r\n", b"\xff\xfe \r\n\r\n", b"x" * 70_000])
def test_what_is_no_request_gets_no_answer(request_):
    """Malformed requests get no response, and the endpoint keeps serving."""
    _, (nothing, alive), _ = asyncio.run(while_running(request_, get("/healthz")))
    assert ("", 200) == (nothing, status(alive))


def test_no_page_tells_of_a_message():
    """Neither value nor key nor headers of a message are on a page; lanes tell offset and codes."""
    text = "Quillfeather"
    told = ((text, text.encode()),)
    sent = Record(text.encode(), Position("", 0, 0), text.encode(), told)
    paths = "/healthz", "/readyz", "/lanes", "/metrics", f"/{text}"
    _, answers, _ = asyncio.run(while_running(*map(get, paths), sent=sent))
    assert [200, 200, 200, 200, 404] == [status(answer) for answer in answers]
    assert [False] * 5 == [text in answer for answer in answers]


def test_an_unknown_path():
    """An unknown path returns 404."""
    _, (answer,), _ = asyncio.run(while_running(get("/secrets")))
    assert 404 == status(answer)


def test_turned_off():
    """With port 0 nothing listens."""

    async def go():
        async with endpoint(runner_over(Broker()), Health()) as port:
            return port

    assert 0 == asyncio.run(go())
