"""Addresses of resources: references, URLs, URNs, paths; a host has one surrogate everywhere."""
