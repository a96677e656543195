"""Every route for every role: what is not somebody's is not there."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from adapter.cli.review.server import outcome
from adapter.review import reporting
from adapter.review.feedback.effect import Change
from adapter.review.judging.actions import Action, Kind
from adapter.review.settled import settle
from adapter.review.store import proposed
from adapter.review.web.app import PAGES, application, templates
from adapter.review.web.call import Console
from adapter.review.web.formats import commands
from adapter.sealing.chain import Signer
from tests.review.console import DAY, NAMES, PEOPLE, Browser, content, put

EVERYBODY = {"annotator", "officer", "auditor", "admin"}
OFFICER, JUDGES = {"officer"}, {"annotator", "officer"}
TABLE = {
    "home": EVERYBODY,
    "log-out": EVERYBODY,
    "password": EVERYBODY,
    "set password": EVERYBODY,
    "set codes": EVERYBODY,
    "queue": JUDGES,
    "item": JUDGES,
    "judge": JUDGES,
    "undo": JUDGES,
    "finish": JUDGES,
    "reopen": JUDGES,
    "phrase": JUDGES,
    "everywhere": JUDGES,
    "retry": OFFICER,
    "proposals": OFFICER,
    "proposal": OFFICER,
    "preview": OFFICER,
    "decide": OFFICER,
    "narrow": OFFICER,
    "report": {"officer", "auditor"},
    "agreement": {"officer", "auditor"},
    "people": {"admin"},
    "add person": {"admin"},
    "renew log-in": {"admin"},
    "switch person": {"admin"},
    "audit": {"auditor"},
}
"""Who may use which page, by its name."""


def own_reading(console, name):
    """A reading that somebody may see, else any."""
    if PEOPLE[name] == "annotator":
        return console.readings("uncertain", name)[0]
    return console.readings("held")[0]


def a_proposal(console):
    """A proposal that follows from an annotator's decision."""
    for reading in console.readings("uncertain"):
        who = next(p for p in map(console.person, PEOPLE) if p.id == reading.assignee)
        action = Action(Kind.REJECT, span=reading.focus, reason="ambiguous")
        console.desk.act(who, reading.id, 0, [action])
        console.desk.finish(who, reading.id, 1)
    with console.store.database.transaction() as cursor:
        return proposed.listed(cursor, console.store.box, proposed.OPEN)[0]


def test_the_table_has_every_page():
    """A page that is added is added here, with who may use it."""
    assert set(TABLE) == {page.name for page in PAGES}


@pytest.mark.parametrize("name", ["ann", "olga", "aud", "adm"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name.replace(" ", "-"))
def test_a_page_is_there_for_its_roles_alone(console, browser, name, page):
    """Others get the same 404 as for a page that nobody has, and no message's text."""
    path = page.path
    if "{reading}" in path:
        path = path.format(reading=own_reading(console, name).id) + "?span=3"
    if "{proposal}" in path:
        path = path.format(proposal=a_proposal(console).id)
    if "{person}" in path:
        path = path.format(person=console.person("ben").id)
    client = browser(name)
    answer = client.get(path) if page.method == "GET" else client.post(path, {"version": "0"})
    allowed = PEOPLE[name] in TABLE[page.name]
    assert allowed == (answer.status_code != 404)
    assert answer.status_code < 500
    if not allowed:
        missing = client.get("/no-such-page")
        assert (404, missing.text) == (answer.status_code, answer.text)


@pytest.mark.parametrize("name", ["aud", "adm"])
def test_auditor_and_admin_see_no_message(browser, name):
    """On none of their pages is a name of a message."""
    client = browser(name)
    for page in PAGES:
        if page.method == "GET" and "{" not in page.path:
            text = client.get(page.path).text
            assert not [word for word in NAMES if word in text]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name.replace(" ", "-"))
def test_without_a_session_there_is_only_the_log_in(console, page):
    """Every page leads there, and a forged cookie is none."""
    client = Browser(console.app())
    client.client.cookies.set("review", "forged" * 8)
    path = (
        page.path.format(reading="x", proposal="x", person="x") if "{" in page.path else page.path
    )
    answer = client.get(path) if page.method == "GET" else client.post(path)
    assert (303, "/login") == (answer.status_code, answer.headers["location"])


