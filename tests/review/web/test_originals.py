"""Views of original text are in the service's audit, or there is no view."""

from __future__ import annotations

import base64
import getpass
import json

import pytest
from typer.testing import CliRunner

from adapter.cli import app
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.review.judging.actions import Action, Kind
from adapter.review.store import proposed
from adapter.review.web import originals
from adapter.runtime.access import accesses
from tests.review.console import NAMES, Browser

SECRET = base64.b64encode(bytes(range(32))).decode()
WORDS = (*NAMES, "Ashford", "Halloran", "Glasgow")


@pytest.fixture
def config(tmp_path):
    """Settings with an audit file and the key that signs it."""
    file = tmp_path / "adapter.toml"
    file.write_text(
        'transport = "files"\n[files]\naudit = "audit.jsonl"\n'
        f'[keys]\naudit = {{ id = "a1", value = "{SECRET}" }}\n',
        "utf-8",
    )
    return file


@pytest.fixture
def audit(config):
    """The accesses to an audit file, which tests read beside its settings."""
    with accesses(load_settings(config), "review") as opened:
        yield opened


def recorded(config):
    """The access records of the file."""
    lines = (config.parent / "audit.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def logged_in(console, name, record):
    """A client of somebody, on a console with this audit."""
    client = Browser(console.app(record=record))
    assert client.log_in(name).status_code == 303
    return client


def judged(console):
    """The id of a proposal that follows from an officer's decision."""
    held, olga = console.readings("held")[0], console.person("olga")
    console.desk.act(olga, held.id, 0, [Action(Kind.REJECT, span=3, reason="ambiguous")])
    console.desk.finish(olga, held.id, 1)
    with console.store.database.transaction() as cursor:
        return proposed.listed(cursor, console.store.box, proposed.OPEN)[0].id


def test_each_view_is_a_record_that_the_audits_own_check_verifies(console, config, audit):
    """Who, when, why and which; a page that has no text of a message has none; no text is in it."""
    held = console.readings("held")[0]
    client = logged_in(console, "olga", audit.record)
    for path in ("/queue", "/report", f"/readings/{held.id}", f"/readings/{held.id}/phrase?span=3"):
        assert client.get(path).status_code == 200
    view, phrase = recorded(config)
    assert {
        "access": "review view",
        "user": getpass.getuser(),
        "reason": "review",
        "person": "olga",
        "queue": "held",
        "reading": held.id,
        "item": held.item,
        "id": "held-1",
    }.items() <= view.items()
    assert type(view["time_ms"]) is int
    assert ("review phrase", "olga", held.id) == (
        phrase["access"], phrase["person"], phrase["reading"],
    )  # fmt: skip
    others = {reading.item for reading in console.readings("uncertain")}
    assert held.item in phrase["items"]
    assert set(phrase["items"]) & others
    text = (config.parent / "audit.jsonl").read_text("utf-8")
    assert [] == [word for word in WORDS if word in text]
    done = CliRunner().invoke(app, ["audit", "verify", "--config", str(config)])
    assert (0, True) == (done.exit_code, "2 records, 1 chain: nothing wrong" in done.stderr)


def test_views_of_proposals_are_records(console, config, audit):
    """Proposals have phrases of messages: the list of them, and each one."""
    proposal = judged(console)
    client = logged_in(console, "otto", audit.record)
    assert "Glasgow" in client.get("/proposals").text
    assert client.get("/proposals?state=approved").status_code == 200
    assert client.get(f"/proposals/{proposal}").status_code == 200
    assert [("review proposals", "otto", [proposal])] * 2 == [
        (record["access"], record["person"], record["proposals"]) for record in recorded(config)
    ]


def test_steps_on_an_open_item_add_no_record(console, config, audit):
    """Judging costs no record; a step of a session that never opened the item does."""
    held = console.readings("held")[0].id
    by_htmx = {"headers": {"hx-request": "true"}}
    olga = logged_in(console, "olga", audit.record)
    olga.get(f"/readings/{held}")
    for version in range(3):
        step = {"version": str(version), "kind": "accept", "span": str(version)}
        assert "Halloran" in olga.post(f"/readings/{held}/act", step, **by_htmx).text
    assert "Halloran" in olga.post(f"/readings/{held}/undo", {"version": "3"}, **by_htmx).text
    assert ["olga"] == [record["person"] for record in recorded(config)]
    otto = Browser(olga.client._transport.app)
    otto.log_in("otto")
    refused = {"version": "0", "kind": "accept", "span": "3"}
    assert "Halloran" in otto.post(f"/readings/{held}/act", refused, **by_htmx).text
    assert ["olga", "otto"] == [record["person"] for record in recorded(config)]


def test_who_opens_an_item_again_has_a_record_again(console, config, audit):
    """A page that is loaded anew is a view of its own."""
    client = logged_in(console, "olga", audit.record)
    for _ in range(2):
        client.get(f"/readings/{console.readings('held')[0].id}")
    assert ["review view"] * 2 == [record["access"] for record in recorded(config)]


def test_what_was_opened_is_forgotten_before_it_fills_the_memory(console, monkeypatch):
    """A step on a forgotten reading is recorded again, rather than not at all."""
    monkeypatch.setattr(originals, "MOST", 1)
    told = []
    client = logged_in(console, "ann", lambda access, _reason, **_more: told.append(access))
    first, second = console.readings("uncertain", "ann")[0], console.readings("recall", "ann")[0]
    for reading in (first, second):
        client.get(f"/readings/{reading.id}")
    for reading in (second, first):
        step = {"version": "0", "kind": "accept", "span": str(reading.focus)}
        client.post(f"/readings/{reading.id}/act", step, headers={"hx-request": "true"})
    assert ["review view"] * 3 == told


def test_without_the_record_nothing_is_shown(console):
    """Each page with text of messages is 503 without a word of it, and the others stay."""
    proposal = judged(console)

    def refuse(*_given, **_told):
        raise RuleError("audit", "the record cannot be written")

    client = logged_in(console, "ann", refuse)
    reading = console.readings("uncertain", "ann")[0]
    step = {"version": "0", "kind": "accept", "span": str(reading.focus)}
    by_htmx = {"hx-request": "true"}
    answers = [
        client.get(f"/readings/{reading.id}"),
        client.get(f"/readings/{reading.id}/phrase?span={reading.focus}"),
        client.post(f"/readings/{reading.id}/act", step, headers=by_htmx),
    ]
    assert client.get("/queue").status_code == 200
    client = logged_in(console, "otto", refuse)
    answers += [client.get("/proposals"), client.get(f"/proposals/{proposal}")]
    assert client.get("/report").status_code == 200
    assert {503} == {answer.status_code for answer in answers}
    assert [] == [word for answer in answers for word in WORDS if word in answer.text]
