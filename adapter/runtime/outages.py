"""Detects outages of services that every message needs, such as a schema registry or a vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import OUTAGES
from adapter.transports.protocol import Cause, TransportError
from adapter.types import Hold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.types import Processed


def refuse_outages(outcomes: Sequence[Processed]) -> None:
    """Make a batch wait for a service that does not answer, instead of holding its messages.

    Raises:
        TransportError: "unreachable".
    """
    for processed in outcomes:
        hold = processed.outcome
        if isinstance(hold, Hold) and (hold.stage, hold.code) in OUTAGES:
            raise TransportError("unreachable", Cause(reason=hold.code))
