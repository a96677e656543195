"""Releases for researchers: creates tables from current resources, and passes them through a gate.

A release has tables without load order, load time or fabricated columns, and reports on what was
left out, on completeness and on disclosure risk. It is published completely or not at all. To leave
out another element, add it to ``rules/mart/released.toml``.
"""
