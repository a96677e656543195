"""Envelopes that stay in the quarantine when others are settled: written again behind them.

Progress in a topic is an offset: what lies before it is settled, so what is to stay moves behind.
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

    ``template`` is the pattern of the quarantine topics' names, "{topic}" in it.
    """
    topic = _original_topic(envelope, template)
    return replace(envelope, position=replace(envelope.position, topic=topic))


def _original_topic(envelope: Record, template: str) -> str:
    """The topic an envelope was held from, as far as its own topic or it shows.

    Its own topic goes first: the clear part is another's word, and would choose where it goes.
    """
    name = "(.+)".join(re.escape(part) for part in template.split("{topic}"))
    match = re.fullmatch(name, envelope.position.topic)
    if match and match.groups():
        return match[1]
    try:
        return read_clear(envelope.value or b"").topic
    except SealError:
        return envelope.position.topic
