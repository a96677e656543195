"""What an operator sees: names that log lines may bear, and metrics."""
