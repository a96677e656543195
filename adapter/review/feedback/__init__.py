"""Approved proposals as rules: rendered, previewed on a shadow sample, exported and applied."""
