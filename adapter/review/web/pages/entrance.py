"""Log-in, log-out, password and one-time codes."""

from __future__ import annotations

import base64
import os
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from adapter.review.roles import Right, has
from adapter.review.store.protocol import StoreError
from adapter.review.web.call import problem, redirect
from adapter.sealing.box import SealError

if TYPE_CHECKING:
    from starlette.requests import Request

    from adapter.review.store.people import Person
    from adapter.review.web.call import Call, Console

AT_ONCE = BoundedSemaphore(2)
"""Limit of concurrent password checks: each uses 64 MiB and a lot of CPU time."""
SECRET_BYTES = 20


async def show_login(request: Request, console: Console) -> Response:
    """Show the log-in page."""
    del request
    return _form(console, 200, "")


def _form(console: Console, status: int, text: str) -> Response:
    rendered = console.templates.get_template("login.html").render(text=text)
    return Response(rendered, status, media_type="text/html")


async def log_in(request: Request, console: Console) -> Response:
    """Check a password and begin a session; its token is always new (no session fixation)."""
    async with request.form(max_files=0, max_fields=10) as given:
        name, secret, code = (str(given.get(key, "")) for key in ("name", "secret", "code"))
    return await run_in_threadpool(_log_in, console, name, secret, code)


def _log_in(console: Console, name: str, secret: str, code: str) -> Response:
    if not AT_ONCE.acquire(blocking=False):
        return _form(console, 429, "Too many log-ins at once. Wait a moment and try again.")
    try:
        entered = console.access.enter(name, secret, code)
    except (StoreError, SealError):
        return problem(console, 503, "The store or its key does not answer: nobody can log in.")
    finally:
        AT_ONCE.release()
    if entered is None:
        return _form(console, 401, "This log-in is wrong, or you are locked out for 15 minutes.")
    response = redirect("/password" if entered.once else "/")
    response.set_cookie(
        console.cookie, entered.token, path="/", secure=console.secure, httponly=True,
        samesite="strict",
    )  # fmt: skip
    return response


def log_out(call: Call) -> Response:
    """End the session."""
    call.console.access.leave(call.token, call.person.id)
    response = redirect("/login")
    response.delete_cookie(
        call.console.cookie, path="/", secure=call.console.secure, httponly=True, samesite="strict"
    )
    response.headers["clear-site-data"] = '"cache", "storage"'
    return response


def home(call: Call) -> Response:
    """Redirect to the first page of the person's role."""
    return redirect(_first(call.person))


def _first(person: Person) -> str:
    for right, path in (
        (Right.ITEMS, "/queue"),
        (Right.EVENTS, "/audit"),
        (Right.PEOPLE, "/people"),
    ):
        if has(person, right):
            return path
    return "/password"


def show_password(call: Call) -> Response:
    """Show the page for the password and one-time codes."""
    return call.page("password.html", text="", secret="")


def set_password(call: Call) -> Response:
    """Set the person's password."""
    given, again = call.form.get("password", ""), call.form.get("again", "")
    wrong = "" if given == again else "The two passwords differ."
    wrong = wrong or _unconfirmed(call)
    wrong = wrong or call.console.access.set_password(call.person, given, call.token)
    if wrong:
        return call.page("password.html", 400, text=wrong, secret="")
    return redirect("/")


def _unconfirmed(call: Call) -> str:
    """Return the error of an unconfirmed present password, which every change requires, or ""."""
    known = call.console.access.confirms(call.person, call.form.get("present", ""))
    return "" if known else "The present password is wrong, or you are locked out for 15 minutes."


def set_codes(call: Call) -> Response:
    """Show a secret for one-time codes; require codes from now on once a correct one is given."""
    given = call.form.get("secret", "")
    if not given:
        secret = base64.b32encode(os.urandom(SECRET_BYTES)).decode()
        return call.page("password.html", text="", secret=secret)
    try:
        raw = base64.b32decode(given)
    except ValueError:
        raw = b""
    wrong = _unconfirmed(call)
    if wrong:
        return call.page("password.html", 400, text=wrong, secret=given)
    right = len(raw) == SECRET_BYTES and call.console.access.protect(
        call.person, raw, call.form.get("code", "")
    )
    if not right:
        return call.page("password.html", 400, text="This code is wrong.", secret=given)
    return redirect("/")
