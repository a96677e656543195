"""Names of persons: the person a mention refers to, and the surrogate in the same form."""
