"""Dates as people write them: tokens and layouts read, moved, and written back alike."""
