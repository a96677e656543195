"""Reports of a release: publishable counts, the data dictionary, and an HTML page."""
