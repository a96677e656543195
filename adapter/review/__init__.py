"""The review console: people judge what the machine proposes, and rules learn from it.

In go messages (held ones, files, topics); out come figures, and proposals for rules that a second
person has approved. ``figures`` and ``judging`` are pure; ``store`` keeps sealed items; ``web``
shows them. A new reason of rejection goes into `adapter.review.judging.reasons`.
"""
