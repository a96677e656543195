"""Settings of listeners: what all share, and what each has besides."""
