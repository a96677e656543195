"""The mart as a replay's target: released records are landed, all others are journalled.

The mart's transaction is decisive. The journal is written before it, so journal entries beyond the
mart's progress belong to transactions that were not committed.
"""
