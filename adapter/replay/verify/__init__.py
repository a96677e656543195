"""Verification: compares a replay's results with published results, message by message.

`published` reads the published results; `target` takes the place of a replay's target and compares.
"""
