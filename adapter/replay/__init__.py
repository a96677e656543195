"""Replay: a range of topics, or an archive of them, through the runner once more.

A source gives lanes of records, a target takes what comes of them with each lane's progress, and
`adapter.replay.transport` makes one transport of both. Sources and targets are named in
`adapter.replay.registry`.
"""
