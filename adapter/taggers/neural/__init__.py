"""The neural tagger: numbers of words and characters in, scores of labels out, then spans.

The core neither opens a network nor depends on a runtime: `network.Network` is given a function.
"""

from __future__ import annotations
