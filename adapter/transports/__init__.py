"""Transports read and write records: one package each, behind one protocol."""
