"""``deid-adapter demo``: the sample feed through the production runner, and a report of it."""
