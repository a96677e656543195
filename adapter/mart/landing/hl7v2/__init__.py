"""HL7 v2 to FHIR: a released message's segments become versions of FHIR R4 resources.

In: the bytes of one sanitized message, its id and the compiled tables of ``rules/mart/hl7v2``. Out:
`Landed`. The tables define the mapping of each field; to map another one, add a line there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.mart.landing.hl7v2.events import Event, EventEffects
from adapter.mart.landing.hl7v2.plans import Plan
from adapter.mart.landing.hl7v2.segments import read_segments
from adapter.mart.landing.hl7v2.walk import Walk
from adapter.mart.versions import Landed, Op, Version

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.codecs.hl7v2.escapes import Escapes
    from adapter.mart.landing.hl7v2.drafts import Draft
    from adapter.mart.landing.hl7v2.segments import Segments
    from adapter.mart.landing.hl7v2.tables import Tables

__all__ = ["land_message"]

_KIND, _EVENT = 9, 1
_CODE = re.compile(r"[A-Z][A-Z0-9]{2}")
_RESULT = "Observation"


@lru_cache(maxsize=64)
def _plan(tables: Tables, escapes: Escapes) -> Plan:
    return Plan(tables, escapes)


def land_message(raw: bytes, message_id: str, tables: Tables) -> Landed:
    """Land one message: its versions of resources, number keys, merges, partings and rejects.

    Raises:
        DecodeError: the bytes are not an HL7 v2 message.
    """
    segments = read_segments(raw)
    plan = _plan(tables, segments.escapes)
    kind, trigger = _kind(plan, segments)
    event = Event(tables.event.get(trigger, {}))
    walk = Walk(plan, message_id, plan.begins(kind), plan.links(kind), plan.alone(kind))
    effects = _read(walk, segments, event)
    if effects.unmapped:
        walk.filling.rejects.add(trigger, "event-unmapped")
    for draft in list(walk.drafts):
        effects.further.extend(event.change(draft))
        _complete(draft, plan)
    versions = _versions(walk, effects.further)
    return Landed(
        versions=versions,
        numbers=_linked(walk.numbers) if event.links else (*walk.numbers, *effects.numbers),
        merges=tuple(dict.fromkeys(effects.merges)),
        partings=tuple(effects.partings),
        rejects=tuple(walk.filling.rejects.found.values()),
        keyless_results=sum(d.keyless for d in walk.drafts if d.resource == _RESULT),
        format="hl7v2",
        kind="^".join(code for code in (kind, trigger) if _CODE.fullmatch(code)) or "?",
    )


def _linked(numbers: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    return (tuple(dict.fromkeys(key for keys in numbers for key in keys)),)


def _kind(plan: Plan, segments: Segments) -> tuple[str, str]:
    """Return the message type and trigger event, which very old messages have in EVN only."""
    header = segments.rows[0]
    kind, trigger = plan.at(_KIND, 1, header), plan.at(_KIND, 2, header)
    if not trigger:
        event = next((row for row in segments.rows if row[0] == "EVN"), None)
        trigger = plan.at(_EVENT, 1, event)
    return kind, trigger


def _read(walk: Walk, segments: Segments, event: Event) -> EventEffects:
    effects = EventEffects(event)
    for at, row in enumerate(segments.rows):
        walk.read(row, several=at in segments.several)
        if row[0] == "MRG":
            effects.read(walk, row)
    walk.finish()
    effects.finish(walk)
    return effects


def _complete(draft: Draft, plan: Plan) -> None:
    if draft.op in {Op.REPLACE, Op.MERGE}:
        for element, value in plan.defaults.get(draft.resource, ()):
            draft.body.setdefault(element, value)


def _versions(walk: Walk, further: Sequence[Draft]) -> tuple[Version, ...]:
    drafts = [*walk.drafts, *further]
    own = [draft.version(index) for index, draft in enumerate(drafts)]
    beside = (
        Version(resource, number, None, Op.REPLACE, body, index)
        for index, ((resource, number), body) in enumerate(walk.filling.made.items(), len(own))
    )
    return (*own, *beside)
