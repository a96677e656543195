"""The mart as the target of a replay: released records are landed, everything else is journalled.

The mart's transaction is what counts. The journal is written before it, and what it has beyond the
mart's progress is of transactions that were never made.
"""
