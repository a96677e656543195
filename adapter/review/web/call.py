"""Handling of one request: session, form token, right, audit event, then a page or an error."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from adapter.errors import RuleError
from adapter.review.desk import Desk
from adapter.review.judging.actions import ActionError
from adapter.review.reporting import Figures
from adapter.review.roles import has, queues
from adapter.review.store.protocol import Conflict, StoreError
from adapter.review.views import NotFound
from adapter.review.web.originals import Originals
from adapter.sealing.box import SealError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jinja2 import Environment
    from starlette.requests import Request

    from adapter.review.access import Access
    from adapter.review.feedback.effect import Previewer
    from adapter.review.roles import Right
    from adapter.review.store.people import Person, Session
    from adapter.review.store.store import Store


@dataclass(frozen=True, slots=True)
class Retried:
    """The result of a retry: a notice for the page, and whether the whole message was released."""

    notice: str = field(repr=False)
    released: bool


@dataclass(frozen=True, slots=True)
class Console:
    """What the pages need. ``retry`` reprocesses a held message by its name in the quarantine.

    ``record`` writes to the service's audit; None if the settings keep none.
    """

    store: Store
    access: Access
    templates: Environment = field(repr=False)
    secure: bool
    previewer: Previewer | None = None
    retry: Callable[[str], Retried] | None = None
    publics: Mapping[str, bytes] | None = None
    """Public audit keys by id, including retired ones; None means the present one only."""
    record: Callable[..., None] | None = field(default=None, repr=False)
    figures: Figures = field(init=False, repr=False)
    originals: Originals = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "figures", Figures(self.store))
        object.__setattr__(self, "originals", Originals(self.record))

    @property
    def cookie(self) -> str:
        """The name of the cookie; "__Host-" makes browsers require TLS and this exact host."""
        return "__Host-review" if self.secure else "review"


@dataclass(frozen=True, slots=True)
class Call:
    """An authenticated request; ``by_htmx`` if htmx sent it, ``token`` is that of its session."""

    console: Console
    session: Session
    path: Mapping[str, Any] = field(repr=False)
    query: Mapping[str, str] = field(repr=False)
    form: Mapping[str, str] = field(repr=False)
    by_htmx: bool = False
    token: str = field(default="", repr=False)

    @property
    def person(self) -> Person:
        """The person who is logged in."""
        return self.session.person

    @property
    def store(self) -> Store:
        """The console's store."""
        return self.console.store

    @property
    def desk(self) -> Desk:
        """The review operations on the store."""
        return Desk(self.console.store)

    def number(self, name: str, default: int = -1) -> int:
        """Return a number from the form or the query, limited to ±10^9.

        Raises:
            ActionError: the value is not an integer.
        """
        text = self.form.get(name) or self.query.get(name) or str(default)
        try:
            return max(-(10**9), min(int(text), 10**9))
        except ValueError:
            raise ActionError(f"{name} is not a number") from None

    def page(self, template: str, status: int = 200, **values: object) -> Response:
        """Render a template with the values that every page has."""
        known = {
            "person": self.person,
            "csrf": self.session.csrf,
            "queues": queues(self.person),
            "has": lambda right: has(self.person, right),
        }
        text = self.console.templates.get_template(template).render(known | values)
        return Response(text, status, media_type="text/html")


def redirect(path: str) -> Response:
    """Return a redirect to a path with GET (status 303)."""
    return RedirectResponse(path, 303)


@dataclass(frozen=True, slots=True)
class Page:
    """A route with the right it requires; ``own_event`` if its handler writes the audit event."""

    path: str
    name: str
    right: Right | None
    handler: Callable[[Call], Response]
    method: str = "GET"
    own_event: bool = False

    async def answer(self, request: Request, console: Console) -> Response:
        """Answer a request; a forbidden page is answered as if it did not exist."""
        form = {}
        if self.method == "POST":
            async with request.form(max_files=0, max_fields=50) as given:
                form = {key: value for key, value in given.items() if isinstance(value, str)}
        return await run_in_threadpool(self._answer, request, console, form)

    def _answer(self, request: Request, console: Console, form: Mapping[str, str]) -> Response:
        try:
            return self._answered(request, console, form)
        except NotFound:
            status, text = 404, "There is no such page."
        except ActionError as error:
            status, text = 400, f"This cannot be done: {error}."
        except Conflict as error:
            status, text = 409, f"Nothing was changed: {error}."
        except RuleError:
            status, text = 400, "This cannot be made a rule."
        except (StoreError, SealError):
            status, text = 503, "The store, its key or the audit does not answer: nothing is shown."
        return problem(console, status, text)

    def _answered(self, request: Request, console: Console, form: Mapping[str, str]) -> Response:
        token = request.cookies.get(console.cookie, "")
        session = console.access.session(token) if token else None
        if session is None:
            return _to_login(request)
        if self.method == "POST" and not _is_own(session, request, form):
            self._refused(console, session.person)
            return problem(console, 403, "This form is not from your session. Log in again.")
        by_htmx = request.headers.get("hx-request") == "true"
        path, query = request.path_params, dict(request.query_params)
        try:
            return self._permitted(Call(console, session, path, query, form, by_htmx, token))
        except NotFound:
            self._refused(console, session.person)
            raise

    def _refused(self, console: Console, person: Person) -> None:
        """Record a request without the right, or with a wrong form token; rate-limited."""
        count = console.access.refusals.due("refused", person.id, console.store.now)
        if count is not None:
            with console.store.step("refused", person.id, page=self.name, count=count):
                pass

    def _permitted(self, call: Call) -> Response:
        if self.right is not None and not has(call.person, self.right):
            raise NotFound
        if not self.own_event:
            with call.store.step("page", call.person.id, page=self.name):
                pass
        return self.handler(call)


def _to_login(request: Request) -> Response:
    response = redirect("/login")
    if request.headers.get("hx-request") == "true":
        response = Response(status_code=204, headers={"hx-redirect": "/login"})
    return response


def _is_own(session: Session, request: Request, form: Mapping[str, str]) -> bool:
    given = form.get("csrf") or request.headers.get("x-csrf", "")
    return hmac.compare_digest(given.encode(), session.csrf.encode())


def problem(console: Console, status: int, text: str) -> Response:
    """Return an error page; ``text`` quotes no message."""
    rendered = console.templates.get_template("problem.html").render(text=text, status=status)
    return Response(rendered, status, media_type="text/html")
