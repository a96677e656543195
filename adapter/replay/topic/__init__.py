"""Kafka on either side of a replay: topics read again, and topics written to.

`source` reads partitions between fixed offsets, without a group. `target` writes each lane under a
transactional id of its own, its progress in the same transaction; `progress` reads that back.
"""
