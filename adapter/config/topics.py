"""Settings that hold for some topics or files only, over the general ones."""

from __future__ import annotations

import codecs
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator

from adapter.codecs import CODECS
from adapter.config.envelope import Envelope  # noqa: TC001 - pydantic reads it
from adapter.config.section import Section

if TYPE_CHECKING:
    from collections.abc import Iterable


def _format(value: str) -> str:
    """Return the name of a codec."""
    if value not in CODECS:
        raise ValueError(f"is none of {', '.join(CODECS)}")
    return value


def _charset(value: str) -> str:
    try:
        codecs.lookup(value)
    except LookupError:
        raise ValueError("is no charset that Python knows") from None
    return value


def _languages(value: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(value)) < len(value):
        raise ValueError("names a language twice")
    if not value:
        raise ValueError("names no language")
    return value


Format = Annotated[str, AfterValidator(_format)]
Charset = Annotated[str, AfterValidator(_charset)]
Languages = Annotated[tuple[str, ...], AfterValidator(_languages)]


class Topic(Section):
    """What is other for a topic, for the listener of that name, or for files of such names.

    What is not said here is as the general settings say.
    """

    format: Format | None = None
    """The one format of its messages, instead of ``rules.formats``."""
    profile: str | None = None
    charset: Charset | None = None
    languages: Languages | None = None
    envelope: Envelope | None = None
    """The whole table ``envelope``, not single keys of it."""

    def rules(self) -> dict[str, object]:
        """Return what it says over the table ``rules``."""
        said = {"profile": self.profile, "charset": self.charset, "languages": self.languages}
        rules: dict[str, object] = {name: value for name, value in said.items() if value}
        return rules | ({"formats": (self.format,)} if self.format else {})


def chosen(patterns: Iterable[str], name: str) -> str | None:
    """Return which key holds for a topic: its own name, else the first pattern that fits."""
    known = tuple(patterns)
    if name in known:
        return name
    return next((pattern for pattern in known if fnmatchcase(name, pattern)), None)
