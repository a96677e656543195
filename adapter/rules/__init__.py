"""Rule folders and models in, a compiled `Ruleset` out: the only opener of their files."""
