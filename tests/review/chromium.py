"""Debian's chromium under Selenium; skips, saying so, where there is none."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest


@contextmanager
def chromium(folder, *, dark=False, zoom=1.0, size=(1280, 900)):
    """A browser whose profile and cache lie in a folder."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not binary or not driver or not find_spec("selenium"):
        pytest.skip("SKIPPED FOR WANT OF A BROWSER: install chromium, chromium-driver, selenium")
    from selenium import webdriver  # noqa: PLC0415 - a development package
    from selenium.webdriver.chrome.service import Service  # noqa: PLC0415

    options = webdriver.ChromeOptions()
    options.binary_location = binary
    width, height = (round(each / zoom) for each in size)
    for argument in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--disable-background-networking", "--disable-extensions", "--disable-quic",
        "--disable-component-update", "--disable-sync", "--no-first-run",
        f"--window-size={width},{height}",
        f"--user-data-dir={folder}", f"--force-device-scale-factor={zoom}",
        *(["--blink-settings=preferredColorScheme=0"] if dark else []),
    ):  # fmt: skip
        options.add_argument(argument)
    browser = webdriver.Chrome(options, Service(driver))
    try:
        if dark:
            feature = [{"name": "prefers-color-scheme", "value": "dark"}]
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": feature})
        yield browser
    finally:
        browser.quit()


def log_in(browser, base, name, password):
    """Log in through the page, and wait until the console has answered."""
    from selenium.webdriver.support.ui import WebDriverWait  # noqa: PLC0415 - a development package

    browser.get(f"{base}/login")
    for field, value in (("name", name), ("secret", password)):
        browser.find_element("name", field).send_keys(value)
    browser.find_element("css selector", "main button").click()
    WebDriverWait(browser, 30, 0.05).until(lambda _: not browser.current_url.endswith("/login"))


def violations(browser):
    """What axe-core finds wrong with the page: rule and elements."""
    import axe_core_python  # noqa: PLC0415 - a development package

    script = Path(axe_core_python.__file__).with_name("axe.min.js").read_text("utf-8")
    browser.execute_script(script)
    found = browser.execute_async_script(
        "const done = arguments[arguments.length - 1]; axe.run(document).then(done, done);"
    )
    return [
        (each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found["violations"]
    ]
