"""Compiles rule folders and models to a `Ruleset`; no other package opens their files."""
