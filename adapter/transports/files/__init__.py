"""The file transport: every message of a file is a record; the framing is kept."""
