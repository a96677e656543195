"""Checks whether a message's segments and fields are complete and in place."""
