"""A console over invented messages: no rules are compiled, passwords are cheap to check."""

from __future__ import annotations

import re
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass

import httpx
import uvicorn
from argon2 import PasswordHasher

from adapter.review.access import Access
from adapter.review.desk import Desk
from adapter.review.figures.sampling import entropy
from adapter.review.intake import sample_recall, sample_uncertain
from adapter.review.judging.editing import canonical
from adapter.review.judging.items import Content, Mark, ReviewText, packed
from adapter.review.store import items, people, readings
from adapter.review.store.items import Item, Mention
from adapter.review.store.readings import Reading
from adapter.review.store.registry import open_database
from adapter.review.store.store import Store, fresh_id
from adapter.review.web.app import application, templates
from adapter.review.web.call import Console
from adapter.sealing.box import Box
from adapter.sealing.chain import Signer

SIGNER = Signer.of("audit-1", b"a" * 32)
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
NAMES = ("Quillfeather", "Brambleworth", "Thistlewaite", "Penhaligon", "Okonjo-Reyes")
"""No page, log or byte of a database may have these but the pages of items."""
PEOPLE = {"ann": "annotator", "ben": "annotator", "olga": "officer", "otto": "officer",
          "aud": "auditor", "adm": "admin"}  # fmt: skip
PASSWORD = "correct horse battery"
DAY = 86_400_000


@dataclass
class Clock:
    """Time that tests move."""

    now: float = 1_800_000_000.0

    def __call__(self):
        """Seconds since the epoch."""
        return self.now


def marked(text, *marks):
    """A free text with the mentions that a machine found: (phrase, label, source, score)."""
    found = []
    for phrase, label, source, score in marks:
        start = text.index(phrase)
        found.append(
            Mark(start, start + len(phrase), label, source, score, "", f"<{label.lower()}>")
        )
    return ReviewText(
        "OBX[1]-5", "OBX-5", "scan", text, "en", tuple(sorted(found, key=lambda m: m.start))
    )


def note(number, name=None):
    """An invented note; a word of it is no town."""
    name = name or NAMES[number % len(NAMES)]
    text = (
        f"Mr {name} of Ashford was seen on 3/{number % 28 + 1}/2024. Glasgow coma scale 15.\n"
        f"Discussed with Dr Halloran <script>alert('{number}')</script>;"
        f" call 555-01{number % 90 + 10}."
        f" Ward {number}."
    )
    return marked(
        text,
        (name, "PATIENT", "phrase", 1.0),
        ("Ashford", "CITY", "crf", 0.9),
        (f"3/{number % 28 + 1}/2024", "DATE", "dates.slashed", 1.0),
        ("Glasgow", "CITY", "crf", 0.5 + (number % 40) / 100),
        ("Halloran", "DOCTOR", "names.titled", 1.0),
    )


def content(number, hold="", **more):
    """An invented message."""
    return Content(
        "hl7v2", "ORU^R01", "en", (note(number, **more),), f"MSH|{number}".encode(), hold
    )


def put(store, what, *, name="", days=30):
    """Put a content into a store; its item's id."""
    identity, now = fresh_id(), store.now
    found = [
        Mention(
            n,
            m.start,
            m.end,
            store.mac(canonical(t.text[m.start : m.end])),
            m.score,
            entropy(m.score),
        )
        for n, t in enumerate(what.texts)
        for m in t.marks
    ]
    item = Item(
        identity,
        what.kind,
        "" if what.hold else "ORU^R01 short unsure",
        what.hold,
        name,
        now,
        now + days * DAY,
    )
    with store.step("import", item=identity) as cursor:
        items.add(cursor, store.box, item, store.mac(what.raw.hex()), packed(what), mentions=found)
        if what.hold:
            rank, spans = readings.arrival(cursor), len(found)
            held = Reading(fresh_id(), identity, "held", rank=rank, spans=spans, created=now)
            readings.add(cursor, held)
    return identity


def store_at(url, clock=None):
    """A store with keys of its own."""
    return Store(
        open_database(url), Box("review-1", {"review-1": b"r" * 32}), SIGNER, clock or Clock()
    )


@dataclass
class Staffed:
    """A store with people, messages, a sample and queues, and the console over it."""

    store: Store
    access: Access
    clock: Clock

    @property
    def desk(self):
        """The steps."""
        return Desk(self.store)

    def person(self, name):
        """Somebody, as they are now."""
        with self.store.database.transaction() as cursor:
            return people.named(cursor, name)

    def readings(self, queue, name=None):
        """Readings of a queue that are not done."""
        who = self.person(name).id if name else None
        with self.store.database.transaction() as cursor:
            rows = readings.listed(cursor, queue, who, done=False, most=500)
        return [row.reading for row in rows]

    def app(self, hosts=("127.0.0.1",), *, warm=False, **more):
        """The console; ``warm``: once it has counted its figures in the background."""
        secure = more.pop("secure", False)
        made = Console(self.store, self.access, templates(), secure=secure, **more)
        if warm:
            made.figures.warm().join()
        return application(made, hosts)


def staffed(url, *, notes=12, recall=4, uncertain=6, clock=None):
    """A store with all that the pages show."""
    clock = clock or Clock()
    store = store_at(url, clock)
    access = Access(store, CHEAP)
    made = Staffed(store, access, clock)
    for name, role in PEOPLE.items():
        access.add(name, role, "")
        access.set_password(made.person(name), PASSWORD)
    for number in range(notes):
        put(store, content(number))
    put(store, content(notes, hold="leak/known-value"), name="held-1")
    if recall:
        sample_recall(store, recall, 1)
    if uncertain:
        sample_uncertain(store, uncertain, "entropy")
    return made


@contextmanager
def served(app, port=0):
    """The address of a server that runs meanwhile in a thread."""
    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


class Browser:
    """An HTTP client with a session: what a browser sends, without one."""

    def __init__(self, app, base="http://127.0.0.1"):
        import asyncio  # noqa: PLC0415

        self.loop = asyncio.new_event_loop()
        transport = httpx.ASGITransport(app)
        self.client = httpx.AsyncClient(transport=transport, base_url=base)
        self.base, self.csrf = base, ""

    def get(self, path, **more):
        """Get a page; the token of its forms is kept."""
        answer = self.loop.run_until_complete(self.client.get(path, **more))
        found = re.search(r'name="csrf" value="([^"]+)"', answer.text)
        self.csrf = found[1] if found else self.csrf
        return answer

    def post(self, path, data=None, *, origin=None, csrf=None, **more):
        """Send a form of this session."""
        fields = {"csrf": self.csrf if csrf is None else csrf} | (data or {})
        headers = {"origin": self.base if origin is None else origin} | more.pop("headers", {})
        return self.loop.run_until_complete(
            self.client.post(path, data=fields, headers=headers, **more)
        )

    def log_in(self, name, password=PASSWORD):
        """Log in; the answer."""
        answer = self.post("/login", {"name": name, "secret": password})
        if answer.status_code == 303:
            self.get("/password")
        return answer
