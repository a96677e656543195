"""Storage of the console: sealed items and decisions, people, and a signed chain of events.

SQLite and PostgreSQL have one schema. Numbers, times, types and MACs of phrases are stored in the
clear; everything that quotes a message is sealed.
"""
