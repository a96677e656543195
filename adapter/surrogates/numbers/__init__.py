"""Identifiers, digests and object identifiers: format kept, value permuted under the key."""
