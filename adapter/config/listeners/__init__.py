"""Settings of listeners: those shared by all, and those of each."""
