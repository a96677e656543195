"""The memory transport: an in-process broker for tests and embedding."""
