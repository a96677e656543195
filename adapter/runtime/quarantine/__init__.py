"""Operations on held messages in a folder or topics: list, show, retry and discard.

A held message is identified by its id, which stays the same however often it is held.
"""
