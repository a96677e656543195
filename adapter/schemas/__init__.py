"""Schemas of a registry, and readers and writers of their values (`adapter.codecs.envelopes`)."""
