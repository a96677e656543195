"""Kafka as source and target of a replay.

`source` reads partitions between fixed offsets, without a consumer group. `target` writes each lane
under its own transactional id, with its progress in the same transaction; `reading` reads topics
back.
"""
