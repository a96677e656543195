"""Releases for researchers: makes tables from current resources, and passes them through a gate.

A release has tables without order, load time or fabricated columns, and reports of what was left
out, how complete it is and how well its persons are hidden. It appears whole or not at all. To
leave out another element, add it to ``rules/mart/released.toml``.
"""
