"""SQL-on-FHIR v2: compiles ViewDefinitions to DuckDB queries over a table of resources.

To add a FHIRPath function, add an entry to ``FUNCTIONS`` of a module in ``functions/``; an
operator, to ``OPERATORS`` in ``operators.py``. The shipped views are in ``rules/mart/views``.
"""

from __future__ import annotations

from adapter.mart.views.compiler import CompiledView, compile_view
from adapter.mart.views.definitions import Definition, read_definition

__all__ = ["CompiledView", "Definition", "compile_view", "read_definition"]
