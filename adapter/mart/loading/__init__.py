"""Loading: lands records of the output lanes, and stores each once.

A source gives batches of one lane each; the store commits their rows together with the lane's
progress, so that a loader may be killed at any moment and started again.
"""
