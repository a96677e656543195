"""Generators of the tables under ``rules/schema``: run by a command, never by the pipeline."""
