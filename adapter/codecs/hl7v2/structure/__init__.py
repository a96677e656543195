"""Whether a message's segments and fields are what they claim to be."""
