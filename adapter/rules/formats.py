"""The codecs and the envelope that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.codecs import CODECS
from adapter.codecs.envelopes import ENVELOPES, Gzip, Spec
from adapter.codecs.envelopes.pointers import parsed
from adapter.errors import RuleError
from adapter.rules.folder import rules_folder

if TYPE_CHECKING:
    from adapter.codecs import Codec
    from adapter.codecs.envelopes import Envelope, Schemas
    from adapter.config.settings import Settings
    from adapter.rules.folder import Folder


def codecs_of(settings: Settings, folder: Folder | None = None) -> dict[str, Codec]:
    """Return format name -> codec of the configured formats; ``folder`` is that of the rules."""
    schema = (folder or rules_folder(settings)).schema
    said = settings.rules
    options = {"hl7v2": {"default_charset": said.charset, "segment_end": said.segment_end}}
    return {
        name: CODECS[name](schema[name], **options.get(name, {})) for name in settings.rules.formats
    }


def envelope_of(settings: Settings, schemas: Schemas | None) -> Envelope:
    """Return the envelope of the records of these settings.

    Raises:
        RuleError: the envelope needs a schema registry, and none is set.
    """
    said = settings.envelope
    kind = ENVELOPES[said.kind]
    if kind.registered and schemas is None:
        raise RuleError("registry.url", f"is not set; envelope {said.kind} needs it")
    payload, keep = (tuple(filter(None, map(parsed, p))) for p in (said.payload, said.keep))
    spec = Spec(payload, keep, said.encoding == "base64", said.max_bytes)
    envelope = kind.make(spec, schemas)
    return Gzip(envelope, said.max_bytes) if said.gzip else envelope
