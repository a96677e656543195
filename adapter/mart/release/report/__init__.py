"""Reports of a release: publishable counts, the dictionary, and one page."""
