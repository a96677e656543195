"""The console in a real browser: keys alone, accessibility, and what the browser keeps."""

from __future__ import annotations

import json
import re

import pytest

from adapter.review.judging.items import Content
from adapter.review.store import readings
from adapter.review.web.call import Retried
from tests.review.chromium import chromium, log_in, violations
from tests.review.console import NAMES, PASSWORD, content, marked, put, served, staffed

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A served console with many held messages: its parts and its address."""
    folder = tmp_path_factory.mktemp("console")
    console = staffed(f"sqlite:///{folder / 'review.sqlite'}", notes=10)
    for number in range(30, 34):
        put(console.store, content(number, hold="leak/known-value"), name=f"held-{number}")
    with served(console.app(retry=lambda _: Retried("Retried: 1 released", released=True))) as base:
        yield console, base


@pytest.fixture
def browser(tmp_path):
    """A fresh browser."""
    with chromium(tmp_path / "profile") as made:
        yield made


def press(browser, *keys):
    """Press keys, wherever the focus is."""
    for key in keys:
        browser.switch_to.active_element.send_keys(key)


def wait(browser, condition):
    """Wait until something is so."""
    from selenium.webdriver.support.ui import WebDriverWait  # noqa: PLC0415

    return WebDriverWait(browser, 30, 0.05).until(lambda _: condition())


def is_ready(browser):
    """Whether the page has its keys."""
    return browser.execute_script("return document.readyState") == "complete"


def version(browser):
    """The version of the item that is shown."""
    return browser.execute_script("return document.getElementById('work')?.dataset.version")


def held(console, what):
    """The reading of a new held message of this content."""
    item = put(console.store, what, name=f"held-{what.raw.hex()}")
    with console.store.database.transaction() as cursor:
        (reading,) = readings.of_item(cursor, item, "held")
    return reading.id


def said(console, reading):
    """What was said of an item's spans."""
    return [str(span.status) for span in console.desk.view(console.person("olga"), reading).state]


def step(browser, *keys):
    """Press keys that end in a step, and wait until it is kept and the page has its keys again."""
    before = version(browser)
    press(browser, *keys)
    wait(browser, lambda: version(browser) not in {before, None} and is_listening(browser))


def is_listening(browser):
    """Whether keys go to the page, not to a list that had them before it was replaced."""
    return browser.execute_script("return document.activeElement.id") == "main"


def test_twenty_spans_by_keyboard_alone(place, browser):
    """Four items of five spans: accept, reject with a reason, finish, and on to the next."""
    console, base = place
    log_in(browser, base, "olga", PASSWORD)
    ids = [reading.id for reading in console.readings("held")][:4]
    browser.get(f"{base}/readings/{ids[0]}")
    for number, reading in enumerate(ids):
        wait(browser, lambda reading=reading: reading in browser.current_url and is_ready(browser))
        for span in range(5):
            step(browser, *("x", "2") if (span + number) % 3 == 0 else "a")
        statuses = said(console, reading)
        assert {"accepted", "rejected"} == set(statuses)
        assert len(statuses) == 5
        press(browser, "\ue007")
        wait(browser, lambda reading=reading: reading not in browser.current_url)
    assert not {reading.id for reading in console.readings("held")} & set(ids)


def test_keys_that_come_faster_than_the_console_wait(place, browser):
    """Five spans accepted in one breath, and one step back: each key is for its own version."""
    console, base = place
    reading = held(console, content(61, hold="leak/known-value"))
    log_in(browser, base, "olga", PASSWORD)
    browser.get(f"{base}/readings/{reading}")
    browser.execute_script(
        "for (const key of [...arguments[0]]) document.getElementById('main').dispatchEvent("
        "new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))",
        "aax2aau",
    )
    wait(browser, lambda: version(browser) == "6")
    assert said(console, reading) == ["accepted", "accepted", "rejected", "accepted", "open"]
    spoken = browser.find_element("id", "spoken").get_attribute("textContent")
    assert "The last step was taken back." in spoken


def test_every_key_does_what_it_says(place, browser):
    """Move, label, resize, undo, and the same phrase."""
    console, base = place
    log_in(browser, base, "olga", PASSWORD)
    reading = held(console, content(60, hold="leak/known-value"))
    browser.get(f"{base}/readings/{reading}")

    def spans():
        return console.desk.view(console.person("olga"), reading).state

    before = spans()
    press(browser, "j", "j", "k")
    assert browser.execute_script("return document.getElementById('work').dataset.current") == "1"
    step(browser, "]")
    assert spans()[1].end > before[1].end
    step(browser, "[")
    assert spans()[1].end == before[1].end
    step(browser, "{")
    assert spans()[1].start < before[1].start
    step(browser, "}")
    assert spans()[1].start == before[1].start
    press(browser, "l")
    browser.switch_to.active_element.send_keys("HOSP")
    step(browser, "\ue007")
    assert spans()[1].label == "HOSPITAL"
    step(browser, "u")
    assert spans()[1].label == before[1].label
    press(browser, "g")
    wait(browser, lambda: "/phrase?span=" in browser.current_url)
    assert "Same phrase" in browser.page_source


