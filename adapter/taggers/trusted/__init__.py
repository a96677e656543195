"""Taggers of a message's trusted phrases in its texts: exact, joined, misspelt, discovered."""