def test_annotators_see_what_is_assigned_to_them(console, browser):
    """Others' readings, held messages and ids of nobody are the same 404."""
    client = browser("ann")
    others = [
        console.readings("uncertain", "ben")[0].id,
        console.readings("recall", "ben")[0].id,
        console.readings("held")[0].id,
        "AAAAAAAAAAAAAAAA",
        "..%2f..%2fetc",
        "' OR 1=1 --",
    ]
    answers = [client.get(f"/readings/{name}") for name in others]
    assert {404} == {answer.status_code for answer in answers}
    assert len({answer.text for answer in answers}) == 1
    acts = [
        client.post(f"/readings/{name}/act", {"kind": "accept", "span": "0"}) for name in others
    ]
    assert {404} == {answer.status_code for answer in acts}


def test_an_officer_never_decides_what_they_asked_for(console, browser):
    """Their own proposal is shown without the buttons, and a forged form is a 404."""
    olga, held = console.person("olga"), console.readings("held")[0]
    console.desk.act(olga, held.id, 0, [Action(Kind.REJECT, span=3, reason="ambiguous")])
    console.desk.finish(olga, held.id, 1)
    with console.store.step("preview") as cursor:
        (made,) = proposed.listed(cursor, console.store.box, proposed.OPEN)
        empty = Change().as_dict()
        proposed.previewed(cursor, made.id, made.version, json.dumps(empty))
    path, form = f"/proposals/{made.id}", {"state": "approved", "version": "0"}
    own = browser("olga")
    assert "somebody else decides" in own.get(path).text
    assert own.post(f"{path}/decide", form).status_code == 404
    other = browser("otto")
    assert "Approve" in other.get(path).text
    assert other.post(f"{path}/decide", form).status_code == 303
    with console.store.database.transaction() as cursor:
        (approved,) = proposed.listed(cursor, console.store.box, proposed.APPROVED)
    assert console.person("otto").id == approved.approver


def test_nobody_approves_what_is_unseen(console, browser):
    """Without a preview there is no approval; declining needs none."""
    made = a_proposal(console)
    client = browser("olga")
    path = f"/proposals/{made.id}/decide"
    answer = client.post(path, {"state": "approved", "version": "0"})
    assert (409, True) == (answer.status_code, "Compute its effect first" in answer.text)
    assert client.post(path, {"state": "declined", "version": "0"}).status_code == 303


def test_who_narrows_a_proposal_becomes_its_author(console, browser):
    """Another neighbour is another proposal: somebody else decides, on a new preview."""
    made, client = a_proposal(console), browser("olga")
    assert client.post(f"/proposals/{made.id}/narrow", {"behind": "scale"}).status_code == 303
    text = client.get(f"/proposals/{made.id}").text
    assert "somebody else decides" in text
    assert 'value="scale"' in text


def test_a_conflict_shows_both_and_loses_nothing(console, browser):
    """The second sees how it stands, and repeats the step with one button."""
    held = console.readings("held")[0]
    one, other = browser("olga"), browser("otto")
    path = f"/readings/{held.id}/act"
    assert one.post(path, {"kind": "accept", "span": "0", "version": "0"}).status_code == 303
    late = {"kind": "reject", "span": "1", "reason": "ambiguous", "version": "0"}
    answer = other.post(path, late)
    assert (409, True) == (answer.status_code, "Your step is not lost" in answer.text)
    assert other.post(path, late | {"version": "1"}).status_code == 303
    state = console.desk.view(console.person("olga"), held.id).state
    assert ["accepted", "rejected"] == [str(span.status) for span in state[:2]]


def test_a_held_message_is_retried_from_its_page(console, browser):
    """Reason, judgement and retry are in one place; the event comes first."""
    held = console.readings("held")[0]
    client = browser("olga")
    assert "leak/known-value" in client.get(f"/readings/{held.id}").text
    assert "Retried: 1 released" in client.post(f"/readings/{held.id}/retry").text
    assert held.id not in {reading.id for reading in console.readings("held")}
    assert held.id in client.get("/queue?queue=held&done=1").text


def test_commands_in_advice_are_code():
    """What stands between backticks is set as a command; all else is escaped."""
    assert commands("`check` <b>") == "<code>check</code> &lt;b&gt;"


def test_a_message_that_is_held_again_stays_in_the_queue(console):
    """A retry that releases nothing closes nothing."""
    held = console.readings("held")[0]
    client = Browser(console.app(retry=lambda _: outcome("     1 leak/known-value\n", 0)))
    client.log_in("olga")
    assert "1 leak/known-value" in client.post(f"/readings/{held.id}/retry").text
    assert held.id in {reading.id for reading in console.readings("held")}


