"""Writers of a value at a path of a resource, such as ``hospitalization.admitSource``, ``name[]``.

Only the resource itself is changed in place. Nested values may be shared between resources through
the cache of readers, so they are copied before a write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.mart.landing.hl7v2.grammar import Step

    Body = dict[str, Any]
    Writer = Callable[[Body, object], None]


def writer_of(steps: Sequence[Step]) -> Writer:
    """Return a function that writes a value at a path.

    A list inside a path stands for its last item; a list at its end gets the value appended.
    """
    *inner, last = steps
    name = last.name
    final = _append(name) if last.many else _assign(name)
    for step in reversed(inner):
        final = _into(step, final)
    return final


def _append(name: str) -> Writer:
    def append(body: Body, value: object) -> None:
        body[name] = [*known, value] if (known := body.get(name)) else [value]

    return append


def _assign(name: str) -> Writer:
    def assign(body: Body, value: object) -> None:
        body[name] = value

    return assign


def _into(step: Step, write: Writer) -> Writer:
    name, many = step.name, step.many

    def descend(body: Body, value: object) -> None:
        there = body.get(name)
        items = list(there) if many and there else []
        inner = dict(items.pop() if items else {}) if many else dict(there or {})
        write(inner, value)
        body[name] = [*items, inner] if many else inner

    return descend
