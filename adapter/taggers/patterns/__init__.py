"""Pattern families: regular expressions from rule files, with checks and tests of their own."""
