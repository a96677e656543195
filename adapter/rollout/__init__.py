"""A ruleset tried before it is at work, and put to work without a stop."""