@pytest.mark.parametrize(
    ("printed", "status", "released"),
    [
        ("     1 released\n", 0, True),
        ("     1 leak/known-value\n     1 released\n", 0, False),
        ("     1 released\n", 1, False),
        ("", 0, False),
    ],
)
def test_only_a_whole_release_counts_as_one(printed, status, released):
    """What is held in part, failed, or was not there is not released."""
    assert released == outcome(printed, status).released


def test_the_held_queue_is_oldest_first(console, browser):
    """Messages are listed as they came, whatever their ids."""
    for number in range(80, 90):
        put(console.store, content(number, hold="leak/known-value"))
        console.clock.now += 1
    created = [reading.created for reading in console.readings("held")]
    assert created == sorted(created)
    shown = browser("olga").get("/queue?queue=held").text
    places = [shown.index(reading.id) for reading in console.readings("held")]
    assert places == sorted(places)


def test_a_change_of_a_reading_shows_at_once(console, browser, monkeypatch):
    """A report is kept while nothing changes; of a change only its own items are opened again."""
    opened = []
    monkeypatch.setattr(
        reporting, "settle", lambda *given: opened.append(given[2].item) or settle(*given)
    )
    client = browser("olga")
    assert "4 messages" not in client.get("/agreement").text
    for reader in ("ann", "ben"):
        for reading in console.readings("recall", reader):
            console.desk.finish(console.person(reader), reading.id, 0)
            client.get("/agreement")
    assert len(opened) == len(set(opened)) == 4
    assert '<td class="number">4</td>' in client.get("/agreement").text
    assert client.get("/report").status_code == 200
    assert len(opened) == 4
    console.clock.now += 30 * DAY / 1000
    fresh = Browser(console.app())
    fresh.log_in("olga")
    assert "No message is read by two people" in fresh.get("/agreement").text


def test_figures_are_counted_before_somebody_asks(console, monkeypatch):
    """A console that starts counts in the background; the first page opens no item again."""
    for reader in ("ann", "ben"):
        for reading in console.readings("recall", reader):
            console.desk.finish(console.person(reader), reading.id, 0)
    opened = []
    monkeypatch.setattr(
        reporting, "settle", lambda *given: opened.append(given[2].item) or settle(*given)
    )
    figures = reporting.Figures(console.store)
    figures.warm().join()
    assert len(opened) == 4
    assert figures.report().waiting == 0
    assert len(opened) == 4


class Meanwhile:
    """A previewer during whose work something is done to the proposal."""

    def __init__(self, done):
        self.done = done

    def effect(self, _proposal):
        """Do it, then count nothing."""
        self.done()
        return Change()


def test_a_preview_of_what_was_changed_meanwhile_is_not_kept(console, browser):
    """Its counts are of another rule: they are refused, and nobody can approve on them."""
    made, other = a_proposal(console), browser("otto")
    path = f"/proposals/{made.id}"
    narrow = Meanwhile(lambda: other.post(f"{path}/narrow", {"behind": "scale"}))
    client = Browser(console.app(previewer=narrow))
    client.log_in("olga")
    assert client.post(f"{path}/preview").status_code == 409
    for version in ("0", "1"):
        form = {"state": "approved", "version": version}
        assert client.post(f"{path}/decide", form).status_code == 409


def test_the_preview_of_a_decided_proposal_stays_on_record(console):
    """What was approved was approved on these counts: they are not made anew."""
    made = a_proposal(console)
    client = Browser(console.app(previewer=Meanwhile(lambda: None)))
    client.log_in("olga")
    path = f"/proposals/{made.id}"
    assert client.post(f"{path}/preview").status_code == 303
    form = {"state": "approved", "version": "0"}
    assert client.post(f"{path}/decide", form).status_code == 303
    assert client.post(f"{path}/preview").status_code == 400


def test_events_of_a_retired_key_are_verified_too(console):
    """After the audit key was rotated nothing is wrong with what the old one signed."""
    store = replace(console.store, signer=Signer.of("audit-2", b"b" * 32))
    access = replace(console.access, store=store)
    publics = {signer.key_id: signer.public for signer in (console.store.signer, store.signer)}
    made = Console(store, access, templates(), secure=False, publics=publics)
    client = Browser(application(made, ("127.0.0.1",)))
    client.log_in("aud")
    assert "nothing wrong" in client.get("/audit?verify=1").text
