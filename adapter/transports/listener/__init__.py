"""The code that listeners share: their one lane, and topics or a folder as its outlet."""
