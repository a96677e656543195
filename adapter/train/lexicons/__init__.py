"""Builders of the derived lexicons and surrogate tables from their source lists."""
