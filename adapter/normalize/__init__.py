"""Comparable forms of text, with a map back to the text as sent; the notation of known values."""
