"""Sessions, forms, headers, log-ins: what an attacker tries, and what comes of it."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from adapter.audit import log
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.review.access import FAILURES, IDLE_MS, LOCKED_MS, MOST_MS, ONCE_MS
from adapter.review.store import events
from adapter.review.web import app
from tests.review.console import PASSWORD, SIGNER, Browser, content, put


def test_cookies_are_strict_and_new_with_every_log_in(console):
    """A cookie that was there before is not taken over: nobody fixes a session."""
    client = Browser(console.app())
    client.client.cookies.set("review", "planted" * 6, domain="127.0.0.1")
    answer = client.log_in("ann")
    (cookie,) = answer.headers.get_list("set-cookie")
    assert "planted" not in cookie
    assert {"httponly", "samesite=strict", "path=/"} <= set(cookie.lower().split("; "))
    assert console.access.session("planted" * 6) is None


def test_over_tls_cookies_are_of_this_host_alone(console):
    """The prefix and Secure are there, and browsers are told to stay with TLS."""
    base = "https://review.example"
    client = Browser(console.app(hosts=("review.example",), secure=True), base)
    answer = client.log_in("ann")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-review=")
    assert "; secure" in cookie.lower()
    assert "max-age" in answer.headers["strict-transport-security"]


def test_a_form_needs_the_token_of_its_session(console, browser):
    """Without it, with another's, or from another origin nothing is done."""
    ann, ben = browser("ann"), browser("ben")
    reading = console.readings("uncertain", "ann")[0]
    path, form = (
        f"/readings/{reading.id}/act",
        {"kind": "accept", "span": str(reading.focus), "version": "0"},
    )
    assert ann.post(path, form, csrf="").status_code == 403
    assert ann.post(path, form, csrf=ben.csrf).status_code == 403
    for origin in ("https://evil.example", "null", "http://127.0.0.1:81", ""):
        assert ann.post(path, form, origin=origin).status_code == 400
    assert ann.post(path, form).status_code == 303


def test_sessions_end_when_idle_and_after_a_day_of_work(console, browser):
    """After 15 idle minutes, and after 8 hours however busy."""
    client = browser("ann")
    console.clock.now += IDLE_MS / 1000 - 1
    assert client.get("/queue").status_code == 200
    console.clock.now += IDLE_MS / 1000
    assert client.get("/queue").headers["location"] == "/login"
    client = browser("ann")
    for _ in range(MOST_MS // (IDLE_MS - 60_000)):
        console.clock.now += (IDLE_MS - 60_000) / 1000
        client.get("/queue")
    console.clock.now += (IDLE_MS - 60_000) / 1000
    assert client.get("/queue").headers["location"] == "/login"


def test_a_session_ends_with_its_person(console, browser):
    """Who is let out is out at once."""
    client = browser("ann")
    console.access.switch(console.person("ann").id, "", active=False)
    assert client.get("/queue").status_code == 303
    assert client.log_in("ann").status_code == 401


def test_log_out_ends_the_session_for_good(console, browser):
    """The old cookie opens nothing."""
    client = browser("ann")
    token = client.client.cookies["review"]
    assert client.post("/logout").status_code == 303
    assert console.access.session(token) is None


def test_a_flood_of_log_ins_is_locked_out(console):
    """After five wrong passwords even the right one is refused, for 15 minutes."""
    client = Browser(console.app())
    for _ in range(FAILURES):
        assert client.log_in("ann", "wrong wrong wrong").status_code == 401
    assert client.log_in("ann").status_code == 401
    console.clock.now += LOCKED_MS / 1000 + 1
    assert client.log_in("ann").status_code == 303


def test_many_log_ins_at_once_are_turned_away(console):
    """Passwords are checked two at a time; who comes meanwhile is told to wait."""

    class Slow:
        """A hasher that takes its time."""

        def verify(self, _hash, _word):
            """Wait, then say no."""
            time.sleep(0.3)
            return False

        def hash(self, _word):
            """A hash."""
            return "x"

    console.access = replace(console.access, hasher=Slow())
    app = console.app()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: Browser(app).log_in("ann", "wrong").status_code, range(8)))
    assert set(found) == {401, 429}
    assert found.count(401) <= 4