def test_a_new_span_from_a_caret(place, browser):
    """A blind reader marks two words with keys, gives the label, and takes another back."""
    console, base = place
    log_in(browser, base, "ann", PASSWORD)
    reading = console.readings("recall", "ann")[0].id
    browser.get(f"{base}/readings/{reading}")
    shift_right = "\ue008\ue014"
    press(browser, "n", "\ue014", shift_right)
    chosen = browser.execute_script("return getSelection().toString()")
    press(browser, "\ue007")
    browser.switch_to.active_element.send_keys("PATIENT")
    step(browser, "\ue007")
    ann = console.person("ann")
    view = console.desk.view(ann, reading)
    (span,) = view.state
    assert view.content.texts[0].text[span.start : span.end] == chosen
    assert ("PATIENT", True) == (span.label, len(chosen) > 1)  # which item it is differs by run
    step(browser, "x", "4")
    assert [] == [s for s in console.desk.view(ann, reading).state if s.stands]


def test_an_extent_is_counted_in_characters(place, browser):
    """Line ends of two characters, controls and signs beyond the 16-bit plane shift no extent."""
    console, base = place
    log_in(browser, base, "olga", PASSWORD)
    for before in (
        "\U0001f469\u200d\u2695 \U0001f600 \U0001f600",
        "\r\n\r\nin\r\n\r\n",
        "\x00 \x00\x00",
    ):
        text = f"{before} ward by Dr Marsh today."
        odd = Content("text", "note", "en", (marked(text),), before.encode(), "leak/known-value")
        reading = held(console, odd)
        browser.get(f"{base}/readings/{reading}")
        press(browser, "n", "\ue010", "\ue012", "\ue012")  # End, then two words back
        assert browser.execute_script("return getSelection().toString()") == "Marsh"
        press(browser, "\ue007")
        step(browser, "\ue007")
        (span,) = console.desk.view(console.person("olga"), reading).state
        assert text[span.start : span.end] == "Marsh"


@pytest.mark.parametrize(
    "dark", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["light", "dark"]
)
def test_no_page_has_an_accessibility_violation(place, tmp_path, dark):
    """axe-core finds nothing on any page, in light and dark, at 100 and 200 % of the size."""
    console, base = place
    uncertain = console.readings("uncertain", "ann")[0]
    pages = {
        "ann": ["/queue?queue=recall", "/password", f"/readings/{uncertain.id}",
                f"/readings/{uncertain.id}/phrase?span={uncertain.focus}",
                f"/readings/{console.readings('recall', 'ann')[-1].id}"],
        "olga": ["/queue", f"/readings/{console.readings('held')[0].id}", "/proposals", "/report",
                 "/agreement"],
        "aud": ["/audit?verify=1"],
        "adm": ["/people", "/nothing"],
    }  # fmt: skip
    found = {}
    with chromium(tmp_path / "profile", dark=dark, zoom=2.0 if dark else 1.0) as browser:
        browser.get(f"{base}/login")
        found["/login"] = violations(browser)
        for name, paths in pages.items():
            browser.delete_all_cookies()
            log_in(browser, base, name, PASSWORD)
            for path in paths:
                browser.get(base + path)
                found[path] = violations(browser)
                wide = browser.execute_script(
                    "return document.documentElement.scrollWidth > innerWidth + 1"
                )
                assert not wide, f"{path.split('/')[1]} must be scrolled sideways"
    assert {} == {path: wrong for path, wrong in found.items() if wrong}


def test_a_browser_keeps_nothing(place, tmp_path):
    """No name is in storage, cache, history, title or log, nor in any file of the profile."""
    console, base = place
    profile = tmp_path / "profile"
    with chromium(profile) as browser:
        log_in(browser, base, "olga", PASSWORD)
        browser.get(f"{base}/readings/{console.readings('held')[0].id}")
        text = browser.page_source
        assert [word for word in NAMES if word in text]
        step(browser, "a")
        browser.get(f"{base}/proposals")
        stored = browser.execute_script(
            "return JSON.stringify([localStorage, sessionStorage, document.cookie, document.title])"
        )
        assert json.loads(stored)[2] == ""
        logs = json.dumps(browser.get_log("browser"))
        assert "Content Security Policy" not in logs
    words = [word.encode() for word in NAMES]
    words += [word.decode().encode("utf-16-le") for word in words]
    kept = [file for file in profile.rglob("*") if file.is_file()]
    assert len(kept) > 10
    told = stored.encode() + logs.encode()
    assert [] == [(file.name, word) for file in kept for word in words if word in file.read_bytes()]
    assert [] == [word for word in words if word in told]


def test_hostile_text_runs_nothing(place, browser):
    """A script in a name is text: no dialog opens, and the page's own code goes on."""
    console, base = place
    put(console.store, content(77, hold="leak/known-value", name="<img src=x onerror=alert(1)>"))
    log_in(browser, base, "olga", PASSWORD)
    browser.get(f"{base}/readings/{console.readings('held')[0].id}")
    assert (
        browser.execute_script("return document.querySelectorAll('.text img, .text script').length")
        == 0
    )
    assert re.search(r"&lt;script&gt;", browser.page_source)
    from selenium.common.exceptions import NoAlertPresentException  # noqa: PLC0415

    with pytest.raises(NoAlertPresentException):
        browser.switch_to.alert.text  # noqa: B018
