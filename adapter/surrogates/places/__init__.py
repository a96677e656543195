"""Places, addresses and organisations, chosen so that they agree with each other."""
