"""Released messages to an MLLP receiver, in order, each until it is accepted.

In goes a folder or topics of released messages; each is sent when the one before was accepted, and
what was accepted is noted before the next. A new source of messages has the protocol of
`sending.Source`.
"""
