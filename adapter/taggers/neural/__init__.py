"""The neural tagger: numbers of words and characters to a network, the labels it scores to spans.

The core neither opens a network nor knows what runs it: `network.Network` is given a function.
"""

from __future__ import annotations
