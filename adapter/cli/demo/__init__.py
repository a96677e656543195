"""``deid-adapter demo``: runs the sample feed through the production runner, and reports on it."""
