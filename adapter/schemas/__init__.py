"""Schemas of a registry and their values, which `adapter.codecs.envelopes` asks the shell for."""
