"""Names of persons: who is meant by a mention, and their surrogate in the same form."""
