"""Carries envelopes over: writes those that stay in the quarantine again when others are settled.

Progress in a topic is an offset, before which everything is settled; envelopes that stay are
written again after it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.sealing.box import SealError
from adapter.sealing.quarantine import read_clear

if TYPE_CHECKING:
    from adapter.types import Record


def carried(envelope: Record, template: str) -> Record:
    """Return the record that carries an envelope over, unchanged.

    ``template`` is the name pattern of the quarantine topics, with "{topic}" in it.
    """
    topic = _original_topic(envelope, template)
    return replace(envelope, position=replace(envelope.position, topic=topic))


def _original_topic(envelope: Record, template: str) -> str:
    """Return the topic an envelope was held from, as far as its own topic or its clear part tells.

    Its own topic takes precedence: the clear part can be forged, and would choose where it goes.
    """
    name = "(.+)".join(re.escape(part) for part in template.split("{topic}"))
    match = re.fullmatch(name, envelope.position.topic)
    if match and match.groups():
        return match[1]
    try:
        return read_clear(envelope.value or b"").topic
    except SealError:
        return envelope.position.topic
