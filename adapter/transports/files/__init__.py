"""The file transport: every message of a file is a record, its framing kept."""
