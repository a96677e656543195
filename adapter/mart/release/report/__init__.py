"""What a release says of itself: counts as they may be published, the dictionary, and one page."""
