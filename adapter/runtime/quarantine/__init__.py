"""Operations on held messages: list, show, retry and discard, over a folder or topics.

A held message is named by its id, which stays however often it is held again.
"""
