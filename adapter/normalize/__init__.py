"""Comparable forms of text, each with a map back to what was sent: folded, canonical, in digits."""
