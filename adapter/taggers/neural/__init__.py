"""The neural tagger: a network maps words and characters to label scores, and these to spans.

The core neither opens a network nor depends on a runtime: `network.Network` is given a function.
"""

from __future__ import annotations
