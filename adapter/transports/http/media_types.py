"""Content types of messages (RFC 9110, 8.3), and the file suffix of each."""

from __future__ import annotations

from adapter.errors import PostError

MEDIA_TYPES = {
    "application/fhir+json": ".json",
    "application/fhir+xml": ".xml",
    "application/fhir+ndjson": ".ndjson",
    "application/x-ndjson": ".ndjson",
    "application/json": ".json",
    "application/cloudevents+json": ".json",
    "application/xml": ".xml",
    "text/xml": ".xml",
    "application/hl7-v2": ".hl7",
    "x-application/hl7-v2+er7": ".hl7",
    "application/hl7-v2+xml": ".xml",
    "x-application/hl7-v2+xml": ".xml",
    "text/plain": ".hl7",
}
"""Accepted content types. Format and charset are read from the message itself, not from these."""


def media_type(content_type: str) -> str:
    """Return the content type of a header, without its parameters.

    Raises:
        PostError: "media-type", the type is not one of `MEDIA_TYPES`.
    """
    named = content_type.partition(";")[0].strip().lower()
    if named not in MEDIA_TYPES:
        raise PostError("media-type")
    return named
