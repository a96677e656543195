"""Trusted phrases of a message found in its texts: exactly, joined, misspelt, discovered."""
