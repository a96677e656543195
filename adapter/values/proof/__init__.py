"""Proof of kept values: those that do not match their place are scanned or dropped."""
