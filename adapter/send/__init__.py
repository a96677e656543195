"""Sends released messages to an MLLP receiver, in order, each until it is accepted.

The input is a folder or topics of released messages; each message is sent after the one before was
accepted, and each acceptance is stored before the next message is sent. A new source of messages
implements the protocol `sending.Source`.
"""
