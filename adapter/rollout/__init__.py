"""Tries a ruleset before it is active, and activates it without a restart."""
