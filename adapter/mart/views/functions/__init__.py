"""FHIRPath functions as SQL. To add one, add an entry to ``FUNCTIONS`` of its module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.views.functions import collections, fhir, texts
from adapter.mart.views.functions.calls import Call, type_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.mart.views.functions.calls import Function

FUNCTIONS: Mapping[str, Function] = {
    **collections.FUNCTIONS,
    **fhir.FUNCTIONS,
    **texts.FUNCTIONS,
}
"""Name -> (minimum and maximum number of arguments, function that compiles the call)."""

__all__ = ["FUNCTIONS", "Call", "type_name"]
