"""A network beside the CRF: it maps words and characters to label scores; the mean of both counts.

The core neither opens a network nor depends on a runtime: `network.Network` is given a function.
"""

from __future__ import annotations
