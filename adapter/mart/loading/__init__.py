"""Loading: lands records of the output lanes, and stores each once.

A source yields batches of one lane each; the store commits their rows together with the lane's
progress, so that a loader can be killed at any time and restarted.
"""
