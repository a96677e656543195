"""Carries envelopes over: rewrites those that stay in the quarantine when others are settled.

Progress in a topic is one offset, before which everything is settled, so envelopes that stay are
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
    """Return an unchanged envelope under its original topic, as a record to be held again.

    ``template`` is the name pattern of the quarantine topics, with "{topic}" in it.
    """
    topic = _original_topic(envelope, template)
    return replace(envelope, position=replace(envelope.position, topic=topic))


def _original_topic(envelope: Record, template: str) -> str:
    """Return the topic that an envelope was held from, else the envelope's own topic.

    The name of the envelope's topic takes precedence over its clear part, because a forged clear
    part could choose where the envelope goes.
    """
    name = "(.+)".join(re.escape(part) for part in template.split("{topic}"))
    match = re.fullmatch(name, envelope.position.topic)
    if match and match.groups():
        return match[1]
    try:
        return read_clear(envelope.value or b"").topic
    except SealError:
        return envelope.position.topic
