"""HTTP responses: a status, an id, a stage and code, and at most the released message."""

from __future__ import annotations

from email.utils import formatdate
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, Response

from adapter.headers import MESSAGE_ID
from adapter.transports.listener.results import State

if TYPE_CHECKING:
    from adapter.errors import PostError
    from adapter.transports.listener.results import Result
    from adapter.types import Record

STATUSES = {
    "empty": HTTPStatus.BAD_REQUEST,
    "ambiguous": HTTPStatus.BAD_REQUEST,
    "no-token": HTTPStatus.UNAUTHORIZED,
    "from-a-page": HTTPStatus.FORBIDDEN,
    "no-such-path": HTTPStatus.NOT_FOUND,
    "not-a-post": HTTPStatus.METHOD_NOT_ALLOWED,
    "slow": HTTPStatus.REQUEST_TIMEOUT,
    "too-large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "media-type": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "busy": HTTPStatus.SERVICE_UNAVAILABLE,
    "stopping": HTTPStatus.SERVICE_UNAVAILABLE,
    "no-outcome": HTTPStatus.GATEWAY_TIMEOUT,
}
"""HTTP status of a refused request, by its code."""
FURTHER = {
    "no-token": {"www-authenticate": "Bearer"},
    "not-a-post": {"allow": "POST"},
    "busy": {"retry-after": "1"},
    "stopping": {"retry-after": "10"},
}
"""Additional response headers of a refused request, by its code; times are in seconds."""
SHOWN = frozenset({MESSAGE_ID, "deid-ruleset", "deid-key"})
"""Headers of a released message that are copied to the response."""


def refusal(error: PostError) -> Response:
    """Return the response to a request that was not accepted, or whose outcome is unknown.

    The response closes the connection: the rest of the request is not read.
    """
    body = {"status": State.REFUSED.value, "stage": error.stage, "code": error.code}
    headers = {"connection": "close", **FURTHER.get(error.code, {})}
    return _json(STATUSES[error.code], body, headers)


def failure() -> Response:
    """Return the response after an unexpected exception (500)."""
    body = {"status": State.REFUSED.value, "stage": "bug", "code": "unexpected"}
    return _json(HTTPStatus.INTERNAL_SERVER_ERROR, body, {"connection": "close"})


def outcome(result: Result, held: HTTPStatus, whole_as: str) -> Response:
    """Return the response to a settled message.

    ``held`` is the status for a message in the quarantine. If ``whole_as`` is not empty, the
    response to a released message is the message itself, with ``whole_as`` as its content type.
    """
    if result.released is not None:
        return _released(result.released, whole_as)
    stage, code = result.code.split("/")
    status = held
    if result.state is State.REFUSED:
        too_large = code == "too-large"
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE if too_large else held
    told = {"status": result.state.value, "id": result.id, "stage": stage, "code": code}
    headers = {MESSAGE_ID: result.id} if result.id else {}
    return _json(status, {key: value for key, value in told.items() if value}, headers)


def _released(record: Record, whole_as: str) -> Response:
    headers = {name: value.decode("ascii") for name, value in record.headers if name in SHOWN}
    if whole_as:
        headers["content-type"] = whole_as
        return _dated(Response(record.value, headers=headers))
    body = {"status": State.RELEASED.value, "id": headers.get(MESSAGE_ID, "")}
    return _json(HTTPStatus.OK, {key: value for key, value in body.items() if value}, headers)


def _json(status: HTTPStatus, body: dict[str, str], headers: dict[str, str]) -> Response:
    return _dated(JSONResponse(body, status, headers))


def _dated(response: Response) -> Response:
    response.headers["date"] = formatdate(usegmt=True)
    response.headers["cache-control"] = "no-store"
    response.headers["x-content-type-options"] = "nosniff"
    return response
