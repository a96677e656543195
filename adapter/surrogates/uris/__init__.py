"""Surrogates of references, URLs, URNs and paths; a host has one surrogate everywhere."""
