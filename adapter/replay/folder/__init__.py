"""The folder target: transactions go to a journal, the finished output to the researchers' folder.

`journal` has an object for each transaction, `ordering` sorts what they released, `target` writes
it in parts with a manifest.
"""
