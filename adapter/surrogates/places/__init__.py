"""Surrogates of places, addresses and organisations, which agree with each other."""