def test_an_unknown_name_is_told_nothing(console):
    """The same answer as for a wrong password."""
    client = Browser(console.app())
    assert client.log_in("nobody", "x").text == client.log_in("ann", "x").text


def test_a_one_time_log_in_works_once_and_not_for_ever(console):
    """The second time, and after seven days, it is a wrong password."""
    word = console.access.add("new", "annotator", "")
    client = Browser(console.app())
    answer = client.log_in("new", word)
    assert "/password" == answer.headers["location"]
    assert Browser(console.app()).log_in("new", word).status_code == 401
    late = console.access.add("late", "annotator", "")
    console.clock.now += ONCE_MS / 1000 + 1
    assert client.log_in("late", late).status_code == 401


NEW = {"password": "new horse battery", "again": "new horse battery", "present": PASSWORD}


def test_a_new_password_ends_the_other_sessions(browser):
    """Who had the old one is out; who set the new one goes on."""
    mine, other = browser("ann"), browser("ann")
    assert mine.post("/password", NEW).status_code == 303
    assert mine.get("/queue").status_code == 200
    assert other.get("/queue").headers["location"] == "/login"


def test_a_log_in_is_changed_with_its_present_password_alone(console, browser):
    """At a session left open nobody sets another, and guessing locks out as at the log-in."""
    client = browser("ann")
    for _ in range(FAILURES):
        assert client.post("/password", NEW | {"present": "wrong"}).status_code == 400
    assert client.post("/password", NEW).status_code == 400
    console.clock.now += LOCKED_MS / 1000
    client = browser("ann")
    assert client.post("/password", NEW).status_code == 303


@pytest.mark.parametrize("word", ["short", "ann is here for you", "x" * 300])
def test_weak_passwords_are_refused(browser, word):
    """Too short, too long, or with the name in it."""
    client = browser("ann")
    assert client.post("/password", NEW | {"password": word, "again": word}).status_code == 400


def test_one_time_codes_are_asked_for_and_used_once(console, browser):
    """With codes a password alone is not enough, and a code that was used is none."""
    client = browser("ann")
    page = client.post("/codes").text
    secret = re.search(r'name="secret" value="([A-Z2-7]+)"', page)[1]
    import base64  # noqa: PLC0415

    totp = TOTP(base64.b32decode(secret), 6, SHA1(), 30)
    code = totp.generate(console.clock.now).decode()
    assert (
        client.post("/codes", {"secret": secret, "code": "000000", "present": PASSWORD}).status_code
        == 400
    )
    form = {"secret": secret, "code": code}
    assert client.post("/codes", form).status_code == 400
    assert client.post("/codes", form | {"present": PASSWORD}).status_code == 303
    fresh = Browser(console.app())
    assert fresh.log_in("ann").status_code == 401
    console.clock.now += 30
    form = {"name": "ann", "secret": PASSWORD, "code": totp.generate(console.clock.now).decode()}
    assert fresh.post("/login", form).status_code == 303
    assert fresh.post("/login", form).status_code == 401


def test_every_answer_has_the_headers(browser):
    """Nothing is stored, no inline code runs, no page is framed."""
    client = browser("ann")
    for path in ("/queue", "/login", "/static/review.js", "/nothing"):
        headers = client.get(path).headers
        assert headers["cache-control"] == "no-store"
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy


def test_pages_have_no_inline_code(console, browser):
    """No script, style or handler stands in a page."""
    client = browser("olga")
    held = console.readings("held")[0].id
    for path in ("/queue", f"/readings/{held}", "/report", "/proposals"):
        text = client.get(path).text
        assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son[a-z]+=|javascript:", text)


def test_a_script_in_a_name_is_inert(console, browser):
    """Hostile text is shown as text, wherever it stands."""
    put(console.store, content(90, hold="decode/empty", name="<img src=x onerror=alert(1)>"))
    client = browser("olga")
    for reading in console.readings("held"):
        for path in (f"/readings/{reading.id}", f"/readings/{reading.id}/phrase?span=0"):
            text = client.get(path).text
            assert "<img" not in text
            assert "<script>" not in text
            assert "&lt;script&gt;" in text or path.endswith("span=0")


