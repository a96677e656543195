"""The review console: people judge the mentions that the machine found, and rules are derived.

The input is messages (held ones, files, topics); the output is figures, and proposals for rules
that a second person has approved. ``figures`` and ``judging`` are pure; ``store`` holds sealed
items; ``web`` shows them. A new reason for rejection goes into `adapter.review.judging.reasons`.
"""
