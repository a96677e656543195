"""Pattern families: regular expressions from rule files, with their own checks and tests."""
