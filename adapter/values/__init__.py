"""What a kept value must look like: whatever its declared type says, it is proved or read as text.

In go the segments that the field policy keeps; out comes which of them are proved. What is not is
scanned as free text, and dropped where taggers leave something in it that looks personal. Grammars,
places, code systems and units are data: ``rules/values/*.toml``.
"""

from adapter.values.compile import compile_values
from adapter.values.proof import Values

__all__ = ["Values", "compile_values"]
