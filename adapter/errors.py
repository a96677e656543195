"""Errors: each is a (stage, code) from the closed sets below, without message text."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Given = ParamSpec("Given")
Result = TypeVar("Result")

CODES: dict[str, frozenset[str]] = {
    "envelope": frozenset(
        {
            "not-json",
            "duplicate-key",
            "too-deep",
            "too-large",
            "gzip",
            "wire-format",
            "not-an-event",
            "no-payload",
            "several-payloads",
            "encoding",
            "unknown-schema",
            "not-of-schema",
            "no-registry",
            "unwritable",
        }
    ),
    "decode": frozenset(
        {
            "empty",
            "unknown-format",
            "not-hl7v2",
            "not-json",
            "not-fhir",
            "not-xml",
            "xml-encoding",
            "not-convertible",
            "charset-unknown",
            "charset-invalid",
            "charset-not-reversible",
            "delimiters",
            "duplicate-key",
            "too-deep",
            "several-messages",
            "segments",
        }
    ),
    "fields": frozenset({"held-by-policy"}),
    "phrases": frozenset({"too-many"}),
    "tag": frozenset({"timeout", "failed"}),
    "resolve": frozenset({"failed"}),
    "surrogate": frozenset(
        {
            "fixed-point",
            "no-candidate",
            "no-subject",
            "no-vault",
        }
    ),
    "leak": frozenset({"known-value", "pattern"}),
    "encode": frozenset(
        {"unencodable", "unreadable", "unknown-path", "overlapping-edits", "required-element"}
    ),
    "request": frozenset(
        {
            "empty",
            "ambiguous",
            "no-token",
            "from-a-page",
            "no-such-path",
            "not-a-post",
            "slow",
            "too-large",
            "media-type",
            "busy",
            "stopping",
            "no-outcome",
        }
    ),
    "transport": frozenset(
        {
            "too-large",
            "send-failed",
            "fenced",
            "forbidden",
            "no-topic",
            "offset-lost",
            "timed-out",
            "unreachable",
        }
    ),
    "mart": frozenset({"fenced", "no-store", "locked"}),
    "spark": frozenset(
        {"row", "duplicate", "order", "no-ruleset", "other-ruleset", "too-many", "failed"}
    ),
    "bug": frozenset({"unexpected"}),
}
"""Stages of processing -> their codes, each of which is raised somewhere."""

TRANSIENT: dict[str, frozenset[str]] = {
    "envelope": frozenset({"no-registry"}),
    "tag": frozenset({"timeout"}),
    "surrogate": frozenset({"no-vault"}),
}
"""Stage -> codes whose cause can be temporary, so that another attempt can succeed: a busy machine,
a database that restarts. All other codes depend on the message or the rules only."""


OUTAGES = frozenset({("envelope", "no-registry"), ("surrogate", "no-vault")})
"""(stage, code) of outages that affect every message: none is held, the lane waits."""


def is_transient(stage: str, code: str) -> bool:
    """Return whether another attempt can succeed with the same message and rules."""
    return code in TRANSIENT.get(stage, ())


class AdapterError(Exception):
    """A failure of one stage; ``str`` shows "stage/code" only."""

    stage = "bug"

    def __init__(self, code: str) -> None:
        if code not in CODES[self.stage]:
            raise ValueError(f"no such code in stage {self.stage}")
        super().__init__(f"{self.stage}/{code}")
        self.code = code


class EnvelopeError(AdapterError):
    """A value is not the configured envelope, or cannot be written as one."""

    stage = "envelope"


class DecodeError(AdapterError):
    """Bytes cannot be decoded by a codec."""

    stage = "decode"


class FieldError(AdapterError):
    """The field policy refuses a place of the message."""

    stage = "fields"


class PhraseError(AdapterError):
    """Structured fields cannot be converted to trusted phrases."""

    stage = "phrases"


class TagError(AdapterError):
    """A tagger could not finish."""

    stage = "tag"


class ResolveError(AdapterError):
    """Spans cannot be reconciled."""

    stage = "resolve"


class SurrogateError(AdapterError):
    """No safe surrogate exists for a mention."""

    stage = "surrogate"


class LeakError(AdapterError):
    """A known value or pattern is in characters that would be kept."""

    stage = "leak"


class EncodeError(AdapterError):
    """Edits cannot be written in the message's own format."""

    stage = "encode"


class PostError(AdapterError):
    """A request to the HTTP listener that is not taken, or whose outcome is not known in time."""

    stage = "request"


class MartError(AdapterError):
    """A store of the mart cannot be read or written, or another loader has taken it."""

    stage = "mart"


class SparkError(AdapterError):
    """A Spark task cannot continue; only its code is logged by Spark."""

    stage = "spark"

    def __reduce__(self) -> tuple[type[SparkError], tuple[str]]:
        """Pass between processes whole."""
        return type(self), (self.code,)


def fails_as(
    error: type[AdapterError],
) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Wrap a stage so that an unexpected exception becomes the stage's "failed".

    Nothing of the exception is kept, because its text can quote the message.
    """

    def wrap(stage: Callable[Given, Result]) -> Callable[Given, Result]:
        @wraps(stage)
        def run(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            try:
                return stage(*args, **kwargs)
            except AdapterError:
                raise
            except Exception:  # noqa: BLE001 - any exception means that the stage failed
                raise error("failed") from None

        return run

    return wrap


class DocumentError(Exception):
    """An embedded document cannot be read: "malformed" or "too-large".

    Codecs catch it: such a document is unreadable content, which the profile drops or holds.
    """


class RuleError(Exception):
    """A rule, profile or setting cannot be applied; ``place`` is file:line or a config key.

    Raised at start, before any message is read, so its text may be shown.
    """

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem

    def __reduce__(self) -> tuple[type[RuleError], tuple[str, str]]:
        """Pass between processes whole."""
        return type(self), (self.place, self.problem)
