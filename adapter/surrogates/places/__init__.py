"""Places, addresses and organisations, drawn so that they agree with each other."""