def test_titles_and_addresses_name_nobody(console, browser):
    """What a browser keeps in its history is the name of the page."""
    client = browser("olga")
    for reading in console.readings("held"):
        page = client.get(f"/readings/{reading.id}")
        assert "Item - Review console" == re.search(r"<title>(.*?)</title>", page.text)[1]
        for link in re.findall(r'(?:href|action)="([^"]+)"', page.text):
            assert re.fullmatch(r"[#/][\w/.-]*(?:\?[a-z]+=-?[\w-]+(?:&amp;[a-z]+=\w+)*)?", link)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", ""])
def test_other_hosts_are_refused(console, host):
    """A name that somebody points here gets no answer."""
    client = Browser(console.app())
    assert client.get("/login", headers={"host": host}).status_code == 400


def test_large_bodies_are_refused(browser):
    """Nobody sends messages here."""
    client = browser("ann")
    assert client.post("/password", {"password": "x" * 100_000}).status_code == 400


def test_without_the_store_of_events_there_is_no_page(console, browser):
    """Nothing is rendered that could not be recorded, and nothing is said of it."""
    client, held = browser("olga"), console.readings("held")[0].id
    with console.store.database.transaction() as cursor:
        cursor.run("ALTER TABLE review_event RENAME TO review_gone")
    for path in ("/queue", f"/readings/{held}", "/report", "/proposals"):
        answer = client.get(path)
        assert answer.status_code == 503
        assert "Quillfeather" not in answer.text
    assert Browser(console.app()).log_in("ann").status_code == 503


def test_the_event_comes_before_the_page(console, browser):
    """Who looked at which item is the last event, and the chain is whole."""
    held = console.readings("held")[0].id
    browser("olga").get(f"/readings/{held}")
    with console.store.database.transaction() as cursor:
        ((_, event),) = events.latest(cursor, 0, 1)
    assert ("view", held, console.person("olga").id) == (
        event["event"], event["reading"], event["person"]
    )  # fmt: skip
    assert [] == events.verify(console.store.database, {SIGNER.key_id: SIGNER.public})[1]


@pytest.mark.parametrize("host", ["0.0.0.0", "10.0.0.5", "review.example"])
def test_beyond_loopback_it_needs_tls(host):
    """Without a certificate the settings are refused."""
    with pytest.raises(RuleError, match="certificate"):
        load_settings(None, review={"host": host})
    assert load_settings(None, review={"host": "127.0.0.1"}).review.port == 8711


def test_a_page_that_fails_logs_its_type_alone(browser, monkeypatch, caplog):
    """One line; neither the log nor the page has the error's text, which may quote a message."""
    client = browser("aud")

    def broken(*_arguments):
        raise ValueError("Quillfeather")

    monkeypatch.setattr(events, "latest", broken)
    said = []
    monkeypatch.setattr(app, "log", lambda *told, **more: said.append((told, more)))
    answer = client.get("/audit")
    assert (500, 1) == (answer.status_code, len(said))
    assert "Quillfeather" not in answer.text + caplog.text
    monkeypatch.undo()
    with caplog.at_level("DEBUG"):
        log(*said[0][0], **said[0][1])
    assert "Quillfeather" not in caplog.text


def refused(console, event):
    """(person, count) of the events of that name, in order."""
    with console.store.database.transaction() as cursor:
        rows = events.latest(cursor, 0, 1000)
    return [(row["person"], row["count"]) for _, row in reversed(rows) if row["event"] == event]


def test_what_is_refused_is_on_record(console, browser):
    """A forged id, a page of another role, a wrong token: one event a minute, with its count."""
    client, ann = browser("ann"), console.person("ann").id
    client.get("/readings/forged")
    assert [(ann, 1)] == refused(console, "refused")
    client.get("/people")
    client.post("/logout", csrf="wrong")
    assert [(ann, 1)] == refused(console, "refused")
    console.clock.now += 60
    client.get("/readings/forged")
    assert [(ann, 1), (ann, 3)] == refused(console, "refused")


def test_log_ins_of_nobody_do_not_fill_the_store(console):
    """However many come within a minute there is one event, and the next has their number."""
    client = Browser(console.app())
    for _ in range(20):
        client.log_in("nobody", "x")
    assert [("", 1)] == refused(console, "log-in refused")
    console.clock.now += 60
    client.log_in("nobody", "x")
    assert [("", 1), ("", 20)] == refused(console, "log-in refused")
