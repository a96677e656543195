"""Runs a second ruleset beside the active one, and counts how their results differ."""
