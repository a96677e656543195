"""Settings of listeners: those that all share, and those of each."""
