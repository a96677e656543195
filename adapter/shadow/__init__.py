"""A second ruleset beside the one at work: what it would do otherwise, in counts alone."""
