"""Names and numbers of the message that a text misspells, parts or joins to other words."""
