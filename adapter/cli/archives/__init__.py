"""Commands that process archived messages."""
