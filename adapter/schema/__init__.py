"""Generators of the tables in ``rules/schema``: run by a command, never by the pipeline."""
