"""What the console keeps: sealed items and decisions, people, and a signed chain of events.

One schema for SQLite and PostgreSQL. In the clear are numbers, times, types and MACs of phrases;
whatever quotes a message is sealed.
"""
