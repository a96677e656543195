"""Replays: processes a range of topics, or an archive of topics, once more.

A source gives lanes of records, a target takes the outcomes with each lane's progress, and
`adapter.replay.transport` combines both into one transport for the runner. Sources and targets are
registered in `adapter.replay.registry`.
"""
