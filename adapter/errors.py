"""Every failure is a (stage, code) from the closed sets below; none carries message text."""

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
"""Stages of a message's way and the codes each may give; every one is raised somewhere."""

TRANSIENT: dict[str, frozenset[str]] = {
    "envelope": frozenset({"no-registry"}),
    "tag": frozenset({"timeout"}),
    "surrogate": frozenset({"no-vault"}),
}
"""Codes whose cause may pass by itself, so that the same message may succeed a moment later: a busy
machine, a database that restarts. All others say something of the message or the rules."""


OUTAGES = frozenset({("envelope", "no-registry")})
"""(stage, code) of what no message can pass: nothing is held for it, its lane waits."""


def is_transient(stage: str, code: str) -> bool:
    """Return whether another attempt may succeed without a change of message or rules."""
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
    """A value that is not the envelope it should be, or cannot be written as one."""

    stage = "envelope"


class DecodeError(AdapterError):
    """Bytes that no codec understands."""

    stage = "decode"


class FieldError(AdapterError):
    """A place the field policy refuses."""

    stage = "fields"


class PhraseError(AdapterError):
    """Structured fields that cannot be turned into phrases."""

    stage = "phrases"


class TagError(AdapterError):
    """A tagger that could not finish."""

    stage = "tag"


class ResolveError(AdapterError):
    """Spans that cannot be reconciled."""

    stage = "resolve"


class SurrogateError(AdapterError):
    """A mention for which no safe surrogate exists."""

    stage = "surrogate"


class LeakError(AdapterError):
    """A known value in characters that would be kept."""

    stage = "leak"


class EncodeError(AdapterError):
    """Edits that cannot be written in the message's own format."""

    stage = "encode"


class PostError(AdapterError):
    """A request to the HTTP listener that is not taken, or whose outcome is not known in time."""

    stage = "request"


class MartError(AdapterError):
    """A store of the mart that cannot be read or written, or that another loader has taken."""

    stage = "mart"


class SparkError(AdapterError):
    """A task of Spark that cannot go on; Spark logs it, and it says nothing else."""

    stage = "spark"

    def __reduce__(self) -> tuple[type[SparkError], tuple[str]]:
        """Pass between processes whole."""
        return type(self), (self.code,)


def fails_as(
    error: type[AdapterError],
) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Wrap a stage: an exception that nobody expected becomes the stage's "failed".

    The exception's own text may quote the message, so nothing of it is kept.
    """

    def wrap(stage: Callable[Given, Result]) -> Callable[Given, Result]:
        @wraps(stage)
        def run(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            try:
                return stage(*args, **kwargs)
            except AdapterError:
                raise
            except Exception:  # noqa: BLE001 - whatever it is, the stage has failed
                raise error("failed") from None

        return run

    return wrap


class DocumentError(Exception):
    """An embedded document that cannot be read: "malformed" or "too-large".

    It stays within the codecs: such a document is one of unreadable content, which the profile
    drops or holds.
    """


class RuleError(Exception):
    """A rule, profile or setting that cannot be honoured; ``place`` is file:line or a config key.

    Raised at start, before any message is read, so its text may be shown.
    """

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem

    def __reduce__(self) -> tuple[type[RuleError], tuple[str, str]]:
        """Pass between processes whole."""
        return type(self), (self.place, self.problem)
