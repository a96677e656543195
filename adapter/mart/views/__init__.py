"""SQL-on-FHIR v2: ViewDefinitions go in, DuckDB queries over a table of resources come out.

To add a FHIRPath function, add an entry to ``FUNCTIONS`` of a module in ``functions/``; an
operator, to ``OPERATORS`` in ``operators.py``. Shipped views lie in ``rules/mart/views``.
"""

from __future__ import annotations

from adapter.mart.views.compiler import CompiledView, compile_view
from adapter.mart.views.definitions import Definition, read_definition

__all__ = ["CompiledView", "Definition", "compile_view", "read_definition"]
