"""Comparable forms of text with a map back to the text as sent: folded, canonical, in digits."""
