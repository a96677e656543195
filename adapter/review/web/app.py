"""The routes of the console, each with the right it requires."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from adapter.audit import Event, log
from adapter.review.roles import Right
from adapter.review.web.call import Console, Page, problem
from adapter.review.web.formats import FILTERS
from adapter.review.web.pages import entrance, numbers, proposing, queue, reading, staff
from adapter.review.web.security import Guard

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

STATIC = Path(__file__).resolve().parent / "static"
ITEM = "/readings/{reading}"
PROPOSAL = "/proposals/{proposal}"
PERSON = "/people/{person}"
PAGES = (
    Page("/", "home", None, entrance.home),
    Page("/logout", "log-out", None, entrance.log_out, "POST", own_event=True),
    Page("/password", "password", None, entrance.show_password),
    Page("/password", "set password", None, entrance.set_password, "POST", own_event=True),
    Page("/codes", "set codes", None, entrance.set_codes, "POST"),
    Page("/queue", "queue", Right.ITEMS, queue.show),
    Page(ITEM, "item", Right.ITEMS, reading.show, own_event=True),
    Page(f"{ITEM}/act", "judge", Right.ITEMS, reading.act, "POST", own_event=True),
    Page(f"{ITEM}/undo", "undo", Right.ITEMS, reading.undo, "POST", own_event=True),
    Page(f"{ITEM}/finish", "finish", Right.ITEMS, reading.finish, "POST", own_event=True),
    Page(f"{ITEM}/reopen", "reopen", Right.ITEMS, reading.reopen, "POST", own_event=True),
    Page(f"{ITEM}/phrase", "phrase", Right.ITEMS, reading.phrase, own_event=True),
    Page(
        f"{ITEM}/everywhere", "everywhere", Right.ITEMS, reading.everywhere, "POST", own_event=True
    ),
    Page(f"{ITEM}/retry", "retry", Right.HELD, reading.retry, "POST", own_event=True),
    Page("/proposals", "proposals", Right.PROPOSALS, proposing.listing),
    Page(PROPOSAL, "proposal", Right.PROPOSALS, proposing.show, own_event=True),
    Page(f"{PROPOSAL}/preview", "preview", Right.PROPOSALS, proposing.preview, "POST"),
    Page(f"{PROPOSAL}/decide", "decide", Right.PROPOSALS, proposing.decide, "POST"),
    Page(f"{PROPOSAL}/narrow", "narrow", Right.PROPOSALS, proposing.narrow, "POST"),
    Page("/report", "report", Right.FIGURES, numbers.recall),
    Page("/agreement", "agreement", Right.FIGURES, numbers.agreement),
    Page("/people", "people", Right.PEOPLE, staff.everybody),
    Page("/people", "add person", Right.PEOPLE, staff.add, "POST"),
    Page(f"{PERSON}/renew", "renew log-in", Right.PEOPLE, staff.renew, "POST"),
    Page(f"{PERSON}/switch", "switch person", Right.PEOPLE, staff.switch, "POST"),
    Page("/audit", "audit", Right.EVENTS, staff.log),
)
"""All pages that require a log-in; a new one needs a line here and a row in the table of roles."""


def templates() -> Environment:
    """Return the Jinja2 environment: values are escaped, and an undefined name is an error."""
    made = Environment(
        loader=PackageLoader("adapter.review.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= FILTERS
    return made


def application(console: Console, hosts: Collection[str]) -> ASGIApp:
    """Return the console as an ASGI application, which answers under these host names only."""

    async def answer(page: Page, request: Request) -> Response:
        return await page.answer(request, console)

    async def login(request: Request) -> Response:
        if request.method == "POST":
            return await entrance.log_in(request, console)
        return await entrance.show_login(request, console)

    async def not_found(_request: Request, _error: Exception) -> Response:
        return problem(console, 404, "There is no such page.")

    async def failed(_request: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException):
            log(Event.PAGE_FAILED, "error", error=error)  # only its type; its text may quote PHI
        return problem(console, 500, "Something went wrong. Nothing of it is kept.")

    routes = [Route(page.path, partial(answer, page), methods=[page.method]) for page in PAGES]
    made = Starlette(
        routes=[
            Route("/login", login, methods=["GET", "POST"]),
            *routes,
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        exception_handlers={404: not_found, 405: not_found, 500: failed, 400: failed},
    )
    return Guard(made, hosts, secure=console.secure)
