"""The folder target: transactions go to a journal, finished output to the researchers' folder.

`journal` stores an object for each transaction, `ordering` sorts the released records, `target`
writes them in parts with a manifest.
"""
