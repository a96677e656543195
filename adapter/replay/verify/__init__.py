"""Verification: what a replay gives now against what was published, message by message.

`published` reads the other side, `target` stands where a replay writes to and compares.
"""
