"""Addresses of things: references, URLs, URNs, paths; a host has one surrogate everywhere."""
