"""Schemas of a registry, and values of them: what `adapter.codecs.envelopes` asks the shell for."""
