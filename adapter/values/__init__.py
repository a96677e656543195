"""Proof of kept values: a value must match its place's grammar, whatever its declared type says.

`Values.judge` checks the segments that the field policy keeps. A value that is not proved is
scanned as free text, and dropped if it still looks personal after tagging. Grammars, places, code
systems and units are data: ``rules/values/*.toml``.
"""

from adapter.values.compile import compile_values
from adapter.values.proof.judging import Values

__all__ = ["Values", "compile_values"]
