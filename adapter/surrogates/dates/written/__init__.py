"""Dates as people write them: tokens and layouts are read, moved and written back alike."""
