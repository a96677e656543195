"""Loading: records of the output lanes are landed and go into the store, each once.

A source gives batches of one lane each; the store keeps what they bring together with how far the
lane has come, so that a loader may be killed at any moment and started again.
"""
