"""Settings that override the general ones for some topics or files."""

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
    """Return the name if it is that of a codec; else raise ValueError."""
    if value not in CODECS:
        raise ValueError(f"must be one of {', '.join(CODECS)}")
    return value


def _charset(value: str) -> str:
    try:
        codecs.lookup(value)
    except LookupError:
        raise ValueError("is not a charset that Python supports") from None
    return value


def _languages(value: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(value)) < len(value):
        raise ValueError("names the same language twice")
    if not value:
        raise ValueError("must name at least one language")
    return value


Format = Annotated[str, AfterValidator(_format)]
Charset = Annotated[str, AfterValidator(_charset)]
Languages = Annotated[tuple[str, ...], AfterValidator(_languages)]


class Topic(Section):
    """The settings that differ for a topic, for the listener of that name, or for matching files.

    A setting that is not given here has its general value.
    """

    format: Format | None = None
    """The only format of its messages, instead of ``rules.formats``."""
    profile: str | None = None
    charset: Charset | None = None
    languages: Languages | None = None
    envelope: Envelope | None = None
    """Replaces the whole table ``envelope``, not single keys of it."""

    def rules(self) -> dict[str, object]:
        """Return the keys of the table ``rules`` that this topic overrides."""
        said = {"profile": self.profile, "charset": self.charset, "languages": self.languages}
        rules: dict[str, object] = {name: value for name, value in said.items() if value}
        return rules | ({"formats": (self.format,)} if self.format else {})


def chosen(patterns: Iterable[str], name: str) -> str | None:
    """Return the key that applies to a topic: its own name, else the first matching pattern."""
    known = tuple(patterns)
    if name in known:
        return name
    return next((pattern for pattern in known if fnmatchcase(name, pattern)), None)
