"""Settings of the envelopes around messages, and of the schema registry."""

from __future__ import annotations

from itertools import permutations
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr, field_validator, model_validator

from adapter.codecs.envelopes import ENVELOPES
from adapter.codecs.envelopes.pointers import parsed
from adapter.config.section import MIB, FilePath, Section
from adapter.http.addresses import in_clear


def _pointer(value: str) -> str:
    """Return a JSON pointer to a member or item (RFC 6901)."""
    if parsed(value) is None:
        raise ValueError('must be a JSON pointer such as "/payload/after/message"')
    return value


Pointer = Annotated[str, AfterValidator(_pointer)]


class Envelope(Section):
    """The envelope around the messages of a topic or file."""

    kind: str = "none"
    """A name in `adapter.codecs.envelopes`; "none": a value is the message."""
    payload: tuple[Pointer, ...] = ()
    """Places of the messages, of which at least one must exist in a value."""
    encoding: Literal["text", "base64"] = "text"
    """Encoding of a payload that is a string; an object or array is the message itself."""
    keep: tuple[Pointer, ...] = ()
    """Values beside the messages that may be kept if they pass as safe; all others are removed."""
    gzip: bool = False
    """Whether each value is compressed (RFC 1952)."""
    max_bytes: int = Field(default=16 * MIB, ge=1024)
    """Maximum number of bytes of a value after decompression, and of a payload."""

    @field_validator("kind")
    @classmethod
    def _kind_is_known(cls, value: str) -> str:
        if value not in ENVELOPES:
            raise ValueError(f"must be one of {', '.join(ENVELOPES)}")
        return value

    @model_validator(mode="after")
    def _makes_sense(self) -> Envelope:
        pointed = ENVELOPES[self.kind].pointed
        if pointed and not self.payload:
            raise ValueError(f"kind {self.kind} needs payload, the JSON pointers to the message")
        if self.payload and not pointed:
            raise ValueError(f"kind {self.kind} does not take payload")
        if self.keep and self.kind == "none":
            raise ValueError("keep needs an envelope: set kind")
        places = (*self.payload, *ENVELOPES[self.kind].fixed, *self.keep)
        if len(set(places)) < len(places):
            raise ValueError("names the same place twice")
        if any(f"{lower}/".startswith(f"{upper}/") for upper, lower in permutations(places, 2)):
            raise ValueError("names a place inside another")
        return self


class Registry(Section):
    """The schema registry that Confluent's wire format refers to."""

    url: str = Field(default="", pattern=r"^(|https?://[^\s?#@]+)$")
    """URL of the registry; empty: there is none."""
    username: str | None = None
    password: SecretStr | None = None
    token: SecretStr | None = None
    """A bearer token, instead of username and password."""
    cafile: FilePath | None = None
    """Trusted authorities (PEM); None: the system's."""
    certfile: FilePath | None = None
    keyfile: FilePath | None = None
    key_password: SecretStr | None = None
    timeout_seconds: float = Field(default=3.0, gt=0, le=60)
    """Time limit of one answer, at most half of a message's time limit."""

    @model_validator(mode="after")
    def _complete(self) -> Registry:
        if (self.username is None) != (self.password is None):
            raise ValueError("set both username and password, or neither")
        if self.token is not None and self.username is not None:
            raise ValueError("set a token or a username, not both")
        if (self.certfile is None) != (self.keyfile is None):
            raise ValueError("set both certfile and keyfile, or neither")
        if (self.token or self.username) is not None and in_clear(self.url):
            raise ValueError("credentials are sent only to an https:// address or to this machine")
        return self
